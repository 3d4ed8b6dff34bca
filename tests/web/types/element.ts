/** The element's events wherever they arrive, and the element by its tag. */

import "knarr/element";
import sheet from "knarr/element.css";
import module from "knarr/knarr_core_bg.wasm";

document.addEventListener("knarr-select", (event) => {
  const address: string = event.detail.url;
  event.preventDefault();
  history.pushState(null, "", address);
});
window.addEventListener("knarr-error", ({ detail }) => console.error(detail.message));
document.body.addEventListener("knarr-open", ({ detail }) => detail satisfies null);
document.querySelector("knarr-search")?.show("words");

export const addresses: string[] = [sheet, module];

// @ts-expect-error: the detail has no such part
document.addEventListener("knarr-select", ({ detail }) => detail.nothing);
