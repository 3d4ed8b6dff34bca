/** A collection's answers in the shapes of this package. Nothing of them is markup, and a wrong shape is `BAD_RESPONSE`. */

import { cut } from "./qdrant-terms.js";
import { badAnswer } from "./qdrant-server.js";

const LISTS = { memory: "memories", resource: "resources", skill: "skills" };

/** A page's own row is read for its excerpt up to this size: a long one has sections, and an abstract. */
const MAX_READ = 8192;
/** Share of an excerpt's characters that stands before the first match. */
const LEAD = 0.25;
/** Words lighter than this share of the heaviest are not marked. */
const LIGHT = 0.1;

/**
 * The rows of an answer, best first: each the best row of its page, and sections that were found beside it.
 *
 * @param {{ rows: { id: number, score: number }[], score: number }[]} ranked
 * @param {object[]} points the rows with what they hold
 */
export function pagesOf(ranked, points) {
  const rows = new Map(points.map((point, i) => [point.id, rowOf(point, `result[${i}]`)]));
  // A row that is gone by now is left out, as if it had gone before.
  const pages = ranked.map((page) => page.rows.filter(({ id }) => rows.has(id)).map(({ id, score }) => ({ ...rows.get(id), score })));
  return pages.map((page, i) => page.map((row, j) => (j === 0 ? { ...row, best: ranked[i].score } : row))).filter((page) => page.length > 0);
}

/** Numbers of short pages' own rows where no section was found: their texts are not here yet. */
export function toRead(pages) {
  return pages.filter(([{ size }, ...others]) => others.length === 0 && size <= MAX_READ).flatMap(([{ id, text }]) => (text === undefined ? [id] : []));
}

/** Texts by number, of the points that were asked for. */
export function textsOf(points) {
  return new Map(points.map(({ id, payload }, i) => [id, textIn(payload, "text", `result[${i}]`)]));
}

/**
 * The lists of an answer.
 *
 * @param {object[][]} pages of `pagesOf`
 * @param {{ texts: Map, marks: Map<string, number>, length: number, isBare: boolean }} excerpts
 */
export function lists(pages, excerpts) {
  const found = { memories: [], resources: [], skills: [] };
  for (const rows of pages) found[LISTS[rows[0].context_type]].push(contextOf(rows, excerpts));
  return { ...found, total: pages.length };
}

/** Directories of the results, in the order of each one's best. */
export function groupsOf(pages, directories) {
  const groups = new Map();
  for (const [{ folder, page }] of pages) {
    const { title = "", abstract = "" } = directories.get(folder) ?? {};
    if (!groups.has(folder)) groups.set(folder, { uri: folder, title, abstract, results: [] });
    groups.get(folder).results.push(page);
  }
  return [...groups.values()];
}

/** A text of a point; refused where it is none. */
export function textIn(payload, key, place) {
  const value = payload?.[key];
  if (typeof value !== "string") badAnswer(`${place}.payload.${key}`, "is not a text");
  return value;
}

/** ISO 8601 in UTC with milliseconds; empty where the point has no time. */
export function timeOf(seconds) {
  const time = new Date(Number.isFinite(seconds) ? seconds * 1000 : NaN);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}

export const tagsOf = ({ tags }) => (Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : []);

export const typeOf = ({ type }) => (Object.hasOwn(LISTS, type) ? type : "resource");

function rowOf({ id, payload }, at) {
  const text = (key) => textIn(payload, key, at);
  const uri = text("uri");
  if (!uri.startsWith("viking://")) badAnswer(`${at}.payload.uri`, "is not a viking:// URI");
  const { place, size } = payload;
  if (!Number.isInteger(place) || place < 0) badAnswer(`${at}.payload.place`, "is not a place in a page");
  const [page, anchor = ""] = split(uri);
  const url = safe(text("url"));
  const ending = `#${anchor}`;
  return {
    id, place, text: typeof payload.text === "string" ? payload.text : undefined, size: Number.isFinite(size) ? size : 0, uri, page, anchor, url,
    pageUrl: anchor !== "" && url.endsWith(ending) ? url.slice(0, -ending.length) : url,
    title: text("title"), section: text("section"), abstract: text("abstract"), folder: text("folder"),
    tags: tagsOf(payload), context_type: typeOf(payload), language: text("language"), version: text("version"),
  };
}

/** The page, and the anchor behind the first `#`. */
function split(uri) {
  const at = uri.indexOf("#");
  return at < 0 ? [uri] : [uri.slice(0, at), uri.slice(at + 1)];
}

/** An address that a link may have; nothing for one of another scheme, such as `javascript:`. */
function safe(url) {
  try {
    return /^https?:$/.test(new URL(url, "https://site.invalid/").protocol) ? url : "";
  } catch {
    return "";
  }
}

function contextOf(rows, { texts, marks, length, isBare }) {
  const [best] = rows;
  const textOf = (row) => row?.text ?? texts.get(row?.id);
  const excerptOf = (row) => (isBare ? { text: "", highlights: [] } : excerpt(textOf(row) ?? best.abstract, marks, length));
  const sections = rows.filter(({ place }) => place > 0).map((row) => ({
    uri: row.uri, title: row.section || row.title, anchor: row.anchor, url: row.url,
    score: best.score > 0 ? Math.min(1, row.score / best.score) : 0, excerpt: excerptOf(row),
  }));
  return {
    context_type: best.context_type, uri: best.page, level: 2, score: best.best, relevance: best.best, abstract: best.abstract,
    tags: best.tags, title: best.title, url: best.pageUrl,
    ...(best.language !== "" && { lang: best.language }), ...(best.version !== "" && { version: best.version }),
    excerpt: excerptOf(rows.find(textOf)), sections: isBare ? sections.filter(({ anchor }) => anchor !== "") : sections,
  };
}

/** The part of a text with the heaviest words, of at most `length` characters, and where they stand in it. */
export function excerpt(whole, marks, length) {
  const text = whole.replace(/\s+/g, " ").trim();
  const heaviest = Math.max(0, ...marks.values());
  const found = cut(text)
    .filter(({ term, kind }) => kind !== "part" && (marks.get(term) ?? 0) > heaviest * LIGHT)
    .map(({ term, start, end }) => ({ term, start, end, weight: marks.get(term) }));
  const from = windowOf(found, length);
  let start = text.length <= length || from <= length * LEAD ? 0 : from - Math.floor(length * LEAD);
  if (start > 0) start = text.lastIndexOf(" ", start) + 1 || start;
  const end = text.length <= start + length ? text.length : Math.max(text.lastIndexOf(" ", start + length), start + length * LEAD);
  const shown = found.filter((one) => one.start >= start && one.end <= end);
  return { text: text.slice(start, end), highlights: joined(shown.map((one) => [one.start - start, one.end - start])) };
}

/** Where a window of this length begins that has the most of the question, each word once. */
function windowOf(found, length) {
  let best = { sum: 0, from: 0 };
  for (const { start } of found) {
    const inside = found.filter((one) => one.start >= start && one.end <= start + length * (1 - LEAD));
    const heaviest = new Map(inside.map(({ term, weight }) => [term, weight]));
    const sum = [...heaviest.values()].reduce((a, b) => a + b, 0);
    if (sum > best.sum) best = { sum, from: start };
  }
  return best.from;
}

/** Ranges that touch as one: bigrams overlap. */
function joined(ranges) {
  const all = [];
  for (const [start, end] of ranges) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
