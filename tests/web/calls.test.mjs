/**
 * The calls that OpenViking's documents print, as this package writes them, against one agent's tree: in Node and in
 * Chromium. Names of options are the documents'; `session_info=` is `session`. tests/cli/calls.rs has the same for the
 * command line.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { AGENT, DIST } from "./bundles.mjs";
import { serveEndpoints } from "./endpoints.mjs";
import { serve } from "./server.mjs";

/** The plan of the documents' example, "Help me implement OAuth". */
const PLAN = JSON.stringify({
  reasoning: "a complex task may need a skill, a resource and a memory",
  queries: [
    { query: "Implement OAuth authentication", context_type: "skill", intent: "the skill", priority: 5 },
    { query: "OAuth 2.0 implementation guide", context_type: "resource", intent: "the guide", priority: 4 },
    { query: "User's API project details", context_type: "memory", intent: "the project", priority: 3 },
  ],
});

const AUTH = "viking://resources/docs/auth.md";
const OAUTH = "viking://resources/docs/oauth.md";
const TODAY = "viking://resources/email/invoice-of-today.md";

let site;
let endpoints;
let browser;
let page;

before(async () => {
  const pages = fileURLToPath(new URL("pages", import.meta.url));
  site = await serve({ "/": pages, "/knarr/": DIST, "/agent/": AGENT }, { policy: false });
  endpoints = await serveEndpoints(PLAN);
  browser = await launch();
  page = await openPage(browser, `${site.origin}/blank.html`);
});

after(async () => {
  await browser?.close();
  await site?.close();
  await endpoints?.close();
});

/** What runs on either side. `call` is the text of a function of the client and the package; it returns plain data. */
async function run({ module, bundle, configured, call }) {
  const api = await import(module);
  const knarr = await api.Knarr.open(bundle, { endpoints: configured });
  try {
    return await new Function("client", "api", `return (${call})(client, api);`)(knarr, api);
  } catch ({ code, message }) {
    return { error: { code, message } };
  } finally {
    knarr.close();
  }
}

const sides = {
  "in Node": (request) => run({ ...request, module: pathToFileURL(`${DIST}/direct.js`).href, bundle: `${site.origin}/agent/` }),
  "in Chromium": (request) => page.evaluate(`(${run})(${JSON.stringify({ ...request, module: "/knarr/index.js", bundle: "/agent/" })})`),
};

const list = ({ memories, resources, skills }) => [...memories, ...resources, ...skills];
const uris = (result) => list(result).map(({ uri }) => uri);
const below = (result, prefix) => uris(result).filter((uri) => uri.startsWith(prefix));
const one = (endpoint) => ({ url: `${endpoints.origin}/ok/${endpoint}`, model: "m", timeout_ms: 2000 });

