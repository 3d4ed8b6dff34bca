/** The side panel: the search element, over the bundle of the options. Results open in a tab. */

import "./knarr/knarr-search.js";
import { chosen, isAllowed } from "./settings.js";
import { show } from "./tabs.js";

const search = document.createElement("knarr-search");
search.setAttribute("inline", "");
search.setAttribute("theme", "auto");
// The reader's languages first: the panel's own says nothing of the bundle.
search.setAttribute("docs-lang", navigator.languages.map((tag) => tag.split("-")[0]).join(","));

search.addEventListener("knarr-select", (event) => {
  event.preventDefault(); // A link followed here would replace the panel.
  show(event.detail.url);
});

/** Puts on the bundle that is chosen. */
async function wear() {
  const bundle = await chosen();
  document.getElementById("name").textContent = bundle.name;
  search.setAttribute("base", bundle.base);
  search.setAttribute("src", bundle.address);
  const refused = document.getElementById("refused");
  refused.hidden = await isAllowed(bundle);
  refused.textContent = `This extension may not read ${new URL(bundle.address).host} any more. Choose it again in the options, or search the documentation that comes with the extension.`;
}

await wear();
document.getElementById("search").append(search);
search.show(new URLSearchParams(location.search).get("q") ?? undefined);
chrome.storage.local.onChanged.addListener(wear);
chrome.permissions.onRemoved.addListener(wear);
chrome.permissions.onAdded.addListener(wear);
