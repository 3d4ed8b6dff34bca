/**
 * `Knarr.remote` with a Qdrant collection: what is proved before, and every way in which a server or the way to it fails.
 * The server here only answers what no engine would; tests/web/qdrant-live.mjs asks Qdrant's own.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { after, before, beforeEach, describe, test } from "node:test";
import { DIST } from "./bundles.mjs";
import { refused, until } from "./expect.mjs";

const { Knarr } = await import(pathToFileURL(`${DIST}/index.js`).href);
const { remote } = await import(pathToFileURL(`${DIST}/qdrant.js`).href);

const ABOUT = { format: 1, dims: 2, nodes: 9, alpha: 0.3, encoder: "static-1", languages: [], versions: [], language: "", version: "" };
const WORD = { words: ["knot", "knots"], starts: ["knot", "knots"], number: 7, df: 2, idf: 1.5, vector: [3, 4], scale: 1, in_title: true };
const PAYLOAD = {
  uri: "viking://resources/a.md#tie", url: "a.html#tie", title: "A", section: "Tie", abstract: "About knots.", tags: ["a=b"], type: "resource", language: "", version: "",
  folder: "viking://resources", place: 1, size: 9,
};
const HIT = { id: 5, score: 0.5, payload: { place: 1 } };

/** What each request is answered with, by the end of its path. */
let answers;
let server;
let origin;
let asked;
const connect = (options) => Knarr.remote(origin, { engine: "qdrant", collection: "site", timeout_ms: 400, max_bytes: 100_000, ...options });
const ok = (result) => ({ status: 200, body: JSON.stringify({ result, status: "ok", time: 0 }) });

before(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const what = request.url.split("/points")[1];
    asked.push({ what, headers: request.headers, url: request.url, body: JSON.parse(body) });
    const given = answers[what];
    const answer = typeof given === "function" ? given(JSON.parse(body)) : given;
    if (answer === "stall") return;
    if (answer === "reset") return request.socket.destroy();
    const { status, body: text, headers = {} } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = [];
  answers = {
    "": ({ ids }) => ok(ids[0] === 0 ? [{ id: 0, payload: { knarr: ABOUT } }] : ids.map((id) => ({ id, payload: { ...PAYLOAD, text: "Tie a knot." } }))),
    "/scroll": ({ order_by }) => ok({ points: order_by ? [] : [{ id: 1, payload: WORD }], next_page_offset: null }),
    "/query/groups": ok({ groups: [{ id: 4, hits: [HIT] }] }),
    "/count": ok({ count: 1 }),
  };
});

test("a question is five requests in four rounds, and the same words are not asked for again", async () => {
  const knarr = await connect({ apiKey: "key", headers: { "x-trace": "1" }, requestId: (path) => `r-${path.split("/").pop()}` });
  assert.equal(asked.length, 0, "nothing is sent before the first call");
  const { resources: [first], alpha } = await knarr.find("knots", { prefix: false });
  assert.deepEqual(first, {
    context_type: "resource", uri: "viking://resources/a.md", level: 2, score: 1, relevance: 1, abstract: "About knots.", tags: ["a=b"], title: "A", url: "a.html",
    excerpt: { text: "Tie a knot.", highlights: [[6, 10]] },
    sections: [{ uri: PAYLOAD.uri, title: "Tie", anchor: "tie", url: "a.html#tie", score: 1, excerpt: { text: "Tie a knot.", highlights: [[6, 10]] } }],
  });
  assert.equal(alpha, 0.3);
  assert.deepEqual(asked.map(({ what }) => what), ["", "/scroll", "/query/groups", "/query/groups", ""]);
  const [about, , byWords, byVector, rows] = asked;
  assert.equal(about.url, "/collections/site/points");
  for (const [name, value] of Object.entries({ "api-key": "key", "x-trace": "1", "x-request-id": "r-points" })) assert.equal(about.headers[name], value, name);
  const list = { group_by: "page", group_size: 1, limit: 100, with_payload: ["place"] };
  assert.deepEqual(byWords.body, { query: { indices: [7], values: [1] }, using: "sparse", ...list });
  assert.deepEqual(byVector.body, { query: [0.6, 0.8], using: "dense", ...list });
  assert.deepEqual(rows.body.ids, [5]);
  asked = [];
  await knarr.find("knots", { prefix: false, excerpts: false, alpha: 0 });
  assert.deepEqual(asked.map(({ what, body }) => [what, body.limit]), [["/query/groups", 10], ["", undefined]]);
  assert.ok(!asked[1].body.with_payload.includes("text"));
});

