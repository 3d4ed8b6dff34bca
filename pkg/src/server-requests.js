/**
 * The package's options as a server of a given version takes them.
 *
 * An option that narrows what may be found is sent, done here, or refused: never left out. One that steers the ranking
 * or adds to the answer, and that no server has, is left out and named in `skipped`. docs/OPENVIKING.md has the table.
 */

import { invalid, KnarrError } from "./errors.js";
import { checkedFilter, excluded } from "./server-filter.js";

/** Since which version a server knows a thing, by the published packages. */
const SINCE = {
  exclude_uri: [0, 3, 3], level_limit: [0, 3, 4], since: [0, 3, 9], targets: [0, 3, 13], level: [0, 3, 17],
  context_type: [0, 4, 1], actor_peer: [0, 4, 1], tags: [0, 4, 3], attrs: [0, 4, 7],
};

/** The first version without relations. */
const NO_RELATIONS = [0, 4, 16];

/** More rows than wanted, for servers that mix the levels: rows of directories crowd out files there. */
const OVER = 4;
const OVER_LEAST = 20;

const TYPES = ["memory", "resource", "skill"];

const whole = [(value) => Number.isSafeInteger(value) && value >= 0, "a whole number from 0"];
const integer = [Number.isSafeInteger, "a whole number"];
const number = [(value) => typeof value === "number" && Number.isFinite(value), "a number"];
const text = [(value) => typeof value === "string", "a string"];
const truth = [(value) => typeof value === "boolean", "true or false"];
const texts = [(value) => Array.isArray(value) && value.every((item) => typeof item === "string"), "a list of strings"];
const textOrTexts = [(value) => text[0](value) || texts[0](value), "a string"];
const levels = [(value) => typeof value === "object" || typeof value === "number" || typeof value === "string", "a level from 0 to 2, or a list of them"];
const numbers = [(value) => typeof value?.length === "number", "a list of numbers"];
const summary = [
  (value) => typeof value === "boolean"
    || (typeof value === "object" && Object.entries(value ?? {}).every(([name, is]) => name === "summary" && [true, false, undefined].includes(is))),
  "true, false or {summary: true}",
];
const object = [(value) => typeof value === "object", "a plain object"];
const oneOf = (...choices) => [(value) => choices.includes(value), `one of ${choices.join(", ")}`];
/** May be null, which is as if it were not given. */
const optional = ([test, wanted]) => [(value) => value === null || test(value), wanted];

// begin OPTIONS
const OPTIONS = {
  find: {
    target_uri: textOrTexts, limit: whole, offset: whole, score_threshold: optional(number), level: levels,
    mode: oneOf("auto", "quick", "thinking"), preset: oneOf("classic", "classic+leaves", "current"),
    score_propagation_alpha: optional(number), max_convergence_rounds: optional(whole),
    global_search_topk: optional(whole), walk_scores: object, filter: object, tags: texts, context_type: textOrTexts,
    since: optional(text), until: optional(text), time_field: oneOf("updated_at", "created_at"), user: optional(text),
    actor_peer: optional(text), peer_id: optional(text), node_limit: optional(whole), now: optional(integer),
    utc_offset_minutes: integer, alpha: optional(number), vector: optional(numbers), graph: optional(number),
    hotness_weight: number, hybrid: object, sort: optional(text), facets: texts, group: oneOf("none", "directory"),
    answer: truth, answer_threshold: number, explain: truth, trace: truth, telemetry: summary,
    include_provenance: truth, relations: truth, lang: textOrTexts, version: textOrTexts, prefix: truth,
    excerpts: truth, lean: truth, excerpt_length: whole,
  },
  grep: {
    case_insensitive: truth, node_limit: whole, offset: whole, output: oneOf("lines", "files"), line_length: whole,
    level_limit: whole, exclude_uri: optional(text),
  },
  glob: {
    node_limit: whole, offset: whole,
  },
  read: {
    offset: whole, line: optional(whole), limit: integer, raw: truth,
  },
  ls: {
    abs_limit: whole, node_limit: whole, offset: whole, level_limit: whole, recursive: truth, show_all_hidden: truth,
    sort_by: oneOf("name", "mtime"), sort_order: oneOf("asc", "desc"),
  },
  relations: {
    limit: whole,
  },
};

