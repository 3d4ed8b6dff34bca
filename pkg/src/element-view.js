/**
 * The nodes of `<knarr-search>`. Texts of the bundle enter as text nodes and addresses as checked URLs: no markup of a
 * page is ever parsed.
 */

import { fill, kindName, languageNames } from "./element-strings.js";

const SVG = "http://www.w3.org/2000/svg";

/** Outlines on a 24 × 24 grid. */
const ICONS = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 4 4",
  page: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  section: "M9 4 7 20M17 4l-2 16M4 9h16M4 15h16",
  related: "M5 4v9a3 3 0 0 0 3 3h11m-4-4 4 4-4 4",
  recent: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 4v4l3 2",
  clear: "M6 6l12 12M18 6 6 18",
  enter: "M19 6v6H6m4-4-4 4 4 4",
  alert: "M12 4 3 20h18zM12 10v4m0 3v.01",
};

/**
 * An element with properties and children; strings become text nodes. A function in the place of either gives a text that
 * `retell` asks for again.
 */
export function node(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") tell(element, () => put(element, name, value()));
    else if (value !== undefined) put(element, name, value);
  }
  element.append(...children.map((child) => (typeof child === "function" ? textOf(child) : child)));
  return element;
}

function put(element, name, value) {
  if (name in element && name !== "role" && name !== "part") element[name] = value;
  else element.setAttribute(name.replace(/^aria\B/, "aria-"), value); // Firefox has no properties of these before 119.
}

function textOf(text) {
  const told = document.createTextNode("");
  tell(told, () => (told.data = text()));
  return told;
}

function tell(node, say) {
  (node.knarrSays ??= []).push(say);
  say();
}

/** Says everything below `root` anew, since the strings have changed. No node is replaced: focus, caret and place stay. */
export function retell(root) {
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) nodes.currentNode.knarrSays?.forEach((say) => say());
}

/** A decorative icon. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon ${name}`);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Text with `<mark>`s around half-open ranges of UTF-16 units, as the engine gives them. */
export function marked(text, ranges) {
  const parts = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start < at || end <= start || end > text.length) continue;
    parts.push(...breakable(text.slice(at, start)), node("mark", {}, ...breakable(text.slice(start, end))));
    at = end;
  }
  return [...parts, ...breakable(text.slice(at))];
}

/** An excerpt with its marks, and its lines of code as such. */
export function passage({ text, highlights, code = [] }) {
  const cut = (from, to) => {
    const within = highlights.filter(([start, end]) => start >= from && end <= to);
    return marked(text.slice(from, to), within.map(([start, end]) => [start - from, end - from]));
  };
  const parts = [];
  let at = 0;
  for (const [start, end] of code) {
    if (start < at || end <= start || end > text.length) continue;
    parts.push(...cut(at, start), node("code", { part: "code" }, ...cut(start, end)));
    at = end;
  }
  return [...parts, ...cut(at, text.length)];
}

/** A text whose long names and paths are broken where their parts begin, and not within a word. */
function breakable(text) {
  return text.split(/(?<=[\p{L}\p{N}](?:[._/]|::))(?=[\p{L}\p{N}])/u).flatMap((part, at) => (at > 0 ? [node("wbr"), part] : part ? [part] : []));
}

/** Where words of a query start words of a title, or parts of a name in it. Display only, so plain case folding is enough. */
export function titleRanges(title, query) {
  const folded = title.toLowerCase();
  if (folded.length !== title.length) return [];
  const words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 1);
  const ranges = [];
  for (const { index } of folded.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}_]/gu)) {
    const longest = Math.max(0, ...words.filter((word) => folded.startsWith(word, index)).map((word) => word.length));
    if (longest > 0) ranges.push([index, index + longest]);
  }
  return ranges;
}

/**
 * What titles mark of a question: its words and the forms of them that excerpts mark; of a sentence not its short words,
 * unless an excerpt marks them, which the engine does where they say something.
 */
export function wordsToMark(query, results, corrections) {
  const words = query.split(/\s+/);
  const excerpts = results.flatMap((result) => [result, ...result.sections]).map(({ excerpt }) => excerpt);
  const found = excerpts.flatMap(({ text, highlights }) => highlights.map(([start, end]) => text.slice(start, end).toLowerCase()));
  const isMeant = (word) => words.length < 4 || word.length > 4 || found.some((text) => text.startsWith(word.toLowerCase()));
  return [...new Set([...words.filter(isMeant), ...found, ...corrections.map(([, as]) => as)])].join(" ");
}