for (const [side, on] of Object.entries(sides)) {
  const ask = (call, configured) => on({ call: String(call), configured });

  describe(side, () => {
    test("find()", async () => {
      const plain = await ask((client) => client.find("how to authenticate users", { limit: 10 }));
      assert.equal(plain.resources[0].uri, AUTH);
      assert.equal(plain.total, list(plain).length);
      for (const [name, type] of [["uri", "string"], ["context_type", "string"], ["level", "number"], ["score", "number"], ["abstract", "string"]]) {
        assert.equal(typeof plain.resources[0][name], type);
      }
      const slash = await ask((client) => client.find("OAuth authentication", { target_uri: "viking://resources/" }));
      assert.ok(uris(slash).includes(OAUTH));
      const { resources: [first] } = await ask((client) => client.find("OAuth 2.0 authorization code flow implementation"));
      assert.equal(first.uri, OAUTH);
      assert.ok((await ask((client) => client.find("auth"))).total > 0);
    });

    test("find() in a target", async () => {
      const only = await ask((client) => client.find("authentication", { target_uri: "viking://resources" }));
      assert.deepEqual(uris(only), below(only, "viking://resources/"));
      const project = await ask((client) => client.find("API endpoints", { target_uri: "viking://resources/my-project" }));
      assert.equal(uris(project)[0], "viking://resources/my-project/endpoints.md");
      const errors = await ask((client) => client.find("error handling", { target_uri: "viking://resources/my-project" }));
      assert.equal(uris(errors)[0], "viking://resources/my-project/errors.md");
    });

    test("find() in a time", async () => {
      const created = await ask((client) => client.find("invoice", {
        target_uri: "viking://resources/email", since: "7d", time_field: "created_at",
      }));
      assert.deepEqual(uris(created), [TODAY]);
      const none = await ask((client) => client.find("authentication", { target_uri: "viking://resources", since: "7d", time_field: "created_at" }));
      assert.ok(!uris(none).includes(AUTH));
    });

    test("find() in the current user's short forms", async () => {
      for (const [folder, query, expected] of [
        ["memories", "preferences", "preferences/code-style.md"],
        ["resources", "private docs", "private-docs.md"],
        ["skills", "web search", "web-search.md"],
      ]) {
        const call = `(client) => client.find(${JSON.stringify(query)}, { target_uri: "viking://user/${folder}", user: "ann" })`;
        const found = await ask(call);
        assert.ok(uris(found).includes(`viking://user/ann/${folder}/${expected}`));
        assert.deepEqual(uris(found), below(found, `viking://user/ann/${folder}/`));
        const { error } = await ask(call.replace(', user: "ann"', ""));
        assert.equal(error.code, "INVALID_URI");
        assert.match(error.message, /needs a user/);
      }
    });

    test("find() for a peer, by either name", async () => {
      const alice = await ask((client) => client.find("invoice follow-up", { user: "ann", peer_id: "web-visitor-alice", limit: 50 }));
      assert.equal(below(alice, "viking://user/ann/peers/web-visitor-alice/").length, 2);
      assert.deepEqual(below(alice, "viking://user/ann/peers/web-visitor-bob"), []);
      assert.deepEqual(below(alice, "viking://user/ben"), []);
      const other = await ask((client) => client.find("invoice follow-up", { user: "ann", actor_peer: "web-visitor-alice", limit: 50 }));
      assert.deepEqual(other, alice);
      for (const more of [{ peer_id: "a", actor_peer: "b" }, { peer_id: "web:visitor:alice" }, { peer_id: "web+visitor+alice" }, { peer_id: ".." }]) {
        const { error } = await ask(`(client) => client.find("invoice", ${JSON.stringify({ user: "ann", ...more })})`);
        assert.equal(error.code, "INVALID_ARGUMENT", JSON.stringify(more));
      }
    });

    test("find() by type: shared skills for every user, and nobody else's memories", async () => {
      const skills = await ask((client) => client.find("implement oauth", { user: "ann", context_type: "skill" }));
      assert.equal(below(skills, "viking://agent/skills/").length, 3);
      assert.equal(skills.total, skills.skills.length);
      for (const type of ["memory", "resource", "skill", "memory,skill"]) {
        for (const query of ["preferences", "authentication of users"]) {
          const found = await ask(`(client) => client.find("${query}", { user: "ann", context_type: "${type}", limit: 50 })`);
          assert.ok(found.total > 0 || type === "skill");
          assert.deepEqual(below(found, "viking://user/ben"), []);
        }
      }
    });

    test("levels, limits, tags, types and thresholds in every form", async () => {
      const levels = async (level) => {
        const rows = list(await ask(`(client) => client.find("how to authenticate users", { level: ${JSON.stringify(level)}, limit: 50 })`));
        return [...new Set(rows.map((row) => row.level))].sort();
      };
      for (const [level, expected] of [["0", [0]], ["0,2", [0, 2]], [0, [0]], [[0, 2], [0, 2]], ["2", [2]]]) {
        assert.deepEqual(await levels(level), expected);
      }
      const all = await levels("0,1,2");
      assert.ok(all.includes(2) && all.length > 1);
      const some = await ask((client) => client.find("users", { limit: 9, node_limit: 2 }));
      assert.equal(some.total, 2);
      const tagged = await ask((client) => client.find("users", { tags: ["team=infra", "project=viking"] }));
      assert.deepEqual(uris(tagged), [AUTH]);
      const high = await ask((client) => client.find("users", { score_threshold: 0.5 }));
      assert.ok(high.total < 10 && list(high).every(({ relevance }) => relevance > 0.5));
      const everywhere = await ask((client) => client.find("users", { target_uri: ["", "/", "viking://"] }));
      assert.ok(everywhere.total > 1);
      for (const [options, message] of [[{ context_type: "page" }, /memory, resource/], [{ time_field: "now" }, /time_field/], [{ tags: ["a="] }, /`a=`/], [{ unknown: 1 }, /unknown option/]]) {
        const { error } = await ask(`(client) => client.find("users", ${JSON.stringify(options)})`);
        assert.equal(error.code, "INVALID_ARGUMENT");
        assert.match(error.message, message);
      }
    });

    test("include_provenance and telemetry on find()", async () => {
      const found = await ask((client) => client.find("oauth", { user: "ann", include_provenance: true, telemetry: { summary: true } }));
      const [told] = found.provenance;
      assert.equal(told.query, "oauth");
      assert.deepEqual(told.searched_directories, ["viking://user/ann", "viking://resources", "viking://agent/skills"]);
      assert.equal(told.matched_contexts.length, found.total);
      assert.deepEqual(Object.keys(told.matched_contexts[0]).sort(), ["context_type", "match_reason", "score", "tier", "uri"]);
      assert.deepEqual(told.thinking_trace.events, []);
      assert.ok(told.thinking_trace.statistics.directories_searched > 0);
      assert.equal(found.telemetry.summary.operation, "search.find");
      assert.equal(found.telemetry.summary.vector.returned, found.total);
      const off = await ask((client) => client.find("oauth", { include_provenance: false, telemetry: { summary: false } }));
      assert.ok(!("provenance" in off) && !("telemetry" in off));
      for (const telemetry of [{ events: true }, { summary: 1 }, "yes"]) {
        const { error } = await ask(`(client) => client.find("oauth", { telemetry: ${JSON.stringify(telemetry)} })`);
        assert.equal(error.code, "INVALID_ARGUMENT");
        assert.match(error.message, /telemetry/);
      }
    });

    test("offset: pages put together are the long answer", async () => {
      const { long, pages, far } = await ask(async (client) => {
        const page = (limit, offset) => client.find("oauth users invoice", { limit, offset });
        const pages = [];
        for (const offset of [0, 5, 10, 15]) pages.push(await page(5, offset));
        return { long: await page(20, 0), pages, far: await page(5, 1000) };
      });
      const shown = (results) => results.flatMap(list).map(({ uri, score }) => `${uri} ${score}`).sort();
      assert.ok(long.total > 15);
      assert.deepEqual(shown(pages), shown([long]));
      assert.equal(far.total, 0);
      const search = await ask((client) => client.search("oauth users invoice", { limit: 5, offset: 5 }));
      assert.deepEqual(uris(search), uris(pages[1]));
    });

    test("search() without a conversation", async () => {
      const found = await ask((client) => client.search("how to implement OAuth 2.0 authorization code flow"));
      assert.equal(found.resources[0].uri, OAUTH);
      assert.equal(found.query_plan.queries.length, 1);
      const times = { since: "2026-03-15", until: "2026-03-20" };
      const watched = await ask(`(client) => client.search("watch vs scheduled", ${JSON.stringify(times)})`);
      assert.equal(watched.resources[0].uri, "viking://resources/docs/watch.md");
    });

    test("search() with a conversation: each query of the plan has its roots, and every trace is there", async () => {
      const call = async (client, { Session }) => {
        const session = new Session();
        session.addMessage("user", [{ type: "text", text: "I need to implement OAuth in my API" }]);
        session.addMessage("assistant", "I can help you with OAuth implementation.");
        return client.search("Help me implement OAuth", { session, user: "ann", trace: true, telemetry: { summary: true } });
      };
      const found = await ask(call, { intent: one("chat"), rerank: one("rerank") });
      assert.deepEqual(found.skipped.filter(({ step }) => step === "context_type"), []);
      assert.deepEqual(found.query_plan.queries.map(({ context_type, priority }) => [context_type, priority]), [["skill", 5], ["resource", 4], ["memory", 3]]);
      assert.ok(found.skills.length > 0 && found.resources.length > 0 && found.memories.length > 0);
      assert.deepEqual(below(found, "viking://user/ben"), []);
      const [skill, resource, memory] = found.query_results;
      assert.deepEqual(skill.searched_directories, ["viking://user/ann/skills", "viking://agent/skills"]);
      assert.deepEqual(resource.searched_directories, ["viking://resources", "viking://user/ann"]);
      assert.deepEqual(memory.searched_directories, ["viking://user/ann"]);
      assert.deepEqual(found.query_results.map(({ query }) => query), found.query_plan.queries);
      for (const { trace, matched_contexts } of found.query_results) {
        assert.ok(trace.words.length > 0 && trace.candidates.length > 0);
        assert.equal(matched_contexts[0].match_reason, "score of the rerank model");
      }
      assert.equal(found.telemetry.summary.operation, "search.search");
      assert.equal(found.telemetry.summary.search.typed_queries_count, 3);
    });

    test("grep() and glob()", async () => {
      const { some, all, deep, pages, code } = await ask(async (client) => ({
        some: await client.grep("viking://resources", "authentication", { case_insensitive: true }),
        all: await client.grep("viking://resources", "Authentication"),
        deep: await client.grep("viking://resources", "TODO", { level_limit: 3 }),
        pages: await client.glob("**/*.md", "viking://resources"),
        code: await client.glob("**/*.py", "viking://resources"),
      }));
      assert.ok(some.count > all.count && all.count > 0);
      const [{ uri, line, content }] = deep.matches;
      assert.deepEqual([deep.count, uri, typeof line, /TODO/.test(content)], [1, "viking://resources/docs/watch.md", "number", true]);
      assert.ok(pages.matches.includes(AUTH));
      assert.deepEqual([pages.count, code.count], [pages.matches.length, 0]);
    });

    test("results are read step by step, and their relations", async () => {
      const read = await ask(async (client) => {
        const { resources: [first] } = await client.find("authentication", { context_type: "resource" });
        const { resources: [directory] } = await client.find("authentication", { level: 0, target_uri: "viking://resources/docs" });
        return {
          first, directory, content: await client.read(first.uri), overview: await client.overview(directory.uri),
          relations: await client.relations("viking://resources/docs/oauth.md"),
        };
      });
      assert.equal(read.first.level, 2);
      assert.match(read.content, /argon2/);
      assert.equal(read.directory.level, 0);
      assert.ok(read.overview.length > 0);
      assert.ok(read.relations.some(({ uri, reason }) => uri === AUTH && reason.length > 0));
    });
  });
}
