/** What an agent does with a bundle in Node: reads sections by their addresses, goes on where an answer was cut, and errs. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DIST, LARGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const ROOT = "viking://resources/harbour";
const PAGE = `${ROOT}/guide/mooring.html`;

let server;
let knarr;
let Knarr;

before(async () => {
  server = await serve({ "/search/": LARGE });
  ({ Knarr } = await import(`${DIST}/direct.js`));
  knarr = await Knarr.open(`${server.origin}/search/`);
});

after(async () => {
  knarr?.close();
  await server?.close();
});

const refused = (code, message) => (error) => error.code === code && message.test(error.message);

test("a section that is found is read by its address, and grep looks in it alone", async () => {
  const { resources } = await knarr.find("mooring lines");
  const section = resources.flatMap(({ sections }) => sections).find(({ anchor }) => anchor !== "");
  const text = await knarr.read(section.uri);
  const [page] = section.uri.split("#");
  const whole = await knarr.read(page);
  assert.match(text, /^#+ /);
  assert.ok(whole.includes(text) && text.length < whole.length);
  const { matches, files_scanned } = await knarr.grep(section.uri, "^#");
  assert.equal(files_scanned, 1);
  assert.deepEqual([matches[0].line, matches[0].uri], [1, section.uri]);
  await assert.rejects(knarr.grep(section.uri, "x", { node_limit: "5" }), refused("INVALID_ARGUMENT", /node_limit/));
  await assert.rejects(knarr.grep(section.uri, "x", { limit: 5 }), refused("INVALID_ARGUMENT", /limit/));
  assert.ok((await knarr.overview(page)).includes(`#${section.anchor}`));
  await assert.rejects(knarr.read(`${page}#no-such-thing`), refused("NOT_FOUND", /has no section #no-such-thing/));
  await assert.rejects(knarr.overview(section.uri), refused("INVALID_URI", /only read and grep take a section/));
  await assert.rejects(knarr.find("mooring", { target_uri: section.uri }), refused("INVALID_URI", /section/));
});

test("what is cut says so, and the rest follows at its offset", async () => {
  const grep = (options) => knarr.grep(`${ROOT}/log`, "harbour master", options);
  const all = await grep({});
  const first = await grep({ node_limit: 5 });
  assert.equal(first.truncated, true);
  const next = await grep({ node_limit: 5, offset: 5 });
  assert.deepEqual([...first.matches, ...next.matches], all.matches.slice(0, 10));
  const { matches, files, count, match_count } = await grep({ output: "files", node_limit: 3, offset: 1 });
  assert.deepEqual([matches, count], [[], 3]);
  assert.equal(match_count, files.reduce((sum, file) => sum + file.count, 0));
  const short = await grep({ line_length: 20, node_limit: 4 });
  assert.ok(short.matches.every(({ content }) => content.length <= 22 && content.includes("harbour master")));

  const globbed = await knarr.glob("**", ROOT, { node_limit: 4 });
  assert.equal(globbed.truncated, true);
  const more = await knarr.glob("**", ROOT, { node_limit: 2, offset: 2 });
  assert.deepEqual(more.matches, globbed.matches.slice(2));

  const rows = await knarr.ls(`${ROOT}/log`);
  assert.equal(rows.truncated, undefined);
  const some = await knarr.ls(`${ROOT}/log`, { node_limit: 3, offset: 2, abs_limit: 0 });
  assert.deepEqual([some.length, some.truncated], [3, true]);
  assert.deepEqual(some.map(({ uri }) => uri), rows.slice(2, 5).map(({ uri }) => uri));
  assert.ok(some.every((row) => row.abstract === ""));
  assert.equal((await knarr.tree("viking://", { level_limit: 1 })).truncated, true);
});

test("read takes the line that grep gives", async () => {
  const { matches: [{ line, content }] } = await knarr.grep(PAGE, "Nylon");
  assert.equal(await knarr.read(PAGE, { line, limit: 1 }), `${content}\n`);
  assert.equal(await knarr.read(PAGE, { offset: line - 1, limit: 1 }), `${content}\n`);
});

test("a lean answer has each text once", async () => {
  const whole = await knarr.find("mooring lines");
  const lean = await knarr.find("mooring lines", { lean: true });
  assert.deepEqual(lean.resources.map(({ uri }) => uri), whole.resources.map(({ uri }) => uri));
  assert.ok(lean.resources.every(({ excerpt }) => excerpt.highlights.length === 0));
  assert.ok(JSON.stringify(lean).length < JSON.stringify(whole).length);
});

test("misuse is refused with what to write instead", async () => {
  for (const pattern of ["/guide/*", `${ROOT}/**`]) {
    await assert.rejects(knarr.glob(pattern), refused("INVALID_PATTERN", /without a scheme or a leading slash/));
  }
  await assert.rejects(knarr.find("mooring", { level: "x" }), refused("INVALID_ARGUMENT", /level/));
  await assert.rejects(knarr.read(PAGE, { limit: -7 }), refused("INVALID_ARGUMENT", /limit/));
  await assert.rejects(Knarr.open("C:\\docs\\bundle"), refused("INVALID_ARGUMENT", /pathToFileURL/));
});

test("closing ends the calls in progress", async () => {
  const other = await Knarr.open(`${server.origin}/search/`);
  await other.find("mooring");
  const calls = [other.find("mooring"), other.grep(ROOT, "harbour"), other.ls(ROOT)].map((call) => call.then(() => "", ({ code }) => code));
  other.close();
  assert.deepEqual(await Promise.all(calls), Array(3).fill("FAILED_PRECONDITION"));
});

test("a bundle that was published again says so", async () => {
  const other = await Knarr.open(`${server.origin}/search/`);
  server.faults.status = (path) => (path.endsWith(".pack") ? 404 : undefined);
  try {
    await assert.rejects(other.find("nylon stretches"), refused("BUNDLE_MISSING", /published again .*; open it anew/));
  } finally {
    server.faults.status = undefined;
    other.close();
  }
});
