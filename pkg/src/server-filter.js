/**
 * Filters for a server. A server drops a filter that it does not understand, its own scope included, and returns
 * everything; so each is proved here, by the rules of the engine, and a malformed one is `INVALID_FILTER`.
 */

import { KnarrError } from "./errors.js";

const KEYS = {
  __proto__: null,
  and: ["conds"], or: ["conds"], must: ["field", "conds", "para"], must_not: ["field", "conds", "para"],
  range: ["field", "gte", "gt", "lte", "lt"], range_out: ["field", "gte", "gt", "lte", "lt"],
  time_range: ["field", "gte", "gt", "lte", "lt"], prefix: ["field", "prefix"], contains: ["field", "substring"],
  regex: ["field", "pattern"],
};
const FIELDS = {
  __proto__: null,
  uri: "path", created_at: "date", updated_at: "date", active_count: "number", level: "number", type: "text",
  context_type: "text", name: "text", tags: "text", search_tags: "text", account_id: "text", owner_user_id: "text",
};
const BOUNDS = ["gte", "gt", "lte", "lt"];

/** Deepest nesting, as in the engine. */
const MAX_DEPTH = 16;

/** An ISO 8601 date or time: date, hours, minutes, seconds, offset's sign, hours and minutes. */
const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d+)?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/i;

/** The instants that it writes with four-digit years. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

/**
 * The filter as it is sent; undefined for none.
 *
 * @param {unknown} filter
 */
export function checkedFilter(filter) {
  if (filter === undefined || filter === null) return undefined;
  if (isObject(filter) && Object.keys(filter).length === 0) return undefined;
  return node(filter, "filter", MAX_DEPTH);
}

/**
 * The subtrees that a filter rules out for every result. A server takes `must_not` on `uri` for the exact URI when it is
 * not the first of its siblings; the answer is gone through again with these.
 */
export function excluded(filter) {
  if (filter?.op === "and") return filter.conds.flatMap(excluded);
  const depth = /^-d=(\d+)/.exec(filter?.para ?? "");
  return filter?.op === "must_not" && filter.field === "uri" && depth === null ? filter.conds : [];
}

function node(value, place, depth) {
  if (!isObject(value)) refuse(place, "expected an object with `op`");
  if (depth === 0) refuse(place, "nested too deep");
  const { op } = value;
  if (typeof op !== "string" || !KEYS[op]) refuse(`${place}.op`, `unknown operator; one of ${Object.keys(KEYS).join(", ")}`);
  const given = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  const parts = Object.fromEntries(given);
  const stranger = Object.keys(value).find((key) => key !== "op" && !KEYS[op].includes(key));
  if (stranger !== undefined) refuse(`${place}.${stranger}`, `unknown key; \`${op}\` takes ${KEYS[op].join(", ")}`);
  if (op === "and" || op === "or") {
    const conds = list(parts, place);
    if (conds.length === 0) refuse(`${place}.conds`, "must not be empty");
    return { op, conds: conds.map((child, i) => node(child, `${place}.conds[${i}]`, depth - 1)) };
  }
  const kind = typeof parts.field === "string" ? FIELDS[parts.field] : undefined;
  if (kind === undefined) refuse(`${place}.field`, `unknown field; one of ${Object.keys(FIELDS).join(", ")}`);
  if (op === "must" || op === "must_not") return membership(parts, kind, place);
  if (op.endsWith("range") || op === "range_out") return range(parts, kind, place);
  return text(parts, kind, place);
}

function membership(parts, kind, place) {
  const { para } = parts;
  if (para !== undefined) {
    if (kind !== "path") refuse(`${place}.para`, "only the field `uri` takes it");
    const depth = typeof para === "string" ? /^(?:-d=(.*))?$/s.exec(para.trim()) : null;
    if (depth === null || !isWhole(depth[1] ?? "0")) refuse(`${place}.para`, "not of the form -d=N");
  }
  const conds = list(parts, place);
  for (const [i, item] of conds.entries()) {
    const at = `${place}.conds[${i}]`;
    if (typeof item !== typeof conds[0]) refuse(at, "expected the type of the first value");
    if (kind === "text" && typeof item !== "string") refuse(at, "expected text");
    if (kind === "path" && !(typeof item === "string" && /^(viking:\/\/|\/)/.test(item))) refuse(at, "not a full uri: write viking://…");
    if (kind === "number" && !isWhole(item)) refuse(at, "expected an integer");
    if (kind === "date" && !(typeof item === "number" ? isWhole(item) : isTime(item))) refuse(at, "expected an ISO 8601 time");
  }
  return parts;
}

function range(parts, kind, place) {
  const { op } = parts;
  if (op === "time_range" ? kind !== "date" : kind !== "date" && kind !== "number") {
    refuse(`${place}.field`, `\`${op}\` needs ${op === "time_range" ? "a date" : "a number or a date"}`);
  }
  const bounds = BOUNDS.filter((key) => parts[key] !== undefined);
  if (bounds.length === 0) refuse(place, `\`${op}\` needs one of gte, gt, lte, lt`);
  const sent = { ...parts };
  for (const key of bounds) {
    const bound = parts[key];
    const known = Number.isFinite(bound) || (kind === "date" && isTime(bound));
    if (!known) refuse(`${place}.${key}`, kind === "date" ? "expected an ISO 8601 time" : "expected a number");
    // What lies outside is written as the nearest time inside: no context is older or younger.
    if (kind === "date" && typeof bound === "number") sent[key] = new Date(Math.max(FIRST_MS, Math.min(bound, LAST_MS))).toISOString();
  }
  return sent;
}

function text(parts, kind, place) {
  const { op } = parts;
  if (kind === "number" || kind === "date") refuse(`${place}.field`, `\`${op}\` needs a field of text`);
  const [, key] = KEYS[op];
  if (typeof parts[key] !== "string" || parts[key] === "") refuse(`${place}.${key}`, "expected text that is not empty");
  if (op === "regex") {
    try {
      new RegExp(parts.pattern, "u");
    } catch (error) {
      refuse(`${place}.pattern`, `does not compile: ${error.message}`);
    }
  }
  return parts;
}

function list({ conds }, place) {
  if (!Array.isArray(conds)) refuse(`${place}.conds`, "expected a list");
  return conds;
}

/** Whether text is a time that there is: engines' own parsers take 30 February for 2 March. */
function isTime(value) {
  const parts = typeof value === "string" ? ISO.exec(value) : null;
  if (parts === null) return false;
  const [, date, hours = 0, minutes = 0, seconds = 0, sign, offsetHours = 0, offsetMinutes = 0] = parts;
  const midnight = Date.parse(`${date}T00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return false;
  const offset = (sign === "-" ? -60 : 60) * (offsetHours * 60 + +offsetMinutes);
  const instant = midnight + ((hours * 60 + +minutes) * 60 + +seconds - offset) * 1000;
  return FIRST_MS <= instant && instant <= LAST_MS;
}

/** Whether a number or text is a whole number of 64 bits. */
function isWhole(value) {
  if (Number.isInteger(value)) return Math.abs(value) <= 2 ** 63;
  if (typeof value !== "string" || !/^[+-]?\d+$/.test(value.trim())) return false;
  const whole = BigInt(value);
  return BigInt.asIntN(64, whole) === whole;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(place, message) {
  throw new KnarrError("INVALID_FILTER", `${place}: ${message}`);
}
