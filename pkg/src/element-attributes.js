/** The attributes of `<knarr-search>`, with the page around it, and the bundles that they name. */

import { absolute, siteOf, variantOf } from "./element-page.js";
import { forget, recents } from "./element-recents.js";
import { directionOf } from "./element-strings.js";
import { forgetButton, searchList, startNote } from "./element-view.js";

/** Options of every question. */
export function optionsOf(element) {
  const limit = numberIn("limit", element.getAttribute("limit"), 8);
  const group = element.getAttribute("group") || undefined;
  const answer = (isOn(element, "answer") && (Boolean(element.knarr) || engineOf(element) === FULL)) || undefined;
  return { limit, group, answer, tags: listIn(element, "tags"), target_uri: element.getAttribute("target-uri") ?? undefined, ...variantOf(element) };
}

/** The texts of an attribute, which stand between signs of `|`. */
function listIn(element, name) {
  return (element.getAttribute(name) ?? "").split("|").map((text) => text.trim()).filter(Boolean);
}

/** True where a switch is on. Vue and others write one that is not as `="false"`. */
export function isOn(element, name) {
  return (element.getAttribute(name) ?? "false") !== "false";
}

/** What attributes add to the rows; nothing where none of them is set, or it does not come. */
export async function moreOf(element) {
  try {
    if (["answer", "related", "facets", "images"].some((name) => isOn(element, name))) return await import("./element-more.js");
  } catch {}
  return {};
}

/** Sets the properties that were set before the script came: as they are, they hide the element's own. */
export function takeUp(element) {
  for (const name of ["knarr", "strings"]) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

/** Attributes that were told to be wrong: each is told once, not with every letter. */
const toldOf = new Set();

function tellOnce(told) {
  if (!toldOf.has(told)) console.warn(told);
  toldOf.add(told);
}

/** The whole number that an attribute has as its `text`, `least` or more; `otherwise` where there is none, or where it is no such number, which the console tells. */
export function numberIn(name, text, otherwise, least = 1) {
  if (text === null) return otherwise;
  const number = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(number) && number >= least) return number;
  tellOnce(`knarr-search: the attribute ${name}="${text}" is not a whole number from ${least} on; it is taken as ${otherwise}`);
  return otherwise;
}

/** True where the keys of the page open the dialog. */
export function hasHotkeys(element) {
  return element.getAttribute("hotkeys") !== "off";
}

/** True where the last searches are kept. */
export function keepsRecents(element) {
  return element.getAttribute("recents") !== "off";
}

/** True where words of the question are marked on the page that was chosen. */
export function marksWords(element) {
  return element.getAttribute("marks") !== "off";
}

/** The language of the element's own texts, which may be told outside the shadow roots that it is in. */
export function languageOf(element) {
  const { host } = element.getRootNode();
  return element.closest("[lang]")?.lang || (host?.closest ? languageOf(host) : (globalThis.navigator?.language ?? "en"));
}

/** The direction of the element: that of its texts where they are written from right to left or have a language of their own; else "", the page's. */
export function directionFor(element) {
  if (element.hasAttribute("dir")) return "";
  const direction = directionOf(languageOf(element));
  return direction === "rtl" || element.hasAttribute("lang") ? direction : "";
}

/**
 * Tells when an input method of Chinese or Japanese begins and ends, whose first letters, such as pinyin, are no question.
 * Keyboards of phones compose every word of every language.
 */
export function onCompose(element, input, tell) {
  input.addEventListener("compositionstart", () => tell(/^ja|^zh/.test(languageOf(element))));
  input.addEventListener("compositionend", () => tell(false));
}

/** A name that no other search of the page has: landmarks are told apart by nothing else. */
export function landmarkOf(element, { label, placeholder }) {
  if (!isOn(element, "inline")) return label;
  const at = Array.from(element.ownerDocument.querySelectorAll("knarr-search[inline]:not([inline=false])")).indexOf(element);
  return at > 0 ? `${placeholder} ${at + 1}` : placeholder;
}

/** Texts over the built-in ones. */
export function stringsIn(element) {
  try {
    return JSON.parse(element.getAttribute("strings") ?? "{}");
  } catch {
    tellOnce("knarr-search: the attribute strings is not JSON");
    return {};
  }
}

/** The site's suggestions as a list of options, or nothing. */
export function suggestionsIn(element, strings) {
  const searches = listIn(element, "suggestions");
  return searches.length > 0 ? [searchList(() => strings.suggestions, searches, "search")] : [];
}

