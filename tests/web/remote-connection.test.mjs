/** `Knarr.remote`: who asks, what is proved before, and every way in which a server or the way to it fails. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { after, afterEach, before, test } from "node:test";
import { DIST } from "./bundles.mjs";
import { refused, until } from "./expect.mjs";
import { serveOpenViking } from "./openviking.mjs";

const { Knarr, Session } = await import(pathToFileURL(`${DIST}/index.js`).href);
const FILE = "viking://resources/handbook/guide/mooring.md";

let server;
const connect = (options) => Knarr.remote(server.origin, { timeout_ms: 400, max_bytes: 100_000, ...options });

before(async () => {
  server = await serveOpenViking("0.5.2", { key: "secret" });
});
after(() => server.close());
afterEach(() => {
  server.fault = undefined;
  server.requests.length = 0;
});

test("says who asks", async () => {
  const knarr = await connect({
    apiKey: "secret", account: "acme", user: "alice", actorPeer: "web", headers: { "x-trace": "1" }, requestId: (path) => `r-${path.split("/").pop()}`,
  });
  await knarr.ls();
  const { headers } = server.requests.at(-1);
  for (const [name, value] of Object.entries({
    "x-api-key": "secret", "x-openviking-account": "acme", "x-openviking-user": "alice", "x-openviking-actor-peer": "web", "x-trace": "1", "x-request-id": "r-ls",
  })) assert.equal(headers[name], value, name);
  await assert.rejects((await connect({})).ls(), refused("UNAUTHENTICATED", /API Key/));
});

test("options and addresses are proved", async () => {
  for (const [url, options, message] of [
    [server.origin, { apikey: "x" }, /unknown option apikey; known are apiKey/], [server.origin, { apiKey: 5 }, /apiKey/], [server.origin, { apiKey: "a\nb" }, /headers/],
    [server.origin, { timeout_ms: 0 }, /timeout_ms/], [server.origin, { max_bytes: "1" + "x" }, /max_bytes/], [server.origin, { requestId: "x" }, /requestId/],
    ["/relative", {}, /absolute/], ["ftp://a/", {}, /http/], ["http://me:key@a/", {}, /apiKey/], [undefined, {}, /address/],
  ]) await assert.rejects(Knarr.remote(url, options), refused("INVALID_ARGUMENT", message), message.source);
  assert.equal(server.requests.length, 0);
});

test("a version said by hand, and one below a path", async () => {
  const knarr = await Knarr.remote(`${server.origin}/`, { apiKey: "secret", version: "0.4.2" });
  await assert.rejects(knarr.find("x", { tags: ["a=b"] }), refused("UNIMPLEMENTED", /0\.4\.2/));
  assert.equal(server.requests.length, 0);
  const below = await Knarr.remote(`${server.origin}/ov?x=1#y`, { apiKey: "secret" });
  await assert.rejects(below.ls(), refused("NOT_FOUND", /Not Found/));
  await assert.rejects(below.relations("viking://a"), refused("UNIMPLEMENTED", /no relations/));
  assert.deepEqual(server.requests.map(({ path }) => path), ["ov/api/v1/fs/ls", "ov/health", "ov/api/v1/relations"]);
});

test("each fault has its code and names the address", async () => {
  const knarr = await connect({ apiKey: "secret" });
  await knarr.ls();
  for (const [fault, code, message] of [
    ["hang", "DEADLINE_EXCEEDED", /search\/find did not answer within 400 ms/], ["drip", "DEADLINE_EXCEEDED", /within 400 ms/],
    ["closed", "UNAVAILABLE", /http:\/\/127.*\/find could not be reached/], ["cut", "UNAVAILABLE", /could not be reached/], ["redirect", "UNAVAILABLE", /could not be reached/],
    ["html", "BAD_RESPONSE", /answered 200: an HTML page, not JSON; is this the root/], ["html404", "BAD_RESPONSE", /404: an HTML page/],
    ["truncated", "BAD_RESPONSE", /cut off/], ["empty", "BAD_RESPONSE", /an empty body/], ["other", "BAD_RESPONSE", /another shape/], ["nan", "BAD_RESPONSE", /another shape/],
    ["huge", "RESOURCE_EXHAUSTED", /longer than max_bytes, 100000/],
    [{ status: 401, detail: "no" }, "UNAUTHENTICATED", /401: no/], [{ status: 422, detail: [{ loc: ["body", "query"], msg: "missing" }] }, "INVALID_ARGUMENT", /body\.query: missing/],
    [{ status: 500, oops: 1 }, "INTERNAL", /500/], [{ status: 502 }, "UNAVAILABLE", /502/], [{ status: 418 }, "BAD_RESPONSE", /418/],
    [raw(200, { status: "error", error: { code: "VLM_FAILED", message: "boom" } }), "VLM_FAILED", /^boom$/],
  ]) {
    server.sent = 0;
    server.fault = (path) => (path === "search/find" ? fault : undefined);
    await assert.rejects(knarr.find("bowline"), refused(code, message), JSON.stringify(fault));
  }
  assert.ok(server.sent < 90, "the body was not read to its end");
});

test("the server's own errors pass with code, message and details", async () => {
  const knarr = await connect({ apiKey: "secret" });
  for (const [status, code] of [[403, "PERMISSION_DENIED"], [409, "CONFLICT"], [410, "SESSION_EXPIRED"], [500, "EMBEDDING_FAILED"], [503, "NO_VECTOR_DB"]]) {
    server.fault = (path) => (path === "fs/ls" ? raw(status, { status: "error", error: { code, message: `about ${code}`, details: { a: 1 } } }) : undefined);
    await assert.rejects(knarr.ls(), (error) => {
      assert.deepEqual([error.status, error.details], [status, { a: 1 }]);
      return refused(code, new RegExp(`^about ${code}$`))(error);
    });
  }
});

test("a busy server is asked again once, if it says when and the time allows", async () => {
  const knarr = await connect({ apiKey: "secret" });
  await knarr.ls();
  const busy = (seconds) => raw(429, { status: "error", error: { code: "RESOURCE_EXHAUSTED", message: "busy" } }, { "retry-after": seconds });
  let asked = 0;
  server.fault = (path) => (path === "search/find" && asked++ < 2 ? busy("0.05") : undefined);
  assert.ok((await knarr.find("bowline")).total > 0);
  for (const [seconds, times] of [["0.05", 2], ["120", 1], ["Wed, 21 Oct 2026 07:28:00 GMT", 1]]) {
    server.requests.length = 0;
    server.fault = (path) => (path === "search/find" ? busy(seconds) : undefined);
    await assert.rejects(knarr.find("bowline"), (error) => {
      assert.equal(error.retry_after_ms, seconds.length > 5 ? undefined : Number(seconds) * 1000);
      return refused("RESOURCE_EXHAUSTED", /busy/)(error);
    });
    assert.equal(server.asked("search/find").length, times, seconds);
  }
});

test("answers of the wrong shape are named, and never half an answer", async () => {
  const knarr = await connect({ apiKey: "secret" });
  const row = { uri: FILE, level: 2, score: 0.5, context_type: "resource", abstract: "x", tags: [] };
  const answers = (result) => {
    server.fault = (path) => (path === "health" ? undefined : raw(200, { status: "ok", result }));
  };
  for (const [resources, message] of [
    [[{ ...row, score: "0.5" }], /resources\[0\]\.score is not a number/], [[row, { ...row, uri: 5 }], /resources\[1\]\.uri/],
    [[{ ...row, level: 7 }], /level/], [{}, /result\.resources is not a list/], [[null], /resources\[0\]\.uri/],
  ]) {
    answers({ memories: [], resources, skills: [] });
    await assert.rejects(knarr.find("x"), refused("BAD_RESPONSE", message), message.source);
  }
  for (const result of [null, "text", 5]) {
    answers(result);
    await assert.rejects(knarr.find("x"), refused("BAD_RESPONSE", /is not a list/));
  }
  answers({ resources: [{ uri: FILE, score: null }] });
  const { resources: [least], memories } = await knarr.find("x");
  assert.deepEqual([least.score, least.level, least.abstract, least.tags, memories], [0, 2, "", [], []]);
  for (const [call, message] of [
    [() => knarr.read(FILE), /not a string/], [() => knarr.ls(), /not a list/], [() => knarr.stat(FILE), /not an object/],
    [() => knarr.grep("viking://", "x"), /result\.matches is not a list/], [() => knarr.glob("*"), /result\.matches is not a list/],
  ]) {
    answers(5);
    await assert.rejects(call(), refused("BAD_RESPONSE", message));
  }
  answers({ matches: [{ line: "1", uri: FILE, content: "" }] });
  await assert.rejects(knarr.grep("viking://", "x"), refused("BAD_RESPONSE", /matches\[0\]/));
});

test("whatever /health does, a server that answers is used", async () => {
  for (const fault of ["html", "truncated", "other", { status: 404, detail: "Not Found" }, raw(200, { status: "ok", version: 5 }), raw(200, { version: "0.0.0+unknown" })]) {
    server.fault = (path) => (path === "health" ? fault : undefined);
    assert.ok((await (await connect({ apiKey: "secret" })).find("bowline")).total > 0, JSON.stringify(fault));
  }
  server.fault = (path) => (path === "health" ? { status: 503 } : undefined);
  const knarr = await connect({ apiKey: "secret" });
  await assert.rejects(knarr.find("bowline"), refused("UNAVAILABLE", /health answered 503/));
  server.fault = undefined;
  assert.ok((await knarr.find("bowline")).total > 0, "asked again");
});

test("a time without an end, or longer than timers take, is one", async () => {
  const slow = createServer((_, response) => setTimeout(() => response.setHeader("content-type", "application/json").end('{"status":"ok","result":[]}'), 30));
  await new Promise((resolve) => slow.listen(0, "127.0.0.1", resolve));
  try {
    for (const timeout_ms of [Infinity, 2 ** 31]) {
      const knarr = await Knarr.remote(`http://127.0.0.1:${slow.address().port}`, { timeout_ms, version: "0.5.2" });
      assert.deepEqual(await knarr.ls(), []);
    }
  } finally {
    slow.closeAllConnections();
    slow.close();
  }
});

test("nothing at the address", async () => {
  const gone = createServer();
  await new Promise((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address();
  await new Promise((resolve) => gone.close(resolve));
  const knarr = await Knarr.remote(`http://127.0.0.1:${port}`);
  for (const [call, path] of [[() => knarr.ls(), "api/v1/fs/ls"], [() => knarr.find("x"), "health"]]) {
    await assert.rejects(call(), refused("UNAVAILABLE", new RegExp(`:${port}/${path} could not be reached \\(.*ECONNREFUSED`)));
  }
});

test("the caller's signal ends a call, and only that one", async () => {
  const knarr = await connect({ apiKey: "secret", timeout_ms: 60_000 });
  server.fault = (path) => (path === "fs/ls" || path === "health" ? "hang" : undefined);
  await assert.rejects(knarr.ls("viking://", { signal: AbortSignal.timeout(50) }), refused("DEADLINE_EXCEEDED", /./));
  server.fault = (path) => (path === "fs/ls" ? "hang" : undefined);
  const ready = await connect({ apiKey: "secret", timeout_ms: 60_000 });
  const controller = new AbortController();
  const hanging = ready.ls("viking://", { signal: controller.signal });
  const other = ready.find("bowline");
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(hanging, refused("ABORTED", /./));
  assert.ok((await other).total > 0);
  await assert.rejects(ready.find("x", { signal: controller.signal }), refused("ABORTED", /./));
  await assert.rejects(ready.find("x", { signal: 5 }), refused("INVALID_ARGUMENT", /AbortSignal/));
});

test("close ends what is in progress", async () => {
  const knarr = await connect({ apiKey: "secret", timeout_ms: 60_000 });
  server.fault = (path) => (path === "fs/ls" ? "hang" : undefined);
  const hanging = knarr.ls();
  setTimeout(() => knarr.close(), 50);
  await assert.rejects(hanging, refused("FAILED_PRECONDITION", /closed/));
  await assert.rejects(knarr.ls(), refused("FAILED_PRECONDITION", /closed/));
});

test("a session is removed when the search is aborted", async () => {
  const knarr = await connect({ apiKey: "secret", timeout_ms: 60_000 });
  server.fault = (path) => (path === "search/search" ? "hang" : undefined);
  const removed = server.removed.length;
  const session = new Session().addMessage("user", "hello");
  await assert.rejects(knarr.search("x", { session, signal: AbortSignal.timeout(200) }), refused("DEADLINE_EXCEEDED", /./));
  await until(() => server.removed.length === removed + 1);
  assert.equal(server.sessions.size, 0);
});

test("knarr/remote is the same without a bundle's code, and knarr/direct says where it is", async () => {
  const { remote } = await import(pathToFileURL(`${DIST}/remote.js`).href);
  assert.ok((await (await remote(server.origin, { apiKey: "secret" })).find("bowline")).total > 0);
  const direct = await import(pathToFileURL(`${DIST}/direct.js`).href);
  await assert.rejects(direct.Knarr.remote(server.origin), refused("FAILED_PRECONDITION", /knarr\/remote/));
});

/** An answer with a status of HTTP, for bodies that have a member `status` of their own. */
function raw(status, body, headers) {
  return { status, headers, body };
}