test("options are proved", async () => {
  for (const [url, options, message] of [
    [origin, { engine: "milvus" }, /engine milvus is not known; known is qdrant/], [origin, { engine: "qdrant" }, /name yours as collection/],
    [origin, { engine: "qdrant", collection: "a/b" }, /not the name/], [origin, { engine: "qdrant", collection: "..", apiKey: "x" }, /not the name/],
    [origin, { engine: "qdrant", collection: "a", apikey: "x" }, /unknown option apikey; known are engine, collection, apiKey/],
    [origin, { engine: "qdrant", collection: "a", apiKey: 5 }, /apiKey/], [origin, { engine: "qdrant", collection: "a", timeout_ms: 0 }, /timeout_ms/],
    ["ftp://a/", { engine: "qdrant", collection: "a" }, /http/],
  ]) await assert.rejects(Knarr.remote(url, options), refused("INVALID_ARGUMENT", message), message.source);
  const knarr = await remote(origin, { collection: "site" });
  for (const [options, code, message] of [
    [{ lemit: 1 }, "INVALID_ARGUMENT", /unknown option lemit/], [{ limit: "1" }, "INVALID_ARGUMENT", /limit/], [{ limit: 600, offset: 600 }, "INVALID_ARGUMENT", /1200/],
    [{ alpha: 2 }, "INVALID_ARGUMENT", /alpha/], [{ vector: [1, 2, 3] }, "INVALID_ARGUMENT", /3 dimensions.*2/], [{ vector: [0, 0] }, "INVALID_ARGUMENT", /zero/],
    [{ since: "yesterday" }, "INVALID_ARGUMENT", /since/], [{ since: "2024-02-30" }, "INVALID_ARGUMENT", /since/], [{ since: "2025-01-01", until: "2024-01-01" }, "INVALID_ARGUMENT", /later/],
    [{ filter: { op: "range", field: "active_count", gte: 1 } }, "UNIMPLEMENTED", /active_count/], [{ target_uri: "guide" }, "INVALID_URI", /viking/],
  ]) await assert.rejects(knarr.find("knot", options), refused(code, message), JSON.stringify(options));
  assert.ok(!asked.some(({ what }) => what === "/query/groups"), "nothing was asked with these");
});

test("filters and times are Qdrant's", async () => {
  const knarr = await connect();
  const must = async (options) => {
    asked = [];
    await knarr.find("knot", { prefix: false, excerpts: false, ...options });
    return asked.find(({ what }) => what === "/query/groups").body.filter.must;
  };
  assert.deepEqual(await must({ since: "2h", now: 7_200_000, until: "1970-01-01" }), [{ key: "updated_at", range: { gte: 0, lte: 86_399 } }]);
  assert.deepEqual(await must({ since: "1970-01-01T00:00:01.5+00:00", time_field: "created_at" }), [{ key: "created_at", range: { gte: 2 } }]);
  assert.deepEqual(await must({ tags: ["A=b"], context_type: "skill, memory" }), [{ key: "tags", match: { any: ["A=b", "a=b"] } }, { key: "type", match: { any: ["skill", "memory"] } }]);
  assert.deepEqual(await must({ target_uri: "viking://resources/guide/" }), [{ should: [{ key: "file", match: { any: ["viking://resources/guide"] } }, { key: "parents", match: { any: ["viking://resources/guide"] } }] }]);
  const filter = { op: "or", conds: [{ op: "must_not", field: "tags", conds: ["x"] }, { op: "range_out", field: "updated_at", gte: 1000, lt: 2000 }] };
  assert.deepEqual(await must({ filter }), [{ should: [
    { must_not: [{ key: "tags", match: { any: ["x"] } }] },
    { should: [{ key: "updated_at", range: { lt: 1 } }, { key: "updated_at", range: { gte: 2 } }] },
  ] }]);
});