/** What is listed before anything is asked, the last searches and the site's suggestions, and what stands below; `clear` empties the field. */
export function startOf(element, strings, clear) {
  const searched = keepsRecents(element) ? recents() : [];
  const lists = suggestionsIn(element, strings);
  if (searched.length > 0) lists.unshift(searchList(() => strings.recent, searched, "recent"));
  const forgotten = () => (forget(), clear());
  return [lists, ...(searched.length > 0 ? [forgetButton(strings, forgotten)] : lists.length > 0 ? [] : [startNote(strings)])];
}

/**
 * The bundle's address and the base of results, absolute; `before` where nothing was changed since: client navigation
 * changes what they are relative to under an element that stays.
 */
export function locate(element, before) {
  const source = element.getAttribute("from") ?? element.getAttribute("src") ?? "/search/";
  const base = element.getAttribute("base");
  const also = element.getAttribute("also") ?? "";
  const given = JSON.stringify([source, base, also]);
  if (given === before?.given) return before;
  const at = (source, base) => {
    const address = absolute(source, element.baseURI) ?? source;
    return { address, base: absolute(base ?? siteOf(address, element.baseURI), element.baseURI) };
  };
  const places = [at(source, base), ...also.split(/\s+/).filter(Boolean).map((source) => at(source))];
  return { given, ...places[0], places };
}

/** The opened bundle, or with the attribute `also` several as one. */
export async function bundleOf({ places }, element) {
  const opening = places.map(({ address, base }) => ({ knarr: bundleAt(address, element), base }));
  return opening[1] ? (await import("./several.js")).several(opening) : opening[0].knarr;
}

/** Opened bundles by address, so that two elements of a page share one engine: the promise, and what cuts the opening off. */
const bundles = new Map();

/** Those of them that an element used last, by address: there may be others by now. */
const used = new WeakMap();

/** The opened bundle at an address, opened on first use. */
function bundleAt(address, element) {
  const engine = engineOf(element);
  const key = `${engine} ${address}`;
  if (!bundles.has(key)) {
    const call = new AbortController();
    const worker = element.getAttribute("worker") === "off" ? false : undefined;
    const script = engine === FULL ? fullEngine() : core();
    // Without the full engine it is as if nobody had asked for it, so that elements still share one bundle.
    const opening = script.then((script) => (script ? script.Knarr.open(address, { worker, signal: call.signal }) : bundleAt(address, element)));
    const bundle = { opening, call };
    bundles.set(key, bundle);
    opening.catch(() => bundles.get(key) === bundle && bundles.delete(key));
  }
  const bundle = bundles.get(key);
  used.set(element, { ...used.get(element), [key]: bundle });
  return bundle.opening;
}

/**
 * Lets the bundles that an element used be opened anew, unless another element did already. What the old ones wait for is
 * cut off: the browser would have the new ones wait for it, too.
 */
export function leaveBundles(element) {
  for (const [key, bundle] of Object.entries(used.get(element) ?? {})) {
    if (bundle !== bundles.get(key)) continue;
    bundles.delete(key);
    bundle.call.abort();
    bundle.opening.then((knarr) => knarr.close(), () => {});
  }
  used.delete(element);
}

const FULL = "./index.js";

/** The full engine is not beside this script, as the core is. */
let isAlone = false;

/** The script of the engine: only the full one answers in sentences. */
function engineOf(element) {
  return isOn(element, "answer") && !isAlone ? FULL : "./core.js";
}

/** The full engine, or nothing where a site has the core alone: it is searched without answers. */
async function fullEngine() {
  try {
    return await loaded("index.js", () => import("./index.js"));
  } catch (error) {
    await core(); // Fails too where the connection does, and the next attempt asks for both.
    isAlone = true;
    console.warn("knarr-search: no answers, since index.js is not beside the element's script. “npx knarr init SITE --answers” puts it there.", error);
  }
}

const core = () => loaded("core.js", () => import("./core.js"));

/**
 * A script beside this one. Firefox answers each import of an address with the failure of the first one, so the script is
 * fetched first, into the cache that the import takes it from. Chromium asks anew by itself; WebKit would, too, and only
 * loads it earlier so. A bundler's script lies elsewhere: that this one is missing says nothing.
 */
async function loaded(name, load) {
  const address = import.meta.url?.replace(/[^/]*$/, name);
  if (!navigator.userAgentData && /^http/.test(address)) {
    const response = await fetch(address);
    await response.arrayBuffer();
    if (response.status >= 500) throw new Error(`${address}: ${response.status}`);
  }
  return load();
}
