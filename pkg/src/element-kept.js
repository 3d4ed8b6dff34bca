/**
 * What a page's entry in the history keeps of a search: whoever comes back from a result finds the question and its rows
 * as they were. Browsers do it by themselves where they keep the whole page; most often they do not.
 */

import { keepsRecents, marksWords } from "./element-attributes.js";
import { remember } from "./element-recents.js";

const KEY = "knarr";
const MARKS = "knarr-marks";

/** The place of an element among those of its page: the next load of the page has the same ones. */
const placeOf = (element) => Array.from(document.querySelectorAll("knarr-search")).indexOf(element);

/**
 * Keeps `query`, among the last searches too, with the tags that were chosen, the address of the row that was `chosen` and
 * how far the rows were scrolled; no query and no row let go of what the entry has.
 */
export function keep(element, query, chosen, top) {
  const at = placeOf(element);
  if (!query && !chosen && stateOf()?.at !== at) return;
  if (query !== "" && keepsRecents(element)) remember(query);
  const before = history.state ?? {};
  if (typeof before !== "object" || Array.isArray(before)) return; // A router's own, which has no room for more.
  const { [KEY]: _, ...others } = before;
  const state = !query && !chosen ? others : { ...others, [KEY]: { at, query, chosen, top, tags: element.getAttribute("tags") } };
  try {
    history.replaceState(Object.keys(state).length > 0 ? state : null, "");
  } catch {
    // A page without an address of its own has no history.
  }
}

/** What is kept for the element, `{ query, chosen, top }`, and of this `query` where one is given; or nothing. */
export function kept(element, query = stateOf()?.query) {
  const state = stateOf();
  return state?.at === placeOf(element) && typeof query === "string" && state.query === query ? state : undefined;
}

/** Sets the tags that were chosen when the question was kept. */
export function retake(element) {
  const tags = kept(element)?.tags;
  if (typeof tags === "string") element.setAttribute("tags", tags);
}

/** Keeps the `words` to mark on the page at `url`, a row's that was chosen, and marks them where a client router brings it. */
export function keepMarks(element, url, words) {
  if (!marksWords(element)) return;
  try {
    sessionStorage.setItem(MARKS, JSON.stringify([url, words, Date.now()]));
  } catch {
    // Nothing is marked where storage is blocked.
  }
  showMarks(url);
}

/** Marks the words that are kept for this page; `chosen` is the address of a page that was chosen in it. */
export async function showMarks(chosen) {
  try {
    if (sessionStorage.getItem(MARKS)) await (await import("./element-marks.js")).showMarks(MARKS, chosen);
  } catch {
    // Where the script does not come, or storage is blocked, the page is as it would be without.
  }
}

function stateOf() {
  return globalThis.history?.state?.[KEY];
}
