/** `Knarr.remote`: the client against a strict server of each kind of version, and from a page of another origin. */

import assert from "node:assert/strict";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, afterEach, before, describe, test } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { DIST } from "./bundles.mjs";
import { refused, until, uris } from "./expect.mjs";
import { serveOpenViking } from "./openviking.mjs";
import { serve } from "./server.mjs";

const { Knarr, Session } = await import(pathToFileURL(`${DIST}/index.js`).href);
const GUIDE = "viking://resources/handbook/guide";
const FILE = `${GUIDE}/mooring.md`;
const VERSIONS = { "old, before identity headers": "0.3.24", "with forbidden fields": "0.4.11", "current": "0.5.2", "of unknown version": undefined };

const steps = ({ skipped }) => skipped.map(({ step }) => step);

for (const [name, version] of Object.entries(VERSIONS)) {
  describe(`a server ${name}`, () => {
    let server;
    let knarr;
    const old = version === "0.3.24";

    before(async () => {
      server = await serveOpenViking(version);
      knarr = await Knarr.remote(server.origin);
      assert.equal(server.requests.length, 0, "nothing is sent before the first call");
    });

    after(async () => {
      assert.deepEqual(server.ignored, [], "nothing was sent that this version does not know");
      assert.equal(server.asked("health").length, 1, "the version is asked for once");
      await server.close();
    });

    afterEach(() => {
      server.plan = undefined;
    });

    test("find answers in the shape of a bundle's", async () => {
      const found = await knarr.find("bowline", { limit: 3 });
      assert.deepEqual(Object.keys(found).sort(), ["corrections", "memories", "resources", "skills", "skipped", "total"]);
      assert.equal(found.total, 3);
      assert.ok([...found.memories, ...found.resources].every(({ level }) => level === 2), "files only, unless levels are named");
      const [first] = found.resources;
      const { text, highlights: [[start, end]] } = first.excerpt;
      assert.equal(text.slice(start, end), "bowline");
      assert.deepEqual({ ...first, excerpt: null }, {
        context_type: "resource", uri: FILE, level: 2, score: 0.9, relevance: 0.9, abstract: text, title: "mooring.md", url: "", sections: [],
        tags: version === "0.5.2" || version === undefined ? ["lang=en"] : [], excerpt: null,
      });
      const { resources: [bare] } = await knarr.find("bowline", { limit: 1, excerpts: false });
      assert.deepEqual(bare.excerpt, { text: "", highlights: [] });
    });

    test("levels, types and peers are kept to, whoever narrows", async () => {
      assert.deepEqual(uris(await knarr.find("bowline", { level: 0 })), [`${GUIDE}/.abstract.md`]);
      assert.deepEqual(uris(await knarr.find("guide", { level: "1" })), [`${GUIDE}/.overview.md`]);
      const memories = await knarr.find("bowline", { context_type: "memory, Memory" });
      assert.ok(memories.total > 0 && memories.resources.length === 0);
      const mine = uris(await knarr.find("bowline", { user: "alice", actor_peer: "web", limit: 20 }));
      assert.ok(mine.includes("viking://user/alice/peers/web/memories/boats.md"));
      assert.ok(!mine.some((uri) => uri.includes("/bob/") || uri.includes("/shop/")), mine.join());
      const { headers, body } = server.asked("search/find").pop();
      assert.equal(headers["x-openviking-actor-peer"], "web");
      assert.equal(body.peer_id, old ? "web" : undefined);
      assert.deepEqual(uris(await knarr.find("bowline", { user: "alice", peer_id: "web", limit: 20 })), mine);
      await assert.rejects(knarr.find("bowline", { actor_peer: "web", peer_id: "shop" }), refused("INVALID_ARGUMENT", /two names/));
      await knarr.find("bowline", { user: "alice", target_uri: "viking://user/memories" }).catch(() => {});
      assert.equal(server.asked("search/find").pop().body.target_uri, old ? "viking://user/memories" : "viking://~/memories");
      const filter = { op: "and", conds: [{ op: "prefix", field: "name", prefix: "m" }, { op: "must_not", field: "uri", conds: [GUIDE] }] };
      assert.ok(!uris(await knarr.find("bowline", { filter })).some((uri) => uri.startsWith(GUIDE)));
    });

    test("what narrows and this version does not know is refused; what only steers is left out and told", async () => {
      const options = { tags: ["lang=en"] };
      if (old) await assert.rejects(knarr.find("bowline", options), refused("UNIMPLEMENTED", /tags needs OpenViking 0\.4\.3.*0\.3\.24/));
      else assert.ok((await knarr.find("bowline", options)).total > 0);
      const told = await knarr.find("bowline", { mode: "quick", preset: "classic", alpha: 0.5, graph: 0.1, hybrid: { recency: true }, explain: true, trace: true });
      assert.deepEqual(steps(told), ["mode", "preset", "alpha", "graph", "hybrid", "explain", "trace"]);
      await assert.rejects(knarr.find("bowline", { hybrid: { access: [] } }), refused("UNIMPLEMENTED", /hybrid\.access/));
      assert.deepEqual(steps(await knarr.find("bowline", { mode: "auto", alpha: null, explain: false, prefix: false, limit: 0 })), []);
      await assert.rejects(knarr.find("bowline", { vector: [1] }), refused("UNIMPLEMENTED", /vector/));
      await assert.rejects(knarr.find("bowline", { offset: 10 }), refused("UNIMPLEMENTED", /no pages/));
      await assert.rejects(knarr.find("bowline", { telemetry: { events: true } }), refused("INVALID_ARGUMENT", /telemetry/));
      const { body } = (await knarr.find("boats", { since: "2h", now: Date.UTC(2026, 2, 11, 18), time_field: "created_at" }), server.requests.pop());
      assert.equal(body.since, "2026-03-11T16:00:00.000Z");
      assert.equal(body.time_field, "created_at");
      assert.equal(body.limit, 10);
    });

    test("mistakes are named before anything is sent", async () => {
      await knarr.ls();
      const sent = server.requests.length;
      for (const [options, code, message] of [
        [{ limmit: 3 }, "INVALID_ARGUMENT", /unknown option limmit; known are target_uri/], [{ limit: -1 }, "INVALID_ARGUMENT", /limit is not/],
        [{ level: 3 }, "INVALID_ARGUMENT", /level/], [{ mode: "slow" }, "INVALID_ARGUMENT", /mode/], [{ context_type: "page" }, "INVALID_ARGUMENT", /page/],
        [{ filter: { op: "MUST", field: "tags", conds: [] } }, "INVALID_FILTER", /filter\.op/],
        [{ filter: { op: "and", conds: [{ op: "must", field: "nothing", conds: [] }] } }, "INVALID_FILTER", /conds\[0\]\.field/],
        [{ filter: { op: "and", conds: [] } }, "INVALID_FILTER", /filter\.conds: must not be empty/],
        [{ filter: { op: "regex", field: "name", pattern: "(" } }, "INVALID_FILTER", /filter\.pattern/],
        [{ filter: { op: "range", field: "level", gte: "x" } }, "INVALID_FILTER", /filter\.gte/],
        [{ filter: { op: "time_range", field: "level", gte: 1 } }, "INVALID_FILTER", /needs a date/],
        [{ filter: { op: "must", field: "uri", conds: ["a"] } }, "INVALID_FILTER", /full uri/],
        [{ filter: { op: "must", field: "tags", conds: ["a"], x: 1 } }, "INVALID_FILTER", /filter\.x/],
        [{ filter: { op: "must", field: "tags", conds: ["a", 3] } }, "INVALID_FILTER", /conds\[1\]/],
        [{ filter: ["and"] }, "INVALID_FILTER", /expected an object/], [{ intent: "always" }, "INVALID_ARGUMENT", /unknown option intent/],
      ]) {
        await assert.rejects(knarr.find("bowline", options), refused(code, message), JSON.stringify(options));
      }
      await assert.rejects(knarr.find("  "), refused("INVALID_ARGUMENT", /must not be empty/));
      await assert.rejects(knarr.find(42), refused("INVALID_ARGUMENT", /not a string/));
      await assert.rejects(knarr.abstract(GUIDE, { limit: 1 }), refused("INVALID_ARGUMENT", /limit/));
      await assert.rejects(knarr.search("x", { session: { messages: "hello" } }), refused("INVALID_ARGUMENT", /messages/));
      assert.equal(server.requests.length, sent);
    });

    test("search without a conversation is one request and says so", async () => {
      const sent = server.requests.length;
      const found = await knarr.search("bowline", { intent: "always", include_provenance: true, rerank: false });
      assert.equal(server.requests.length, sent + 1);
      assert.equal(found.query_plan.queries[0].query, "bowline");
      assert.deepEqual(steps(found), ["intent", "rerank"]);
      assert.deepEqual(Object.keys(found.provenance[0]).sort(), ["matched_contexts", "query", "searched_directories"]);
      assert.equal(found.telemetry, undefined);
      const { telemetry } = await knarr.search("bowline", { telemetry: true });
      assert.deepEqual([telemetry.id, telemetry.summary.operation], ["tm_1", "search.search"]);
      assert.equal((await knarr.find("bowline", { telemetry: true })).telemetry.summary.operation, "search.find");
      assert.ok(found.provenance[0].matched_contexts.every(({ tier }) => tier === "L2"));
    });

    test("a conversation becomes a session, which is removed", async () => {
      server.plan = { reasoning: "two needs", queries: [
        { query: "knots", context_type: "resource", intent: "how", priority: 1 }, { query: "loops", context_type: null, intent: "", priority: 2 },
      ] };
      const session = new Session({ summary: "of boats" });
      for (const text of ["1 \ud83d", "2", " ", "3", "4", "5", "6"]) session.addMessage("user", text);
      session.messages.push({ role: "assistant", content: [{ text: "seven" }] });
      const best = await knarr.search("bowline", { session, limit: 1 });
      const said = server.requests.filter(({ path }) => path.endsWith("/messages"));
      assert.deepEqual(said.map(({ body }) => body), [...["3", "4", "5", "6"].map((content) => ({ role: "user", content })), { role: "assistant", content: "seven" }]);
      assert.deepEqual(best.query_plan, server.plan);
      assert.deepEqual(uris(best), [FILE]);
      assert.equal(best.resources[0].score, 0.9 + 0.05);
      assert.deepEqual(steps(best), ["summary"]);
      const concat = await knarr.search("bowline", { session, merge: "concat", limit: 1 });
      assert.deepEqual(uris(concat), [FILE, FILE]);
      await until(() => server.removed.length === 2);
      assert.equal(server.sessions.size, 0);
      await knarr.search("bowline", { session_id: "theirs", session });
      assert.equal(server.requests.at(-1).body.session_id, "theirs");
      await knarr.search("bowline", { session, intent: "never" });
      assert.equal(server.requests.at(-1).body.session_id, undefined);
    });

    test("a plan that fails leaves the search as asked, and says why", async () => {
      server.plan = "broken";
      const found = await knarr.search("bowline", { session: { messages: [{ role: "user", content: "hello" }] } });
      assert.ok(found.total > 0);
      assert.deepEqual(steps(found), ["intent"]);
      assert.match(found.skipped[0].reason, /INVALID_ARGUMENT: Failed to parse intent/);
      server.plan = undefined;
      const unplanned = await knarr.search("bowline", { session_id: "theirs" });
      assert.match(unplanned.skipped[0].reason, /enable_intent/);
    });

    test("grep and glob", async () => {
      const progress = [];
      const found = await knarr.grep("viking://resources", "BOWLINE|wind", { case_insensitive: true, onProgress: (state) => progress.push(state) });
      assert.deepEqual(found.matches[0], { line: 3, uri: FILE, content: "A bowline is a loop that never jams." });
      assert.equal(found.count, 2);
      assert.deepEqual(progress, [{ files: 2, total: 2, matches: 2 }]);
      assert.equal((await knarr.grep("viking://resources", "wind|bowline", { exclude_uri: `${FILE}/` })).count, 1);
      assert.equal((await knarr.grep("viking://resources", "wind", { level_limit: 2 })).count, 0);
      await assert.rejects(knarr.grep("viking://", "("), refused("INVALID_ARGUMENT", /regex/));
      assert.deepEqual((await knarr.glob("**/*.md", GUIDE, { node_limit: 1 })).matches, [FILE]);
    });

    test("contents, whatever the server calls them", async () => {
      assert.match(await knarr.abstract(GUIDE), /^How to moor/);
      assert.match(await knarr.abstract(`${GUIDE}/.overview.md`), /^How to moor/);
      assert.match(await knarr.abstract(FILE), /^How to moor/, "a file's is its directory's");
      assert.equal(await knarr.abstract("viking://resources/other"), "", "no line that says that it is not ready");
      assert.equal(await knarr.overview(GUIDE), "# guide\n\n- mooring.md\n- weather.md\n");
      assert.equal(await knarr.read(`${GUIDE}/.overview.md`, { offset: 2, limit: 1 }), "- mooring.md\n");
      assert.equal(await knarr.read(FILE, { offset: 2 }), "A bowline is a loop that never jams.\n");
      await assert.rejects(knarr.read(`${GUIDE}/none.md`), (error) => {
        assert.deepEqual([error.status, error.details.resource, error.request_id], [404, `${GUIDE}/none.md`, "made-here"]);
        return refused("NOT_FOUND", /File not found/)(error);
      });
      await assert.rejects(knarr.read(GUIDE), refused("INVALID_ARGUMENT", /not readable as a file/));
      await knarr.read(FILE, { raw: true });
      assert.equal(server.asked("content/read").pop().query.raw, "true");
    });

    test("files as bytes", async () => {
      const bytes = await knarr.download(FILE);
      assert.deepEqual([...bytes.subarray(0, 2)], [0xff, 0]);
      assert.equal(new TextDecoder().decode(bytes.subarray(2)), await knarr.read(FILE));
      const missing = { code: "NOT_FOUND", status: 404, message: `Resource not found: ${GUIDE}/none.md` };
      await assert.rejects(knarr.download(`${GUIDE}/none.md`), ({ code, status, message }) => {
        assert.deepEqual({ code, status, message }, missing);
        return true;
      });
    });

    test("the tree", async () => {
      const modTime = old ? "" : "2026-03-11T16:00:00.000Z";
      const directory = { uri: GUIDE, size: 0, isDir: true, modTime, abstract: "", rel_path: "guide" };
      assert.deepEqual(await knarr.ls("viking://resources/handbook/"), [directory]);
      const order = { show_all_hidden: true, sort_by: "mtime", sort_order: "desc" };
      await knarr.ls("viking://resources/handbook/", order);
      const { show_all_hidden, sort_by, sort_order } = server.asked("fs/ls").pop().query;
      assert.deepEqual({ show_all_hidden, sort_by, sort_order }, { ...order, show_all_hidden: "true" });
      const names = async (options) => (await knarr.ls(GUIDE, options)).map(({ rel_path }) => rel_path);
      const [mooring, weather] = ["mooring.md", "weather.md"];
      assert.deepEqual(await names(), [mooring, weather]);
      assert.deepEqual(await names({ sort_by: "name", sort_order: "desc" }), [weather, mooring]);
      if (!old) assert.deepEqual(await names({ sort_by: "mtime" }), [weather, mooring]);
      assert.deepEqual(await names({ sort_by: "mtime", sort_order: "desc" }), [mooring, weather]);
      await assert.rejects(knarr.ls("viking://resources/handbook/", { sort_by: "size" }), refused("INVALID_ARGUMENT", /sort_by/));
      assert.deepEqual((await knarr.tree("viking://resources/handbook"))[1], { ...directory, uri: FILE, size: 53, isDir: false, rel_path: "guide/mooring.md" });
      await assert.rejects(knarr.ls("resources"), refused("INVALID_URI", /resources/));
      const stat = { name: "guide", size: 0, modTime: "2026-03-11T14:00:00.123Z", isDir: true, count: 4, context_type: "resource", title: "guide" };
      assert.deepEqual(await knarr.stat(`${GUIDE}/.abstract.md`), { ...stat, tags: old ? [] : ["lang=en"] });
      assert.equal((await knarr.stat(FILE)).count, 0);
    });

    test("relations where the server has them, and no counts of a bundle", async () => {
      if (version === "0.5.2" || version === undefined) await assert.rejects(knarr.relations(FILE), refused("UNIMPLEMENTED", /no relations/));
      else assert.deepEqual(await knarr.relations(FILE), [{ uri: `${GUIDE}/weather.md`, type: "link", reason: "wind", title: "", url: "", abstract: "" }]);
      const { resources: [first], skipped } = await knarr.find("bowline", { relations: true, limit: 1, user: "alice" });
      if (version === "0.5.2") assert.deepEqual(skipped.map(({ step }) => step), ["relations"]);
      else assert.deepEqual(first.relations, version === undefined ? undefined : [{ uri: "viking://resources/other", type: "link", reason: "", title: "", url: "", abstract: "Another." }], "none of another user");
      for (const call of ["inspect", "statistics"]) await assert.rejects(knarr[call](), refused("UNIMPLEMENTED", /server/));
    });
  });
}

