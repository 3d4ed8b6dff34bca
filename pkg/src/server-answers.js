/** A server's answers in the shapes of this package, whichever version wrote them. Wrong shapes are `BAD_RESPONSE`. */

import { KnarrError } from "./errors.js";

const LISTS = { memories: "memory", resources: "resource", skills: "skill" };
const SIDECAR = /\/\.(abstract|overview)\.md$/;

/** Share of an excerpt's characters that stands before the first match. */
const LEAD = 0.25;

/** Relations of a result. */
const RELATIONS = 5;

/** The directory that a hit's URI with a sidecar's name is about. */
export function withoutSidecar(uri) {
  return uri.replace(SIDECAR, "");
}

/**
 * The answer of `find`.
 *
 * @param {object} scope of `narrowed`: rows outside it are dropped, whatever the server thought, and those beyond `most`
 * @param {{ query: string, excerpts: boolean, excerpt_length: number, relations: boolean }} asked
 */
export function findResult(result, scope, asked) {
  const lists = Object.fromEntries(Object.entries(LISTS).map(([name, type]) => {
    const rows = listOf(result?.[name] ?? (isObject(result) ? [] : undefined), `result.${name}`);
    const hits = rows.map((row, i) => context(row, type, asked, scope, `result.${name}[${i}]`));
    return [name, hits.filter((hit) => within(hit, scope))];
  }));
  const found = { ...lists, total: total(lists), corrections: [], skipped: [] };
  return scope.most === undefined ? found : merged(found, scope.most);
}

/** Each context once, by its best score, best first, at most `limit` of them. */
export function merged(found, limit) {
  const best = new Map();
  for (const name of Object.keys(LISTS)) {
    for (const hit of found[name]) {
      if (!(best.get(hit.uri)?.hit.score >= hit.score)) best.set(hit.uri, { name, hit });
    }
  }
  const kept = [...best.values()].sort((a, b) => b.hit.score - a.hit.score).slice(0, limit);
  const lists = Object.fromEntries(Object.keys(LISTS).map((name) => [name, kept.filter((one) => one.name === name).map(({ hit }) => hit)]));
  return { ...found, ...lists, total: total(lists) };
}

/** The plan of a `search`; the query itself when the server made none. */
export function queryPlan(plan, query) {
  if (!isObject(plan)) {
    const queries = [{ query, context_type: null, intent: "", priority: 1 }];
    return { reasoning: "searched as asked: the server made no plan", queries };
  }
  const queries = listOf(plan.queries ?? [], "result.query_plan.queries").map((typed) => ({
    query: String(typed?.query ?? ""), context_type: typed?.context_type ?? null, intent: String(typed?.intent ?? ""),
    priority: Number.isInteger(typed?.priority) ? typed.priority : 3,
  }));
  return { reasoning: String(plan.reasoning ?? ""), queries };
}

/** Which query found what, without the traces, which no server fills in. */
export function provenance(list, scope) {
  return listOf(list ?? [], "result.provenance").map((part, i) => ({
    query: String(part?.query ?? ""),
    searched_directories: listOf(part?.searched_directories ?? [], `result.provenance[${i}].searched_directories`),
    matched_contexts: listOf(part?.matched_contexts ?? [], `result.provenance[${i}].matched_contexts`)
      .map((row) => ({
        uri: String(row?.uri), tier: row?.tier ?? "L2", context_type: row?.context_type ?? "resource",
        score: scoreOf(row?.score, `result.provenance[${i}]`), match_reason: String(row?.match_reason ?? ""),
      }))
      .filter((row) => within({ ...row, level: Number(row.tier[1]) }, scope)),
  }));
}

function context(row, type, { query, excerpts, excerpt_length, relations }, scope, place) {
  if (typeof row?.uri !== "string") bad(`${place}.uri`, "is not a string");
  const level = row.level ?? 2;
  if (![0, 1, 2].includes(level)) bad(`${place}.level`, "is not 0, 1 or 2");
  const abstract = ready(row.abstract);
  const directory = withoutSidecar(row.uri);
  const sidecar = ["/.abstract.md", "/.overview.md", ""][level];
  return {
    context_type: Object.values(LISTS).includes(row.context_type) ? row.context_type : type,
    uri: sidecar === "" ? row.uri : directory + sidecar,
    level,
    score: scoreOf(row.score, place),
    relevance: scoreOf(row.score, place),
    abstract,
    tags: Array.isArray(row.tags) ? row.tags.filter((tag) => typeof tag === "string") : [],
    title: lastSegment(directory),
    url: "",
    excerpt: excerpts ? excerpt(abstract, query, excerpt_length) : { text: "", highlights: [] },
    sections: [],
    ...(relations && Array.isArray(row.relations) ? { relations: seen(relationList(row.relations), scope) } : {}),
  };
}