/** The address of a result, or nothing when the bundle names a scheme that a link must not have. */
export function address(url, base) {
  try {
    const root = new URL(base, document.baseURI);
    const resolved = new URL(url.replace(/^[/\\]{2,}/, "/"), root); // One of no host is of this one.
    return resolved.protocol === root.protocol || /^https?:$/.test(resolved.protocol) ? resolved.href : undefined;
  } catch {
    return undefined;
  }
}

/** The rows of an answer (of a bare one, abstracts stand where excerpts will): per page a group, in it the page and its best sections, each a link and an option. */
export function resultGroups(results, { query, base, sections, strings, isBare = false }) {
  return results.map((result) => {
    const hits = result.sections.filter(({ anchor }) => anchor !== "").slice(0, sections);
    const told = hits.some(({ excerpt }) => excerpt.text === result.excerpt.text);
    const rows = [
      row(result, { query, base, kind: "page", strings, crumbs: crumbsOf(result), excerpt: told ? "" : isBare ? result.abstract : undefined }),
      ...hits.map((hit) => row(hit, { query, base, kind: "section", strings, result })),
    ];
    return node("div", { role: "group", className: "group", part: "group", ariaLabel: result.title }, ...rows);
  });
}

/**
 * The same rows under the directories that they lie in; what no directory names stands at the end. A directory that is its
 * page alone needs no title over the same title: only a line, where it would seem to lie in the one above.
 */
export function directoryGroups(results, groups, view) {
  const of = new Map(groups.flatMap((group) => group.results.map((uri) => [uri, group])));
  let below = false;
  return [...groups, undefined].flatMap((group) => {
    const own = results.filter(({ uri }) => of.get(uri) === group);
    if (own.length === 0) return [];
    const isTitled = group !== undefined && !(own.length === 1 && own[0].title === group.title);
    const heading = isTitled
      ? [node("div", { className: "heading", part: "directory", role: "presentation", title: group.abstract }, group.title)]
      : below ? [node("div", { className: "rule", role: "presentation" })] : [];
    below = isTitled;
    return [...heading, ...resultGroups(own, view)];
  });
}

/**
 * The titles above a page. The first page of a folder has none, and often the title that the first page of each book has:
 * the folder's name tells them apart, unless it is the title once more, that of a post below its year, or one of those
 * that say nothing of their pages.
 */
export function crumbsOf({ uri, title, crumbs = [], lang, version }) {
  const [, folder] = /^viking:\/\/resources\/[^/]+\/(?:[^/]+\/)*(?<!\/\d{4}\/(?:\d\d\/)*)([^/]+)\/(?:index|readme|_index)\.[^/]*$/i.exec(uri) ?? [];
  if (crumbs.length > 0 || !folder || [lang, version, "docs", "latest", "stable", "src", "public"].includes(folder)) return crumbs;
  const words = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const name = folder.replace(/[-_]+/g, " ").trim();
  return words(folder) === words(title) ? [] : [name.charAt(0).toUpperCase() + name.slice(1)];
}

/** The other languages that a page was found in. Its other versions say the same: nobody chooses one. */
export function otherLanguages({ lang, also = [] }) {
  return [...new Set(also.map((other) => other.lang).filter((other) => other && other !== lang))];
}

/** A row: a link that is an option. */
export function row(hit, { query, base, kind, strings, crumbs = [], excerpt = hit.excerpt.text, result = hit }) {
  const shown = excerpt === hit.excerpt.text ? hit.excerpt : { text: excerpt, highlights: [] };
  const languages = otherLanguages(hit);
  const definition = hit.tags?.find((tag) => tag.startsWith("kind="))?.slice("kind=".length);
  const title = node("span", { className: "title", part: "title" }, ...marked(hit.title, titleRanges(hit.title, query)));
  const kindOf = () => (definition ? [kindName(strings, definition)] : []);
  const others = () => (languages.length > 0 ? [fill(strings.also, { languages: languageNames(strings, languages) })] : []);
  const place = kind === "section" ? [result.title] : crumbs;
  const link = node(
    "a",
    { role: "option", part: `result ${kind}`, className: `row ${kind}`, tabIndex: -1, ariaSelected: "false", "aria-description": excerpt || undefined },
    icon(kind),
    // What is seen would run on as a name, the place first, with a space wherever a line may break.
    node("span", { className: "unseen" }, () => [hit.title, ...kindOf(), ...place, ...others()].join(", ")),
    node(
      "span",
      { className: "text", ariaHidden: "true" },
      ...(crumbs.length > 0 ? [node("span", { className: "crumbs", part: "breadcrumb" }, crumbs.join(" › "))] : []),
      definition ? node("span", { className: "named" }, title, " ", node("span", { className: "kind", part: "kind" }, () => kindOf()[0])) : title,
      ...(excerpt ? [node("span", { className: "excerpt", part: "excerpt" }, ...passage(shown))] : []),
      ...(languages.length > 0 ? [node("span", { className: "crumbs", part: "also" }, () => others()[0])] : []),
    ),
    icon("enter"),
  );
  const href = address(hit.url, base);
  if (href !== undefined) link.href = href;
  link.knarrHit = { hit, result };
  return link;
}

