import { readFileSync } from "node:fs";
import { Knarr } from "knarr";
import "knarr/element";

const bundle = () => Knarr.open(readFileSync(process.env.KNARR_BUNDLE));

test("a bundle opens from bytes that the runner read", async () => {
  const { resources } = await (await bundle()).find("bowline");
  expect(resources[0].title).toBe("Mooring a boat");
});

test("the element shows, answers, and closes", async () => {
  const element = document.createElement("knarr-search");
  element.knarr = await bundle();
  document.body.append(element);
  element.show("bowline");
  expect(element.open).toBe(true);
  while (!element.shadowRoot.querySelector("[role=option]")) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(element.shadowRoot.querySelector(".title").textContent).toMatch(/Mooring a boat/);
  element.close();
  expect(element.open).toBe(false);
});
