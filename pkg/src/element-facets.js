/** The filters of `<knarr-search facets>`: a drop-down for each key of tags. */

import { showImages } from "./element-images.js";
import { dress } from "./element-more-style.js";

/** Pages that are listed without a question, as a multiple of those that are shown for one. */
const LISTED = 3;

/** English; the other languages have these in their files. */
const ENGLISH = { filters: "Filters", all: "All", clear_filters: "Clear filters" };

/** The bar of each element. */
const bars = new WeakMap();

/** What each element asked for last: an answer that comes after a later one is not shown. */
const turns = new WeakMap();

/**
 * Shows the filters of an element over its rows, with the number of pages that the `query` has for each value. What was
 * chosen is the attribute `tags`, so that a page can read and set it.
 */
export async function showFacets(element, knarr, query, { tags, ...options }, view) {
  const turn = {};
  turns.set(element, turn);
  const keys = keysOf(element);
  const count = async (text, facets, tags) => (await knarr.find(text, { ...options, tags, facets, limit: 0, answer: undefined })).facets ?? [];
  // Of a key with a choice, the other values are those that the other choices leave.
  const [open, closed] = [false, true].map((isClosed) => keys.filter((key) => tags.some((tag) => keyOf(tag) === key) === isClosed));
  const lists = query === "" && tags.length === 0 ? [] : [[open, tags], ...closed.map((key) => [[key], besides(tags, [key])])];
  const asked = lists.filter(([keys]) => keys.length > 0).map(([keys, tags]) => count(query, keys, tags));
  const [known, ...counted] = await Promise.all([count("", keys, besides(tags, keys)), ...asked]);
  const isLast = () => turns.get(element) === turn;
  if (!isLast()) return;
  const numbers = counted.flat();
  const facets = keys.flatMap((key) => {
    const counts = numbers.find((facet) => facet.key === key)?.values.map(({ value, count }) => [value, count]);
    return known.filter((facet) => facet.key === key).map((facet) => ({ ...facet, counts: new Map(counts) }));
  });
  draw(element, facets, tags, view);
  const chosen = tags.find((tag) => facets.some(({ key }) => key === keyOf(tag)));
  if (query === "" && chosen) await listPages(element, knarr, { ...options, tags, facets: [keyOf(chosen)] }, chosen, isLast, view);
}

/** Without a question, the pages that the choice leaves, in the order of the site, and how many they are. */
async function listPages(element, knarr, options, chosen, isLast, view) {
  const { above, list, note, input, live, base, strings, counted, endLine, row } = view;
  const { resources, memories, skills, facets } = await knarr.find("", { ...options, limit: LISTED * options.limit, answer: undefined, group: undefined });
  const pages = [...resources, ...memories, ...skills];
  if (!isLast() || input.value.trim() !== "" || pages.length === 0) return;
  const all = facets?.[0]?.values.find(({ value }) => value === valueOf(chosen))?.count ?? pages.length;
  const told = () => counted(strings, "count", all);
  const of = (hit) => row({ ...hit, excerpt: { text: hit.abstract, highlights: [] } }, { query: "", base, kind: "page", strings, crumbs: hit.crumbs });
  above.replaceChildren();
  note.replaceChildren();
  list.replaceChildren(...pages.map(of), endLine(told));
  list.hidden = false;
  input.setAttribute("aria-expanded", "true");
  const rows = Array.from(list.querySelectorAll("[role=option]"));
  rows.forEach((row, at) => (row.id = `row-${at}`));
  if ((element.getAttribute("images") ?? "false") !== "false") showImages(rows, view);
  live.textContent = told();
}

/** The keys that the attribute names, in lower case as the engine has them. */
function keysOf(element) {
  return (element.getAttribute("facets") ?? "").split(",").map((key) => key.trim().toLowerCase()).filter(Boolean);
}

function keyOf(tag) {
  return tag.split("=", 1)[0].trim().toLowerCase();
}

function valueOf(tag) {
  return tag.slice(tag.indexOf("=") + 1).trim().toLowerCase();
}

/** The tags of other keys. */
function besides(tags, keys) {
  return tags.filter((tag) => !keys.includes(keyOf(tag)));
}

function draw(element, facets, tags, view) {
  const { group, clear, selects } = barOf(element, view);
  group.hidden = facets.length === 0;
  for (const [key, { label }] of selects) if (!facets.some((facet) => facet.key === key)) (label.remove(), selects.delete(key));
  for (const facet of facets) {
    if (!selects.has(facet.key)) selects.set(facet.key, selectOf(element, facet, view));
    const { label, select } = selects.get(facet.key);
    if (!label.isConnected) clear.before(label); // One that is moved would lose the focus.
    const tag = tags.find((tag) => keyOf(tag) === facet.key);
    fill(select, facet, tag ? valueOf(tag) : "", view);
  }
  clear.hidden = !tags.some((tag) => selects.has(keyOf(tag)));
}

/** The bar over the notes and rows, made once for each panel. */
function barOf(element, { above, node, strings }) {
  const before = bars.get(element);
  if (before?.group.isConnected) return before;
  const group = node("div", { role: "group", className: "facets", part: "facets", ariaLabel: () => strings.filters ?? ENGLISH.filters });
  const clear = node("button", { type: "button", className: "button plain" }, () => strings.clear_filters ?? ENGLISH.clear_filters);
  const selects = new Map();
  clear.addEventListener("click", () => {
    group.querySelector("select").focus(); // The button goes.
    choose(element, (tags) => besides(tags, [...selects.keys()]));
  });
  // Keys are the drop-down's, but for the one that closes the dialog.
  group.addEventListener("keydown", (event) => event.key === "Escape" || event.stopPropagation());
  group.append(clear);
  above.before(group);
  dress(above);
  const made = { group, clear, selects };
  bars.set(element, made);
  return made;
}

function selectOf(element, { key, label: written }, { node, strings }) {
  const name = () => strings.facets?.[key] ?? written.charAt(0).toUpperCase() + written.slice(1);
  const select = node("select", { part: "facet-choice" });
  const label = node("label", { className: "facet", part: "facet" }, node("span", {}, name), select);
  select.addEventListener("change", () => {
    choose(element, (tags) => [...besides(tags, [key]), ...(select.value === "" ? [] : [`${key}=${select.value}`])]);
  });
  return { label, select };
}

/** The values, as the alphabet has them, each with its number where the question's words are on pages with it. */
function fill(select, { key, values, counts }, chosen, { node, strings, kindName }) {
  const name = ({ value, label }) => strings.facets?.[`${key}=${value}`] ?? (key === "kind" ? kindName(strings, label) : label);
  const shown = values.filter(({ value }) => value === chosen || counts.size === 0 || counts.has(value));
  if (chosen !== "" && !shown.some(({ value }) => value === chosen)) shown.push({ value: chosen, label: chosen });
  shown.sort((a, b) => name(a).localeCompare(name(b), undefined, { numeric: true }));
  const option = (value) => node("option", { value: value.value }, () => (counts.has(value.value) ? `${name(value)} (${counts.get(value.value)})` : name(value)));
  select.replaceChildren(node("option", { value: "" }, () => strings.all ?? ENGLISH.all), ...shown.map(option));
  select.value = chosen;
  select.classList.toggle("chosen", chosen !== "");
}

/** Sets the attribute, which asks the question again. */
function choose(element, change) {
  const tags = change((element.getAttribute("tags") ?? "").split("|").filter((tag) => tag.trim() !== ""));
  if (tags.length > 0) element.setAttribute("tags", tags.join("|"));
  else element.removeAttribute("tags");
}
