/** Filters before the engine and before the client of a server: what one refuses, the other refuses. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { DIST, SMALL } from "./bundles.mjs";

const entry = (name) => pathToFileURL(`${DIST}/${name}`).href;

const TIMES = [
  "2026-02-28", "2026-02-30", "2026-06-31", "2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "0000-01-01", "0001-01-01",
  "9999-12-31", "2026-1-1", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-01T24:00", "2026-01-01T24:00:00Z",
  "2026-01-01T23:59:60Z", "2026-01-01t10:00z", "2026-01-01 10:00", "2026-01-01T10:00:00,5Z", "2026-01-01T10:00:00.Z",
  "2026-01-01T10:00:00.123456789+02", "2026-01-01T10:00+2", "2026-01-01T10:00+0200", "2026-01-01T10:00+02:", "2026-01-01T10:00+24:00",
  "2026-01-01T10:00+23:60", "2026-01-01T10:00-12:34", " 2026-01-01 ", "2026-01-01\n", "2026-01-01T10", "2026-01-01T10:00.5",
  "20260101", "2026-W01", "2026-01", "2026", "yesterday", "2026-01-01T10:00 Z", "0001-01-01T00:00+01:00", "0001-01-01T00:00-01:00",
  "9999-12-31T23:59:59-01:00", "9999-12-31T23:59:59+01:00", "+2026-01-01", "２０２６-01-01", "2026-01-01T10:60", "2026-01-01Z", "2h",
];
const VALUES = [
  ...TIMES, 0, -1, 1.5, NaN, Infinity, 1e16, 8.64e15, 253402300800000, -62135596800001, 1e300, 2 ** 53, 2 ** 63, true, null, undefined,
  [], {}, ["a"], "", "a", "viking://", "viking://resources/harbour/", "/a", "VIKING://a", "a/b", "5", " 5 ", "+5", "-5", "5.0", "5e3",
  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "٥",
];
const FIELDS = [
  "uri", "created_at", "updated_at", "active_count", "level", "type", "context_type", "name", "tags", "search_tags", "account_id",
  "owner_user_id", "nothing", "", null, undefined, 3, "constructor", "__proto__",
];
const OPS = [
  "and", "or", "must", "must_not", "range", "range_out", "time_range", "prefix", "contains", "regex", "geo_range", "label_in", "MUST",
  "", null, undefined, 3, "toString", "__proto__",
];
const PARAS = [
  "-d=1", "-d=-1", "-d= 3", " -d=3 ", "-d=", "-d=x", "d=1", "-d=1.5", "-d=+1", "-d=99999999999999999999", "-d=--1", "", " ", "-d =1", "-d=- 1",
];

/** Every operator with every field and every value, well-formed and not. */
function* corpus() {
  for (const field of FIELDS) {
    for (const value of VALUES) {
      for (const op of ["must", "must_not"]) {
        yield { op, field, conds: value };
        for (const before of [[], [1], ["a"], ["/a"], ["2026-01-01"]]) yield { op, field, conds: [...before, value] };
      }
      for (const op of ["range", "range_out", "time_range"]) yield { op, field, gte: value };
      yield { op: "range", field, gt: 1, lt: value };
      for (const [op, key] of [["prefix", "prefix"], ["contains", "substring"], ["regex", "pattern"]]) yield { op, field, [key]: value };
    }
  }
  for (const op of OPS) {
    yield { op };
    for (const value of VALUES) {
      yield { op, conds: value };
      yield { op, conds: [value] };
      yield { op, field: "uri", conds: ["/a"], x: value };
    }
    for (const para of [...PARAS, ...VALUES]) {
      for (const field of ["uri", "name"]) yield { op, field, conds: ["/a"], para };
    }
  }
  yield* VALUES;
  let nested = { op: "must", field: "name", conds: [] };
  for (let depth = 0; depth < 20; depth++) yield (nested = { op: depth % 2 ? "and" : "or", conds: [nested] });
}

let knarr;
let checkedFilter;

before(async () => {
  const { Knarr } = await import(entry("direct.js"));
  knarr = await Knarr.open(await readFile(SMALL));
  ({ checkedFilter } = await import(entry("server-filter.js")));
});

test("the engine and the client of a server refuse the same filters", async () => {
  const verdicts = { taken: 0, refused: 0 };
  const differences = [];
  for (const filter of corpus()) {
    const engine = await knarr.find("fog", { filter, limit: 0 }).then(() => "taken", () => "refused");
    let client = "taken";
    try {
      checkedFilter(filter);
    } catch {
      client = "refused";
    }
    verdicts[engine]++;
    if (engine !== client) differences.push(`${JSON.stringify(filter)}: ${engine} by the engine, ${client} by the client`);
  }
  assert.deepEqual(differences.slice(0, 10), []);
  assert.ok(verdicts.taken > 1_000 && verdicts.refused > 10_000, JSON.stringify(verdicts));
});

test("a bound beyond all times is sent as a time that a server reads", () => {
  for (const bound of [1e300, -1e300, 8.64e15, 253402300800000, 0]) {
    const { gte } = checkedFilter({ op: "range", field: "created_at", gte: bound });
    assert.match(gte, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});
