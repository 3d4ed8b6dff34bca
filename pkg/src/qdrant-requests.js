/**
 * The options of `find` as a collection takes them. What narrows is sent or refused, and never left out; what only steers
 * the ranking or adds to the answer is left out and named in `skipped`. docs/QDRANT.md has the table.
 */

import { invalid, KnarrError } from "./errors.js";
import { checkedFilter } from "./server-filter.js";
import { contextTypes, UNSERVED } from "./server-requests.js";

/** Pages of each list that a question of both brings together, as in the engine; more where more are shown. */
const DEPTH = 100;
/** Results that a question can go through. */
const MAX_SHOWN = 1000;
/** Rows of a page that a list alone brings: the best, and sections beside it. Of two lists each brings its best one. */
const ROWS_OF_A_PAGE = 3;
/** What an answer is made of, besides texts. */
export const PAYLOAD = ["uri", "url", "title", "section", "abstract", "tags", "type", "language", "version", "folder", "place", "size"];

/** Served here, though no OpenViking server does. */
const SERVED = ["lang", "version", "alpha", "group"];

const LAST_MS = 253_402_300_799_999;

/** A condition that a field has one of some values. */
export const any = (key, values) => ({ key, match: { any: values } });
export const is = (key, value) => ({ key, match: { value } });

/**
 * Proves the options, and says how the collection is asked.
 *
 * @param {object} options of `find`, their kinds proved
 * @param {object} about of the collection
 */
export function narrowed(options, about) {
  refuse(options);
  const limit = options.node_limit ?? options.limit ?? 10;
  const offset = options.offset ?? 0;
  if (limit + offset > MAX_SHOWN) throw invalid(`limit and offset are ${limit + offset} results, and a collection shows ${MAX_SHOWN}: narrow the question`);
  const skipped = omitted(options);
  const alpha = options.alpha ?? about.alpha;
  if (!(alpha >= 0 && alpha <= 1)) throw invalid("option alpha is not in [0, 1]");
  if (options.vector && options.vector.length !== about.dims) {
    throw invalid(`the query vector has ${options.vector.length} dimensions, this collection's have ${about.dims}`);
  }
  if (options.score_threshold !== undefined && options.score_threshold !== null && alpha < 1) {
    throw unserved("score_threshold is of relevances, which only a question by vector has", "ask with alpha: 1, or leave it out");
  }
  const must = [
    ...targets(options.target_uri), ...times(options), ...filters(options.filter),
    ...(options.tags ?? []).map((tag) => any("tags", [...new Set([tag, tag.toLowerCase()])])),
  ];
  const types = contextTypes(options.context_type);
  if (types.length > 0) must.push(any("type", types));
  return { limit, offset, alpha, must, variants: variants(options, about, skipped), skipped };
}

/**
 * The body of one list of a question: numbers of pages and rows with their scores, of which few are shown.
 *
 * @param {object | number[]} query the words, or the vector
 * @param {"sparse" | "dense"} using
 */
export function listBody(query, using, { limit, offset, must, score_threshold, isAlone }) {
  const wanted = isAlone ? limit + offset : Math.max(DEPTH, limit + offset);
  const body = { query, using, group_by: "page", group_size: isAlone ? ROWS_OF_A_PAGE : 1, limit: wanted, with_payload: ["place"] };
  if (must.length > 0) body.filter = { must };
  if ((score_threshold ?? null) !== null) body.score_threshold = score_threshold;
  return body;
}

/** What narrows, and no field of the rows tells. */
function refuse({ level, user, actor_peer, peer_id, hybrid }) {
  const levels = [level ?? []].flat().flatMap((item) => String(item).split(",")).map((item) => item.trim()).filter(Boolean);
  if (levels.some((item) => !["0", "1", "2"].includes(item))) throw invalid("level is 0 (abstract), 1 (overview) or 2 (content)");
  if (levels.some((item) => item !== "2")) throw unserved("directories have no vectors in a collection", "leave out level, or set it to 2");
  if ((user ?? actor_peer ?? peer_id ?? null) !== null) throw unserved("a collection knows no users", "leave out user, actor_peer and peer_id, or name their directory as target_uri");
  if ((hybrid?.access ?? null) !== null) throw unserved("hybrid.access is not asked of a collection", "narrow by tags or a filter");
}

function unserved(what, remedy) {
  return new KnarrError("UNIMPLEMENTED", `${what}: ${remedy}`);
}

function omitted(options) {
  const isAsked = (name) => options[name] !== undefined && !UNSERVED[name].includes(options[name]);
  const names = Object.keys(UNSERVED).filter((name) => !SERVED.includes(name) && isAsked(name));
  if (options.relations) names.push("relations");
  if (options.telemetry?.summary ?? options.telemetry) names.push("telemetry");
  return names.map((name) => ({ step: name, reason: `a Qdrant collection has no option ${name}` }));
}

function targets(target_uri) {
  const uris = [target_uri ?? []].flat().filter((uri) => !["", "/", "viking://"].includes(uri)).map(directoryUri);
  return uris.length > 0 ? [below(uris)] : [];
}