/** Options without a counterpart on any server, and the values with which they ask for nothing. */
const UNSERVED = {
  mode: ["auto"], preset: [], score_propagation_alpha: [null], max_convergence_rounds: [null],
  global_search_topk: [null], walk_scores: [null], alpha: [null], graph: [null, 0], hotness_weight: [0],
  hybrid: [null], sort: [null], facets: [], group: ["none"], answer: [false], answer_threshold: [], explain: [false],
  trace: [false], include_provenance: [false], lang: ["*"], version: ["*"], lean: [false],
};
// end OPTIONS

export { UNSERVED };

const KNOWN = {
  ...OPTIONS,
  search: {
    ...OPTIONS.find, session: [(value) => typeof value === "object", "a session"], session_id: optional(text),
    intent: oneOf("auto", "always", "never"), rerank: [(value) => [true, false, "walk"].includes(value), "true, false or walk"], merge: oneOf("best", "concat"), include_provenance: truth,
  },
};
KNOWN.tree = KNOWN.ls;

/** Proves the options of a method: names and kinds. Values that only the server can judge are left to it. */
export function proved(method, options) {
  for (const [name, value] of Object.entries(options)) {
    const known = Object.keys(KNOWN[method]);
    if (!known.includes(name)) throw invalid(`unknown option ${name}; known are ${known.join(", ")}`);
    const [test, wanted] = KNOWN[method][name];
    if (!test(value)) throw invalid(`option ${name} is not ${wanted}`);
  }
  return options;
}

/** Options of the tree's calls that no server has, and the values with which they ask for nothing. */
const OF_BUNDLES = { offset: 0, output: "lines", line_length: 0 };

/** What `proved` proves, with no option among them that only a bundle has: left out, it would be another answer. */
export function provedPlain(method, options) {
  const { offset, output, line_length, ...plain } = proved(method, options);
  for (const [name, value] of Object.entries({ offset, output, line_length })) {
    if (value === undefined || value === OF_BUNDLES[name]) continue;
    throw new KnarrError("UNIMPLEMENTED", `${method}: option ${name} is one of bundles; no server has it`);
  }
  return plain;
}

/** Whether the server has a thing of `SINCE`. A server that does not tell its version is taken for a current one. */
export function has({ version }, thing) {
  return version === undefined || !before(version, SINCE[thing]);
}

/** Whether the server may have relations: those that do not tell are asked. */
export function hasRelations({ version }) {
  return version === undefined || before(version, NO_RELATIONS);
}

function before(version, other) {
  const differs = version.findIndex((part, i) => part !== other[i]);
  return differs >= 0 && version[differs] < other[differs];
}

function need(server, thing, option) {
  if (has(server, thing)) return;
  const message = `option ${option} needs OpenViking ${SINCE[thing].join(".")} or later; this server is ${server.name}`;
  throw new KnarrError("UNIMPLEMENTED", message);
}

/**
 * What of a `find` or `search` is sent, and what is done here.
 *
 * @param {object} options proved
 * @param {{ version?: number[], name?: string }} server
 * @param {{ user?: string, actor_peer?: string }} identity of the client; the call's own wins
 * @returns {{ body: object, limit: number, scope: object, identity: object, skipped: { step: string, reason: string }[] }}
 *   `scope` is what the answer is gone through with
 */
export function narrowed(query, options, server, identity) {
  if (query.trim() === "") throw invalid("the query must not be empty");
  if ((options.vector ?? null) !== null) {
    throw new KnarrError("UNIMPLEMENTED", "a server takes no vector: it makes the question's own");
  }
  if (options.offset > 0) {
    throw new KnarrError("UNIMPLEMENTED", "a server has no pages: raise limit, or narrow the question");
  }
  if ((options.hybrid?.access ?? null) !== null) {
    throw new KnarrError("UNIMPLEMENTED", "option hybrid.access narrows by tags of a bundle: a server knows who asks by the key");
  }
  const limit = options.node_limit ?? options.limit ?? 10;
  const levels = levelsOf(options.level);
  const user = options.user ?? identity.user;
  const { actor_peer: one, peer_id: other } = options;
  if ((one ?? null) !== null && (other ?? one) !== one) {
    throw invalid("actor_peer and peer_id are two names of one option, and they differ");
  }
  const actor_peer = one ?? other ?? identity.actor_peer;
  const body = { query, limit, ...targets({ ...options, user }, server), ...times(options, server) };
  if ((options.score_threshold ?? null) !== null) body.score_threshold = options.score_threshold;
  if (options.telemetry?.summary ?? options.telemetry) body.telemetry = true;
  const skipped = omitted(options, server);
  const levelled = has(server, "level");
  if (levelled) {
    body.level = levels;
  } else {
    body.limit = limit * OVER + OVER_LEAST;
    skipped.push({ step: "level", reason: `OpenViking ${server.name} has no option level: rows of other levels were dropped from its answer` });
  }
  let filter = checkedFilter(options.filter);
  const types = contextTypes(options.context_type);
  if (types.length > 0 && has(server, "context_type")) {
    body.context_type = types;
  } else if (types.length > 0) {
    const typed = { op: "must", field: "context_type", conds: types };
    filter = filter === undefined ? typed : { op: "and", conds: [filter, typed] };
  }
  if (filter !== undefined) body.filter = filter;
  if (options.tags?.length > 0) {
    need(server, "tags", "tags");
    body.tags = options.tags;
  }
  if (actor_peer !== undefined && !has(server, "actor_peer")) body.peer_id = actor_peer;
  const scope = { most: levelled ? undefined : limit, levels, types, user, actor_peer, without: excluded(filter) };
  return { body, limit, scope, identity: { user, actor_peer }, skipped };
}