/** The place of the row that Enter opens: the best page's, or its section's with the name that was asked for, as it was read. A reference has hundreds. */
export function namedRow(query, rows, corrections = []) {
  const words = (text) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [text]).join(" ")}`;
  const asked = words(corrections.reduce((text, [typed, as]) => text.replace(typed, as), query));
  const best = rows[0].knarrHit.result;
  const isNamed = ({ knarrHit: { hit, result } }) => {
    const name = words(hit.title);
    return result === best && (name.endsWith(asked) || asked.endsWith(words(best.title) + name));
  };
  return Math.max(rows.findIndex(isNamed), 0);
}

/**
 * Makes rows, lays them out in `place` and takes them away before they are painted: the first ones of a page cost ms more, in
 * which expressions are compiled and fonts are found.
 */
export function rehearse(strings, place) {
  const text = "a:b.c d"; // No address that a browser would fetch ahead.
  const hit = { uri: text, title: text, url: text, anchor: text, excerpt: { text, highlights: [[0, 1]] } };
  const [group] = resultGroups([{ ...hit, crumbs: [text], sections: [hit, hit] }], { query: text, sections: 2, strings });
  place.append(group);
  namedRow(text, [...group.children]);
  group.getBoundingClientRect();
  group.remove();
}

/** A list of searches to run again: recent ones, or the site's suggestions. `title` gives its name. */
export function searchList(title, searches, name) {
  const rows = searches.map((search) => {
    const option = node(
      "div",
      { role: "option", className: "row search", part: "result", ariaSelected: "false" },
      icon(name),
      node("span", { className: "text" }, node("span", { className: "title" }, search)),
      icon("enter"),
    );
    option.knarrSearch = search;
    return option;
  });
  const heading = node("div", { className: "heading", role: "presentation" }, title);
  return node("div", { role: "group", className: "group", ariaLabel: title }, heading, ...rows);
}

/** The button below the last searches, which `forget` takes away. */
export function forgetButton(strings, forget) {
  const button = node("button", { type: "button", className: "button plain" }, () => strings.forget);
  button.addEventListener("click", forget);
  return button;
}

/** What stands at the end of the rows, for those who see it; the number is announced to the others. `text` gives it. */
export function endLine(text) {
  return node("div", { className: "end", ariaHidden: "true" }, text);
}

/** The keys that work in the dialog, or in a panel. */
export function hints(strings, inline) {
  const hint = (keys, text) => node("span", { className: "hint" }, ...keys.map((key) => node("kbd", {}, key)), text);
  return [
    hint(["↑", "↓"], () => strings.navigate),
    hint(["↵"], () => strings.select),
    hint(["Esc"], () => (inline ? strings.empty : strings.close)),
  ];
}

/** While the first answer is on its way: grey rows, at later stages that it is late, and a button to try again. */
export function waitingNotes(strings, stage, retry) {
  if (stage === 0) return [skeleton()];
  const button = node("button", { type: "button", className: "button", part: "retry" }, () => strings.retry);
  button.addEventListener("click", retry);
  const words = node("p", { className: "strong" }, () => strings.slow);
  return [skeleton(), node("div", { className: "note slow", part: "note" }, words, ...(stage > 1 ? [button] : []))];
}

function skeleton() {
  const lines = Array.from({ length: 8 }, () => node("div", { className: "bone" }));
  return node("div", { className: "skeleton", ariaHidden: "true" }, ...lines);
}

/** Nothing asked yet. */
export function startNote(strings) {
  return node("div", { className: "note quiet", part: "note" }, icon("search"), node("p", {}, () => strings.start));
}

/** Nothing found. */
export function noneNote(strings, query) {
  const state = /[\p{L}\p{N}]/u.test(query) ? "none" : "signs"; // No index has signs.
  return node(
    "div",
    { className: "note", part: "note" },
    icon("search"),
    node("p", { className: "strong" }, () => fill(strings[state], { query })),
    node("p", {}, () => strings[`${state}_hint`]),
  );
}

/** What a failure is to a reader: `offline`, `unreachable`, or `error`, which no connection would repair. */
export function failureOf({ code }) {
  // A script of the package that did not arrive has no code.
  if (code !== undefined && code !== "UNAVAILABLE" && code !== "DEADLINE_EXCEEDED") return "error";
  return navigator.onLine === false ? "offline" : "unreachable";
}

/** What a site's owner is told of a failure: its message, and how to make the bundle where there is none. */
export function ownersWords({ code, message }, address) {
  if (code === "BUNDLE_MISSING" && message.includes(".pack")) {
    return `${message}. The index at ${address} is there, and not all of its files: upload its whole folder.`;
  }
  const missing = code === "BUNDLE_MISSING" || code === "BUNDLE_FORMAT";
  const isAdded = address.includes("/knarr/search");
  const command = isAdded ? "“npx knarr add SITE”" : "“npx knarr build SITE --out SITE/search”";
  const advice = `No index was found at ${address}: build the site once, if a plugin makes its index, or run ${command}.`;
  return missing ? `${message}. ${advice}` : message;
}

/** Something failed: in the reader's words, with a button to try again; the owner's words are behind "Details". */
export function errorNote(strings, error, words, retry) {
  const failure = failureOf(error);
  const button = node("button", { type: "button", className: "button", part: "retry" }, () => strings.retry);
  button.addEventListener("click", retry);
  // Whoever serves the site from their own machine is its owner.
  const open = /^(localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/.test(location.hostname);
  return node(
    "div",
    { className: "note error", part: "note error" },
    icon("alert"),
    node("p", { className: "strong" }, () => strings[failure]),
    node("p", {}, () => strings[`${failure}_hint`]),
    button,
    node(
      "details",
      { open, part: "details" },
      node("summary", {}, () => strings.details),
      node("p", {}, words),
      ...(error.code ? [node("code", {}, error.code)] : []),
    ),
  );
}

/** What the rows below a failure are. */
export function oldLine(strings, query) {
  return node("p", { className: "heading old" }, () => fill(strings.old, { query }));
}

/** Texts as one, for who hears them. */
export function sentences(texts) {
  return texts.map((text) => text.replace(/\s*[.。।۔:：]$/, "")).join(". ");
}

/** The texts of a note as one. */
export function spoken(note) {
  return sentences(Array.from(note.querySelectorAll(":scope > p"), ({ textContent }) => textContent));
}

/**
 * Lines above the results: that they are only near, or have a phrase's words apart, and what was read as other words. Over rows that are `bare`, since
 * typing goes on, nothing is said of the last word, of which half is there.
 */
export function linesAbove(strings, query, { weak, corrections, resources = [], skipped = [] }, isBare = false) {
  const words = query.split(/[^\p{L}\p{N}_]+/u).slice(0, -1);
  const told = corrections.filter(([typed]) => !isBare || words.includes(typed));
  const isApart = skipped.some(({ step }) => step === "exact_phrase");
  const isNear = isApart || (weak && !says(resources, query));
  const near = () => (isApart ? strings.apart : fill(strings.weak, { query }));
  const lines = isNear && !isBare ? [node("p", { className: "weak", part: "weak" }, near)] : [];
  return told.length > 0 ? [correctionLine(strings, query, told), ...lines] : lines; // “The nearest:” stands over the rows.
}

/** True where a row says the only word of the question: of such a word a page is about enough. */
function says(rows, query) {
  const isWord = /^[\p{L}\p{N}_.-]+$/u.test(query.trim()) && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(query);
  return isWord && rows.some(({ excerpt, sections }) => [excerpt, ...sections.map((section) => section.excerpt)].some(({ highlights }) => highlights.length > 0));
}

/** "Showing results for …", with the corrected words marked. */
function correctionLine(strings, query, corrections) {
  const read = new Map(corrections);
  const words = query.split(/([^\p{L}\p{N}_]+)/u);
  const parts = words.map((word) => {
    const as = read.get(word);
    return as === undefined ? word : node("b", {}, as);
  });
  const known = parts.some((part) => typeof part !== "string");
  const shown = known ? parts : corrections.map(([typed, as]) => `${typed} → ${as} `);
  return node("p", { className: "corrected", part: "corrected" }, () => `${strings.corrected} `.replace("： ", "："), node("bdi", {}, ...shown));
}