test("a server without levels and lists of targets", async () => {
  const server = await serveOpenViking("0.2.11");
  const knarr = await Knarr.remote(server.origin);
  const found = await knarr.find("bowline", { limit: 1, target_uri: ["", "viking://resources/handbook"] });
  assert.deepEqual(uris(found), [FILE]);
  assert.deepEqual(steps(found), ["level"]);
  assert.equal(server.requests.at(-1).body.target_uri, "viking://resources/handbook");
  await assert.rejects(knarr.find("bowline", { target_uri: ["viking://resources", "viking://user"] }), refused("UNIMPLEMENTED", /0\.3\.13/));
  await assert.rejects(knarr.find("bowline", { since: "2h" }), refused("UNIMPLEMENTED", /0\.3\.9/));
  assert.equal((await knarr.grep("viking://resources", "wind|bowline", { exclude_uri: FILE })).count, 1);
  assert.equal((await knarr.grep("viking://resources", "wind", { level_limit: 2 })).count, 0);
  assert.deepEqual(server.ignored, []);
  await server.close();
});

describe("from a page of another origin", () => {
  let browser;
  let page;
  let server;
  let site;

  before(async () => {
    site = await serve({ "/": fileURLToPath(new URL("pages", import.meta.url)), "/knarr/": DIST }, { policy: false });
    server = await serveOpenViking("0.5.2", { key: "secret" });
    browser = await launch();
    page = await openPage(browser, `${site.origin}/blank.html`);
  });

  after(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
  });

  /** What runs in the page. */
  const run = (url) => page.evaluate(async (url) => {
    const { Knarr, KnarrError, Session } = await import("/knarr/index.js");
    const told = (error) => ({ ours: error instanceof KnarrError, code: error.code, message: error.message, id: error.request_id });
    const knarr = await Knarr.remote(url, { apiKey: "secret", user: "alice", requestId: () => "from-the-page" });
    try {
      const session = new Session().addMessage("user", "hello");
      return {
        instance: knarr instanceof Knarr,
        found: await knarr.find("bowline", { limit: 1 }),
        searched: await knarr.search("bowline", { session, limit: 1 }),
        rows: await knarr.ls("viking://resources/handbook"),
        error: await knarr.read("viking://resources/none").catch(told),
      };
    } catch (error) {
      return { error: told(error) };
    }
  }, url);

  test("all works through preflights, and the engine is not loaded", async () => {
    const { instance, found, searched, rows, error } = await run(server.origin);
    assert.ok(instance);
    assert.deepEqual(uris(found), [FILE]);
    assert.equal(searched.total, 1);
    assert.equal(rows[0].uri, GUIDE);
    assert.deepEqual({ ...error, message: "" }, { ours: true, code: "NOT_FOUND", message: "", id: "from-the-page" });
    await until(() => server.removed.length === 1);
    assert.equal(server.requests.at(-1).headers.cookie, undefined);
    const loaded = site.requests.map(({ path }) => path).filter((path) => path.startsWith("/knarr/"));
    assert.deepEqual(loaded.sort(), ["/knarr/index.js", "/knarr/remote.js"]);
  });

  test("a server that does not allow the page is named with the remedy", async () => {
    server.cors = false;
    const { error } = await run(server.origin);
    server.cors = true;
    assert.equal(error.code, "UNAVAILABLE");
    assert.match(error.message, /health could not be reached .*allow the origin http:\/\/127.*cors_origins/);
  });
});