/** No row outside what was asked for leaves here. */
function within({ uri, level, context_type }, scope) {
  const { levels, types } = scope;
  return levels.includes(level) && (types.length === 0 || types.includes(context_type)) && maySee(uri, scope);
}

/** False for what is another user's or peer's, or filtered out: no relation leads there either. */
function maySee(uri, { user, actor_peer, without }) {
  const [, owner, peer] = /^viking:\/\/user\/([^/]+)(?:\/peers\/([^/]+))?/.exec(uri) ?? [];
  if (user !== undefined && owner !== undefined && owner !== user) return false;
  if (actor_peer !== undefined && peer !== undefined && peer !== actor_peer) return false;
  return !without.some((base) => {
    const root = base.replace(/^\/+/, "viking://").replace(/\/+$/, "");
    return uri === root || uri.startsWith(`${root}/`);
  });
}

/** The start of the abstract, of at most `length` characters, or the part around the first of the query's words, with the words marked. */
function excerpt(abstract, query, length) {
  const words = query.match(/[\p{L}\p{N}]+/gu)?.filter((word) => word.length > 1 || /\p{Lo}/u.test(word)) ?? [];
  if (words.length === 0) return { text: abstract.slice(0, length), highlights: [] };
  const pattern = new RegExp(words.sort((a, b) => b.length - a.length).join("|"), "giu");
  const first = abstract.search(pattern);
  let start = abstract.length <= length || first <= length * LEAD ? 0 : first - Math.floor(length * LEAD);
  if (start > 0) start = abstract.lastIndexOf(" ", start) + 1 || start;
  const text = abstract.slice(start, start + length);
  return { text, highlights: [...text.matchAll(pattern)].map(({ 0: word, index }) => [index, index + word.length]) };
}

/**
 * Rows of `ls` and `tree`, depth first and directories first, each directory in the order that was asked for: old servers
 * see to none of it. Paths are below `base`.
 */
export function entries(rows, base, { sort_by = "name", sort_order = "asc" } = {}) {
  const root = base.replace(/\/+$/, "");
  const shaped = listOf(rows, "result").map((row, i) => {
    if (typeof row?.uri !== "string") bad(`result[${i}].uri`, "is not a string");
    const below = row.uri.startsWith(`${root}/`) ? row.uri.slice(root.length).replace(/^\/+/, "") : lastSegment(row.uri);
    const isDir = row.isDir === true;
    return {
      uri: row.uri, size: isDir ? 0 : sizeOf(row.size), isDir, modTime: time(row.modTime), abstract: ready(row.abstract),
      rel_path: typeof row.rel_path === "string" ? row.rel_path : below,
    };
  });
  const times = sort_by === "mtime" ? new Map(shaped.map((row) => [row.rel_path, row.modTime])) : undefined;
  return shaped.sort(inTreeOrder(times, sort_order === "desc" ? -1 : 1));
}

