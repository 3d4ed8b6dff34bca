/**
 * Every method of `Knarr.remote` against a real OpenViking server, which gets three files and loses them again:
 * `node openviking-live.mjs URL [KEY]`. docs/OPENVIKING.md says how to start one without a network. Not a part of
 * `npm test`, which has no server to ask.
 */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { DIST } from "./bundles.mjs";

const { Knarr, Session } = await import(pathToFileURL(`${DIST}/index.js`).href);
const [url = "http://127.0.0.1:1933", apiKey] = process.argv.slice(2);
const ROOT = "viking://resources/knarr-live";
const MOORING = `${ROOT}/guide/mooring.md`;
const FILES = {
  [MOORING]: "# Mooring a boat\n\nA bowline is a loop that never jams.\n\n## Springs\n\nA spring line holds the boat along the quay.\n",
  [`${ROOT}/guide/weather.md`]: "# Reading the weather\n\nA falling barometer means wind.\n",
  [`${ROOT}/log/day-1.md`]: "# Log of day 1\n\nThe Fulmar arrived in a westerly wind.\n",
};

async function send(method, path, body) {
  const headers = { "content-type": "application/json", ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) };
  const response = await fetch(`${url}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
}

const refused = (code) => (error) => assert.equal(error.code, code, error.message) === undefined;
const uris = ({ resources }) => resources.map(({ uri }) => uri);
const at = { target_uri: ROOT };

/** What is asked and what has to come of it, by the name of the method. */
const JOURNEY = {
  async find(knarr) {
    const { resources: [first], skipped } = await knarr.find("bowline loop", { ...at, limit: 2, mode: "thinking" });
    assert.equal(first.uri, MOORING);
    assert.ok(first.score > 0);
    assert.deepEqual(skipped.map(({ step }) => step), ["mode"]);
    assert.ok((await knarr.find("guide", { ...at, level: [0, 1] })).resources.every(({ level, uri }) => uri.endsWith(["/.abstract.md", "/.overview.md"][level])));
    // The third file has none of the words; whether it counts is the server's affair.
    assert.ok((await knarr.find("wind", { ...at, since: "1d", until: "2099-01-01" })).total >= 2);
    assert.equal((await knarr.find("wind", { ...at, until: "2000-01-01" })).total, 0);
    assert.equal((await knarr.find("wind", { target_uri: [`${ROOT}/guide`, `${ROOT}/log`], limit: 2 })).total, 2);
    assert.equal((await knarr.find("wind", { ...at, context_type: "skill" })).total, 0);
    const filter = { op: "and", conds: [{ op: "must", field: "level", conds: [2] }, { op: "must_not", field: "uri", conds: [`${ROOT}/guide`] }] };
    assert.deepEqual(uris(await knarr.find("wind", { ...at, filter })), [`${ROOT}/log/day-1.md`]);
    await assert.rejects(knarr.find("wind", { since: "soon" }), refused("INVALID_ARGUMENT"));
  },
  async search(knarr) {
    const session = new Session().addMessage("user", "How do I moor?").addMessage("assistant", "With a bowline.");
    const found = await knarr.search("and the weather?", { ...at, session, include_provenance: true });
    assert.ok(found.total > 0 && found.query_plan.queries.length > 0 && found.provenance.length > 0);
    console.log("  plan:", found.query_plan.reasoning, found.skipped);
    assert.equal((await knarr.search("bowline", { ...at, limit: 1 })).total, 1);
  },
  async grep(knarr) {
    const { matches } = await knarr.grep(ROOT, "BOWLINE|wind", { case_insensitive: true, exclude_uri: `${ROOT}/log` });
    assert.deepEqual(new Set(matches.map(({ uri }) => uri)), new Set([MOORING, `${ROOT}/guide/weather.md`]));
    await assert.rejects(knarr.grep(ROOT, "("), refused("INVALID_ARGUMENT"));
  },
  async glob(knarr) {
    assert.deepEqual((await knarr.glob("**/*.md", ROOT)).matches.sort(), Object.keys(FILES).sort());
  },
  async read(knarr) {
    assert.equal((await knarr.read(MOORING)).trimEnd(), FILES[MOORING].trimEnd());
    assert.match(await knarr.read(MOORING, { offset: 2, limit: 1 }), /^A bowline[^\n]*\n?$/);
    assert.equal(typeof (await knarr.read(`${ROOT}/guide/.overview.md`)), "string");
    await assert.rejects(knarr.read(`${ROOT}/nothing.md`), (error) => refused("NOT_FOUND")(error) && error.status === 404);
    await assert.rejects(knarr.read(ROOT), refused("INVALID_ARGUMENT"));
  },
  async download(knarr) {
    const bytes = await knarr.download(MOORING);
    assert.ok(bytes instanceof Uint8Array);
    assert.equal(new TextDecoder().decode(bytes), await knarr.read(MOORING, { raw: true }));
    await assert.rejects(knarr.download(`${ROOT}/nothing.md`), (error) => error.status === 404);
  },
  async "listings as asked for"(knarr) {
    const names = async (options) => (await knarr.ls(`${ROOT}/guide`, options)).map(({ uri }) => uri.split("/").at(-1));
    assert.ok((await names({})).every((name) => !name.startsWith(".")));
    const all = await names({ show_all_hidden: true });
    assert.ok(all.includes(".overview.md"), all.join());
    const up = await names({ sort_by: "name", sort_order: "asc" });
    assert.deepEqual((await names({ sort_by: "name", sort_order: "desc" })).toReversed(), up);
  },
  async "abstract and overview"(knarr) {
    for (const uri of [`${ROOT}/guide`, `${ROOT}/guide/.abstract.md`, MOORING]) {
      assert.ok((await knarr.abstract(uri)).length > 0, uri);
      assert.ok((await knarr.overview(uri)).length > 0, uri);
    }
  },
  async "ls and tree"(knarr) {
    assert.deepEqual((await knarr.ls(ROOT)).map(({ rel_path, isDir }) => [rel_path, isDir]), [["guide", true], ["log", true]]);
    const rows = await knarr.tree(ROOT);
    assert.deepEqual(rows.map(({ rel_path }) => rel_path), ["guide", "guide/mooring.md", "guide/weather.md", "log", "log/day-1.md"]);
    assert.ok(rows.every(({ isDir, size }) => isDir === (size === 0)));
  },
  async stat(knarr) {
    const { name, isDir, size, modTime } = await knarr.stat(MOORING);
    assert.deepEqual([name, isDir, size > 0, Math.abs(Date.now() - Date.parse(modTime)) < 3_600_000], ["mooring.md", false, true, true]);
    assert.equal((await knarr.stat(`${ROOT}/guide/.abstract.md`)).isDir, true);
  },
  async relations(knarr) {
    const list = await knarr.relations(ROOT).catch(({ code }) => code);
    assert.ok(list === "UNIMPLEMENTED" || Array.isArray(list), String(list));
  },
};

for (const [uri, content] of Object.entries(FILES)) await send("POST", "content/write", { uri, content, mode: "create", wait: true });
try {
  const knarr = await Knarr.remote(url, { apiKey });
  for (const [name, work] of Object.entries(JOURNEY)) {
    await work(knarr);
    console.log("ok", name);
  }
  knarr.close();
} finally {
  await send("DELETE", `fs?recursive=true&uri=${encodeURIComponent(ROOT)}`);
}
