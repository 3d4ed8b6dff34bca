/** `<knarr-search>` for who comes back from a result: the question and its rows are there again. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

const marked = () => bench.page.locator("[role=option][aria-selected=true] .title").first();
const state = () => bench.page.evaluate(() => history.state);

/** Opens the second page of an answer in the first panel of a page with several searches, and comes back. */
async function thereAndBack(query, leave = () => {}) {
  const page = await bench.show({}, "/many.html");
  const panel = page.locator("knarr-search[inline]").first();
  await panel.locator("input").fill(query);
  await panel.locator(".list:not([aria-busy]) .excerpt").first().waitFor();
  await leave(page);
  const row = panel.locator(".row.page").nth(1);
  const title = await row.locator(".title").first().textContent();
  await row.click();
  await page.waitForURL("**/site/**");
  await page.goBack();
  return { page, panel, title };
}

describe("a panel", () => {
  test("has the question and its rows, and marks the one that was opened", async () => {
    const { page, panel, title } = await thereAndBack("weather", (page) => page.evaluate(() => history.replaceState({ router: 7 }, "")));
    await panel.locator(".row.page").nth(1).waitFor();
    assert.equal(await panel.locator("input").inputValue(), "weather");
    assert.equal(await marked().textContent(), title);
    assert.equal((await state()).router, 7, "what a client router keeps is still there");
    // The other searches of the page were not asked, and nothing took the focus.
    assert.deepEqual(await page.locator("knarr-search").evaluateAll((all) => all.map((one) => one.shadowRoot.querySelector("input").value)), ["", "weather", ""]);
    assert.equal(await page.evaluate(() => document.activeElement), await page.evaluate(() => document.body));
  });

  test("is as it was when the reader starts anew, and Enter opens the first row of what is typed", async () => {
    const { page, panel } = await thereAndBack("weather");
    await panel.locator(".row.page").first().waitFor();
    await panel.locator("button.clear").click();
    assert.equal(await state(), null);
    await panel.locator("input").pressSequentially("weather");
    await panel.locator(".list:not([aria-busy]) .excerpt").first().waitFor();
    await panel.locator("input[aria-activedescendant=row-0]").waitFor();
    await page.reload();
    await panel.locator(".note.quiet, .row.search").first().waitFor();
    assert.equal(await panel.locator("input").inputValue(), "");
  });
});

test("the dialog stays closed and loads nothing until it is opened", async () => {
  const page = await bench.show();
  await page.keyboard.press("/");
  await bench.ask("weather");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/site/**");
  bench.server.requests.length = 0;
  await page.goBack();
  await page.locator("button.trigger").waitFor();
  await page.waitForTimeout(300);
  assert.ok(await page.getByRole("dialog").isHidden());
  assert.ok(!bench.server.requests.some(({ path }) => path.startsWith("/search/")));
  await page.keyboard.press("/");
  await page.locator(".row.page").first().waitFor();
  assert.equal(await bench.input.inputValue(), "weather");
  // The text is selected: what is typed takes its place.
  await page.keyboard.type("fog");
  assert.equal(await bench.input.inputValue(), "fog");
});

test("an open dialog closes where a client router goes back, whose page would change behind it", async () => {
  const page = await bench.show();
  await page.evaluate(() => history.pushState({}, "", "#second"));
  await page.keyboard.press("/");
  await bench.ask("weather");
  await page.evaluate(() => history.back());
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => location.hash), "");
  await page.keyboard.press("/");
  await page.locator(".row.page").first().waitFor();
  assert.equal(await bench.input.inputValue(), "weather");
});