/** A URI without the slash at its end. */
export function directoryUri(uri) {
  if (/^viking:\/\/~|\{calendar:|^viking:\/\/user\/(memories|resources|skills)(\/|$)/.test(uri)) {
    throw unserved(`${uri} is a short form, and a collection knows neither users nor the date`, "write the whole URI");
  }
  const full = uri.startsWith("/") ? `viking:/${uri}` : uri;
  if (!full.startsWith("viking://")) throw new KnarrError("INVALID_URI", `${uri} is not a URI: write viking://…`);
  return full === "viking://" ? full : full.replace(/\/+$/, "").replace(/#.*$/, "");
}

/** At these URIs, or below them. */
const below = (uris) => ({ should: [any("file", uris), any("parents", uris)] });

/** The period in seconds since 1970, both ends inclusive. */
function times({ since, until, time_field = "updated_at", now }) {
  const gte = (since ?? null) === null ? undefined : bound("since", since, 0, now);
  const lte = (until ?? null) === null ? undefined : bound("until", until, 86_399_999, now);
  if (gte === undefined && lte === undefined) return [];
  if (gte > lte) throw invalid("since is later than until: no time is in between");
  const seconds = (ms) => (ms === undefined ? {} : Math.floor(ms / 1000));
  const range = { ...(gte !== undefined && { gte: Math.ceil(gte / 1000) }), ...(lte !== undefined && { lte: seconds(lte) }) };
  return [{ key: time_field, range }];
}

/** One end: `2h` before now, a date (its first or last millisecond), or an instant. */
function bound(name, given, rest, now) {
  const text = given.trim();
  const [, count, unit] = /^(\d+)\s*([smhdw])$/.exec(text) ?? [];
  if (unit !== undefined) return (now ?? Date.now()) - count * { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }[unit];
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isInstant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text);
  const zoned = /(Z|[+-]\d\d(:?\d\d)?)$/i.test(text.slice(11)) ? text : `${text}Z`;
  const ms = isDate ? Date.parse(`${text}T00:00Z`) : isInstant ? Date.parse(zoned.replace(" ", "T")) : NaN;
  if (Number.isNaN(ms) || Math.abs(ms) > LAST_MS || (isDate && !new Date(ms).toISOString().startsWith(text))) {
    throw invalid(`option ${name} is not a time: write 2h, 7d, 2026-03-11 or 2026-03-11T18:00Z`);
  }
  return isDate ? ms + rest : ms;
}

function filters(given) {
  const filter = checkedFilter(given);
  return filter === undefined ? [] : [condition(filter)];
}

const FIELDS = { tags: "tags", search_tags: "tags", context_type: "type", created_at: "created_at", updated_at: "updated_at" };

/** A filter as Qdrant writes it. */
function condition({ op, field, conds, para, ...bounds }) {
  if (op === "and") return { must: conds.map(condition) };
  if (op === "or") return { should: conds.map(condition) };
  const isRange = op.endsWith("range") || op === "range_out";
  const key = FIELDS[field];
  if ((op !== "must" && op !== "must_not" && !isRange) || para || (key === undefined && field !== "uri") || isRange !== field.endsWith("_at")) {
    throw unserved(`a collection has no filter ${op} on ${field}`, "filter by must, must_not on uri, tags and context_type, or by a range of created_at and updated_at");
  }
  if (isRange) return rangeOf(key, op, bounds);
  const holds = field === "uri"
    ? below(conds.map(directoryUri))
    : any(key, [...new Set(conds.flatMap((value) => [value, value.toLowerCase()]))]);
  return op === "must" ? { must: [holds] } : { must_not: [holds] };
}

/** Bounds of times: a row without the time passes neither inside nor outside. */
function rangeOf(key, op, { gte, gt, lte, lt }) {
  const seconds = (value) => (typeof value === "number" ? value : Date.parse(value)) / 1000;
  const lower = gte !== undefined ? { gte: seconds(gte) } : gt !== undefined ? { gt: seconds(gt) } : {};
  const upper = lte !== undefined ? { lte: seconds(lte) } : lt !== undefined ? { lt: seconds(lt) } : {};
  if (op !== "range_out") return { must: [{ key, range: { ...lower, ...upper } }] };
  const opposite = { gte: "lt", gt: "lte", lte: "gt", lt: "gte" };
  const outside = Object.entries({ ...lower, ...upper }).map(([name, value]) => ({ key, range: { [opposite[name]]: value } }));
  return { should: outside };
}

/** Conditions for the languages and versions wanted; the site's own where none is, and none on a site of one. */
function variants({ lang, version }, about, skipped) {
  const wanted = [
    { step: "lang", key: "language", named: lang, has: about.languages, own: about.language, isIt: isLanguage },
    { step: "version", key: "version", named: version, has: about.versions, own: about.version, isIt: (a, b) => a.toLowerCase() === b.toLowerCase() },
  ];
  return wanted.flatMap(({ step, key, named, has, own, isIt }) => {
    const tags = [named ?? []].flat().filter(Boolean);
    if (has.length === 0 || tags.includes("*")) return [];
    const there = has.filter((one) => tags.some((tag) => isIt(one, tag)));
    if (tags.length > 0 && there.length === 0 && own !== "") skipped.push({ step, reason: `no page is in it: searched is ${own}` });
    const values = there.length > 0 ? there : has.filter((one) => own !== "" && isIt(one, own));
    return values.length > 0 ? [{ step, condition: any(key, [...values, ""]) }] : [];
  });
}

/** `pt` and `pt-BR` are one. */
function isLanguage(a, b) {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  return one === other || one.startsWith(`${other}-`) || other.startsWith(`${one}-`);
}