/** Compares rows by the first directory in which they part: by time where there are `times`, then by name. */
function inTreeOrder(times, sign) {
  return (a, b) => {
    const [left, right] = [a.rel_path.split("/"), b.rel_path.split("/")];
    const at = left.findIndex((part, i) => part !== right[i]);
    if (at < 0 || at >= right.length) return left.length - right.length;
    const isDirectory = (path, row) => at < path.length - 1 || row.isDir;
    const directoriesFirst = isDirectory(right, b) - isDirectory(left, a);
    const time = (path) => times.get(path.slice(0, at + 1).join("/")) ?? "";
    const byTime = times === undefined ? 0 : sign * compare(time(left), time(right));
    const byName = compare(left[at].toLowerCase(), right[at].toLowerCase()) || compare(left[at], right[at]);
    return directoriesFirst || byTime || (times === undefined ? sign * byName : byName);
  };
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** The answer of `stat`, with what `attrs` knows more if the server has it. */
export function statResult(result, attrs, uri) {
  if (!isObject(result)) bad("result", "is not an object");
  const isDir = result.isDir === true;
  const name = typeof result.name === "string" && result.name !== "" ? result.name : lastSegment(uri);
  const tags = attrs?.attrs?.tags;
  return {
    name, size: isDir ? 0 : sizeOf(result.size), modTime: time(result.modTime), isDir,
    count: Number.isSafeInteger(result.count) ? result.count : 0,
    context_type: Object.values(LISTS).includes(attrs?.context_type) ? attrs.context_type : contextType(uri),
    title: name, tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
  };
}

/** What a context is by its place, for servers that do not say. */
function contextType(uri) {
  if (/^viking:\/\/(user|agent)\/[^/]+\/(peers\/[^/]+\/)?memories(\/|$)/.test(uri)) return "memory";
  return /^viking:\/\/(user\/[^/]+|agent|agent\/[^/]+)\/skills(\/|$)/.test(uri) ? "skill" : "resource";
}

/** The answer of `grep`; `admits` tells whether a file is in scope where the server could not be told. */
export function grepResult(result, admits) {
  const rows = listOf(result?.matches, "result.matches").map((row, i) => {
    const { line, uri, content } = row ?? {};
    if (!Number.isSafeInteger(line) || typeof uri !== "string" || typeof content !== "string") {
      bad(`result.matches[${i}]`, "is not { line, uri, content }");
    }
    return { line, uri, content };
  });
  const matches = rows.filter(({ uri }) => admits(uri));
  const files = new Set(matches.map(({ uri }) => uri)).size;
  return {
    matches, count: matches.length,
    match_count: matches.length < rows.length ? matches.length : countOf(result.match_count, matches.length),
    files_scanned: countOf(result.files_scanned, files),
  };
}

/** The answer of `glob`. */
export function globResult(result) {
  const matches = listOf(result?.matches, "result.matches").map((row, i) => {
    const uri = typeof row === "string" ? row : row?.uri;
    if (typeof uri !== "string") bad(`result.matches[${i}]`, "is not a URI");
    return uri;
  });
  return { matches, count: matches.length };
}

/** The answer of `relations`. */
export function relationList(result) {
  return listOf(result, "result").map((row, i) => {
    if (typeof row?.uri !== "string") bad(`result[${i}].uri`, "is not a string");
    return { uri: row.uri, type: "link", reason: String(row.reason ?? ""), title: "", url: "", abstract: ready(row.abstract) };
  });
}

function seen(related, scope) {
  return related.filter(({ uri }) => maySee(uri, scope)).slice(0, RELATIONS);
}

/** A text such as a file's content. */
export function textResult(result) {
  if (typeof result !== "string") bad("result", "is not a string");
  return result;
}

/** An abstract or overview; nothing for the line that stands for one that was not written yet. */
export function ready(text) {
  return typeof text !== "string" || /^[^\n]*\[[^\]\n]* is not ready\]\s*$/.test(text) ? "" : text;
}

/** ISO 8601 in UTC with milliseconds; empty for times without a zone, which are the server's own. */
function time(given) {
  if (typeof given !== "string" || !/(Z|[+-]\d\d:?\d\d)$/.test(given)) return "";
  const ms = Date.parse(given.replace(/(\.\d{3})\d+/, "$1"));
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString();
}

function scoreOf(score, place) {
  if (score === null || score === undefined) return 0;
  if (typeof score !== "number") bad(`${place}.score`, "is not a number");
  return score;
}

function sizeOf(size) {
  return Number.isFinite(size) && size > 0 ? size : 0;
}

function countOf(count, otherwise) {
  return Number.isSafeInteger(count) ? count : otherwise;
}

function lastSegment(uri) {
  return uri.replace(/\/+$/, "").split("/").pop();
}

function total({ memories, resources, skills }) {
  return memories.length + resources.length + skills.length;
}

function listOf(value, place) {
  if (!Array.isArray(value)) bad(place, "is not a list");
  return value;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(place, what) {
  throw new KnarrError("BAD_RESPONSE", `the server's answer is not OpenViking's: ${place} ${what}`);
}