describe("a server that fails", () => {
  const said = (status, error) => ({ status, body: JSON.stringify({ status: { error }, time: 0 }) });
  const cases = [
    ["a page in its place", { status: 200, body: "<!doctype html><title>x" }, "BAD_RESPONSE", /answered 200: an HTML page, not JSON; is this the root of a Qdrant server, 1\.11/],
    ["JSON cut off", { status: 200, body: '{"result": {"groups": [' }, "BAD_RESPONSE", /cut off/],
    ["an address that is not Qdrant's", { status: 404, body: "" }, "BAD_RESPONSE", /answered 404: an empty body; is this the root/],
    ["no collection", said(404, "Not found: Collection `site` doesn't exist!"), "NOT_FOUND", /doesn't exist!; there is no collection site: load one/],
    ["no key", { status: 401, body: "Must provide an API key" }, "UNAUTHENTICATED", /answered 401: the server wants a key/],
    ["a key for another collection", said(403, "Forbidden: no access"), "PERMISSION_DENIED", /Forbidden: no access; the key does not read/],
    ["a question it does not take", said(400, "Wrong input: Vector dimension error"), "INVALID_ARGUMENT", /Vector dimension error/],
    ["a defect of its own", said(500, "Service internal error: panic"), "INTERNAL", /panic/],
    ["a proxy without it", { status: 502, body: "Bad gateway" }, "UNAVAILABLE", /answered 502/],
    ["no answer", "stall", "DEADLINE_EXCEEDED", /within 400 ms/],
    ["a connection that breaks", "reset", "UNAVAILABLE", /could not be reached/],
    ["more than was asked for", { status: 200, body: `{"result": "${"x".repeat(200_000)}"}` }, "RESOURCE_EXHAUSTED", /max_bytes, 100000/],
  ];
  for (const [name, answer, code, message] of cases) {
    test(name, async () => {
      for (const what of ["", "/scroll", "/query/groups"]) {
        const knarr = await connect();
        const before = answers[what];
        answers[what] = answer;
        await assert.rejects(knarr.find("knot", { prefix: false }), refused(code, message), what);
        answers[what] = before;
        assert.equal((await knarr.find("knot", { prefix: false })).total, 1, "and is asked again afterwards");
      }
    });
  }

  test("is nobody", async () => {
    const gone = createServer();
    await new Promise((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address();
    await new Promise((resolve) => gone.close(resolve));
    const knarr = await remote(`http://127.0.0.1:${port}`, { collection: "site" });
    await assert.rejects(knarr.find("knot"), refused("UNAVAILABLE", new RegExp(`:${port}/collections/site/points could not be reached \\(.*ECONNREFUSED`)));
    await assert.rejects(knarr.ls(), refused("UNAVAILABLE", /ECONNREFUSED/));
  });

  test("is busy, and says when", async () => {
    const knarr = await connect();
    let times = 0;
    answers["/query/groups"] = () => (times++ === 0 ? { ...said(429, "Rate limiting"), headers: { "retry-after": "0.05" } } : ok({ groups: [] }));
    assert.equal((await knarr.find("knot")).total, 0);
    assert.equal(times, 3, "of two lists, one was repeated");
    answers["/query/groups"] = { ...said(429, "Rate limiting"), headers: { "retry-after": "60" } };
    await assert.rejects(knarr.find("knot"), (error) => {
      assert.deepEqual([error.status, error.retry_after_ms], [429, 60_000]);
      return refused("RESOURCE_EXHAUSTED", /Rate limiting/)(error);
    });
  });
});

test("answers of the wrong shape are named, and never half an answer", async () => {
  const group = (hit) => ok({ groups: [{ id: 4, hits: [hit] }] });
  const about = (list) => ({ ids }) => ok(ids[0] === 0 ? [{ id: 0, payload: { knarr: ABOUT } }] : list);
  const row = (more) => about([{ id: 5, payload: { ...PAYLOAD, ...more } }]);
  for (const [what, answer, message] of [
    ["", ok([]), null], ["", ok({}), /result is not the answer to points/], ["", ok([{ id: 0, payload: { knarr: { ...ABOUT, dims: "2" } } }]), /point 0 has no dims/],
    ["", ok([{ id: 0, payload: { knarr: { ...ABOUT, languages: null } } }]), /languages/],
    ["/scroll", ok({ points: 5 }), /points\/scroll/], ["/scroll", ok({ points: [{ id: 1, payload: { ...WORD, words: [] } }] }), /no forms/],
    ["/scroll", ok({ points: [{ id: 1, payload: { ...WORD, number: -1 } }] }), /the word knot has no number/], ["/scroll", ok({ points: [{ id: 1, payload: { ...WORD, vector: ["x"] } }] }), /no vector/],
    ["/query/groups", ok([]), /query\/groups/], ["/query/groups", ok({ groups: [{ id: 4, hits: [] }] }), /groups\[0\]\.hits/],
    ["/query/groups", group({ ...HIT, score: "1" }), /hits/], ["/query/groups", group({ ...HIT, payload: null }), /hits/], ["/query/groups", group({ ...HIT, id: "5" }), /hits/], ["/query/groups", ok({ groups: [null] }), /query\/groups/], ["/query/groups", group(null), /hits/], ["/scroll", ok({ points: [null] }), /scroll/],
    ...["uri", "url", "title", "section", "abstract", "folder", "place"].map((name) => ["", row({ [name]: undefined }), new RegExp(`payload\\.${name}`)]),
    ["", row({ uri: "https://a/" }), /viking/], ["", about([{ id: 5, payload: null }]), /payload/], ["", about([5]), /result/],
  ]) {
    const knarr = await connect();
    const before = answers[what];
    answers[what] = answer;
    const wanted = message === null ? refused("FAILED_PRECONDITION", /site\.jsonl/) : refused("BAD_RESPONSE", message);
    await assert.rejects(knarr.find("knot"), wanted, `${what} ${message?.source}`);
    answers[what] = before;
  }
});

test("the caller's signal ends a call, and only that one; so does closing", async () => {
  const knarr = await connect({ timeout_ms: 5000 });
  answers["/query/groups"] = "stall";
  const controller = new AbortController();
  const [one, other] = [knarr.find("knot", { signal: controller.signal }), knarr.find("knot")];
  await until(() => asked.filter(({ what }) => what === "/query/groups").length === 4);
  controller.abort();
  await assert.rejects(one, refused("ABORTED", /abort/));
  await assert.rejects(knarr.find("knot", { signal: AbortSignal.timeout(50) }), refused("DEADLINE_EXCEEDED", /time/));
  await assert.rejects(knarr.find("knot", { signal: controller.signal }), refused("ABORTED", /abort/));
  knarr.close();
  await assert.rejects(other, refused("FAILED_PRECONDITION", /closed/));
  await assert.rejects(knarr.find("knot"), refused("FAILED_PRECONDITION", /closed/));
});