/** What a call's own identity adds to the client's headers. */
export function identityHeaders({ user, actor_peer }) {
  return {
    ...(user === undefined ? {} : { "x-openviking-user": user }),
    ...(actor_peer === undefined ? {} : { "x-openviking-actor-peer": actor_peer }),
  };
}

/** The current user's short forms, which servers took up to 0.4.0 and refuse since; `~` is what they take instead. */
const SHORT = /^viking:\/\/user\/(memories|resources|skills|peers|privacy|sessions)(?=\/|$)/;

function targets({ target_uri, now, utc_offset_minutes, user }, server) {
  const full = (uri) => (has(server, "actor_peer") && SHORT.exec(uri)?.[1] !== user ? uri.replace(SHORT, "viking://~/$1") : uri);
  const all = [target_uri ?? []].flat();
  const some = all.filter((uri) => !["", "/", "viking://"].includes(uri)).map(full);
  if ((now ?? utc_offset_minutes ?? null) !== null && some.some((uri) => uri.includes("{calendar:"))) {
    throw new KnarrError("UNIMPLEMENTED", "a server reads {calendar:…} by its own clock: leave out now and utc_offset_minutes");
  }
  if (some.length > 1) need(server, "targets", "target_uri with several targets");
  if (some.length === 0) return {};
  return { target_uri: some.length === 1 ? some[0] : some };
}

function times({ since, until, time_field, now }, server) {
  const sent = {};
  for (const [name, bound] of Object.entries({ since, until })) {
    if ((bound ?? null) === null) continue;
    need(server, "since", name);
    const relative = /^\s*(\d+)([smhdw])\s*$/.exec(bound);
    const seconds = relative && relative[1] * { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }[relative[2]];
    sent[name] = relative && (now ?? null) !== null ? instant(now - seconds * 1000, name) : bound;
  }
  if (time_field !== undefined && Object.keys(sent).length > 0) sent.time_field = time_field;
  return sent;
}

function instant(ms, name) {
  if (Math.abs(ms) > 8.64e15) throw invalid(`option ${name} is too far away`);
  return new Date(ms).toISOString();
}

/** The levels asked for, as the engine reads them: numbers, texts of numbers, lists of either; files when there are none. */
function levelsOf(level) {
  const levels = [level ?? []].flat()
    .flatMap((item) => (typeof item === "string" ? item.split(",").map((part) => part.trim()) : [item]))
    .filter((item) => typeof item === "number" || /^-?\d+$/.test(item)).map(Number);
  if (levels.some((item) => ![0, 1, 2].includes(item))) throw invalid("level is 0 (abstract), 1 (overview) or 2 (content)");
  return levels.length > 0 ? [...new Set(levels)].sort() : [2];
}

export function contextTypes(given) {
  const types = [given ?? []].flat().flatMap((names) => names.split(",")).map((name) => name.trim().toLowerCase()).filter(Boolean);
  const other = types.find((name) => !TYPES.includes(name));
  if (other !== undefined) throw invalid(`context_type ${other} is not one of ${TYPES.join(", ")}`);
  return [...new Set(types)];
}

function omitted(options, server) {
  const names = Object.keys(UNSERVED).filter((name) => options[name] !== undefined && !UNSERVED[name].includes(options[name]));
  const skipped = names.map((name) => ({ step: name, reason: `an OpenViking server has no option ${name}` }));
  if (options.relations && !hasRelations(server)) skipped.push({ step: "relations", reason: `OpenViking ${server.name} has no relations` });
  return skipped;
}
