/** Uses of the declared types. `tsc` is the test: each `@ts-expect-error` fails when its line is accepted. */

import { Knarr, KnarrError, Session } from "knarr";
import type { Endpoints, FindResult, GrepProgress, KnarrErrorCode, Level, SearchResult } from "knarr";
import { Knarr as Direct } from "knarr/direct";
import type { KnarrSearch } from "knarr/element";
import { remote as collection } from "knarr/qdrant";
import { remote } from "knarr/remote";

const signal = new AbortController().signal;
const knarr: Knarr = await Knarr.open("/search/", { worker: () => new Worker("/w.js", { type: "module" }), signal });
const direct: Direct = await Direct.open(new Uint8Array(8), { wasmUrl: new URL("https://example.org/core.wasm") });

const found: FindResult = await knarr.find("words", {
  target_uri: ["viking://resources/a"], limit: 5, score_threshold: 0.2, level: [0, 2], mode: "thinking", alpha: 0.5,
  vector: new Float32Array(64), lang: ["pt-BR", "*"], version: "2.x", prefix: false, excerpts: true, signal,
});
const elsewhere: string[] = (found.resources[0]?.also ?? []).map(({ lang, version, url }) => `${lang ?? ""} ${version ?? ""} ${url}`);
const level: Level | undefined = found.resources[0]?.level;
for (const { excerpt, sections } of found.memories) {
  for (const [start, end] of excerpt.highlights) excerpt.text.slice(start, end).toUpperCase();
  sections.map(({ anchor, url }) => `${url}#${anchor}`);
}
const isLost: boolean = found.skipped.some(({ step }) => step === "exact_phrase");
const [typed, read]: [string, string] = found.corrections[0] ?? ["", ""];

const endpoints: Endpoints = {
  intent: { url: "/api/chat", model: "m", response_format: "schema", temperature: null, context_types: ["resource"] },
  rerank: {
    url: new URL("https://a.example/rerank"), flavour: "template", scores: "logit", headers: { authorization: "Bearer x" },
    template: { request: { q: "{{query}}", d: "{{documents}}" }, results: "/result/data", score: "/score" },
  },
  embedding: { url: "/api/embed", model: "m", flavour: "cohere", dimensions: 256, query_params: { truncate: "END" } },
};
const asked: Knarr = await Knarr.open("/search/", { endpoints, delegateWasmUrl: "/delegate.wasm" });
const session = new Session({ summary: "before" }).addMessage("user", "hello");
const searched: SearchResult = await asked.search("words", { session, intent: "always", merge: "concat", limit: 3, signal });
const type: string | null | undefined = searched.query_plan.queries[0]?.context_type;
const traced: SearchResult = await asked.search("words", { trace: true, offset: 10, telemetry: { summary: true } });
const words: string[] | undefined = traced.query_results?.[0]?.trace?.words.map(({ word }) => word);
const intent: string | undefined = traced.query_results?.[0]?.query.intent;
const where: string[] | undefined = (await asked.find("words", { include_provenance: true })).provenance?.[0]?.searched_directories;
const tier: string | undefined = searched.provenance?.[0]?.matched_contexts[0]?.tier;
await asked.search("words", { session: { messages: [{ role: "user", content: [{ text: "a" }] }] }, rerank: false });

const lines = await knarr.grep("viking://", "x", { onProgress: ({ files, total }: GrepProgress) => files / total });
const line: number | undefined = lines.matches[0]?.line;
const { count } = await knarr.glob("**/*.md", "viking://resources", { node_limit: 3 });
const text: string = await knarr.read("viking://a", { offset: 2, limit: -1 });
const rows = await knarr.ls();
const when: string | undefined = rows[0]?.modTime;
const told = (await knarr.find("words", { explain: true, trace: true })).resources[0]?.explain;
const ground: [number | undefined, number | undefined] = [told?.share, told?.cosine];
const passed: number | undefined = told?.propagation && told.propagation.own_weight * told.propagation.directory_score;
const searchedIn: string[] = (found.trace?.events ?? []).flatMap((event) => (event.event_type === "embedding_scores" ? event.directory ?? [] : []));
const { alpha, packs }: { alpha: number; packs: number } = await knarr.inspect();
const bytes: number = (await direct.inspect({ signal })).bytes;

try {
  knarr.close();
} catch (error) {
  if (error instanceof KnarrError) {
    const code: KnarrErrorCode = error.code;
    // @ts-expect-error: not a code
    const wrong: "SOMETHING_ELSE" = error.code;
    void [code, wrong];
  }
}

const server = await Knarr.remote("https://ov.example/", {
  apiKey: "k", account: "a", user: "u", actorPeer: "p", headers: { "x-a": "b" }, requestId: (path) => path, version: "0.4.12", timeout_ms: 1000, max_bytes: 1e6,
});
const same: Knarr = server;
await server.search("words", { session_id: "s", session, merge: "concat" });
await (await remote(new URL("https://ov.example/"))).find("words", { tags: ["a=b"] });
const qdrant = await Knarr.remote("https://qdrant.example:6333/", { engine: "qdrant", collection: "docs", apiKey: "k", timeout_ms: 1000 });
await qdrant.find("words", { limit: 5, tags: ["a=b"] });
await (await collection("https://qdrant.example:6333/", { collection: "docs" })).read("viking://resources/a.md");
const failed = (error: KnarrError): [number | undefined, string | undefined] => [error.status, error.code === "UNAUTHENTICATED" ? error.request_id : String(error.details?.["resource"])];

const element = document.querySelector("knarr-search") as KnarrSearch;
element.knarr = knarr;
element.strings = { label: "Find" };
element.addEventListener("knarr-select", ({ detail }) => detail.result.sections.length + detail.url.length);
document.createElement("knarr-search").show("words");

// @ts-expect-error: a bundle is opened, not constructed
new Knarr();
// @ts-expect-error: a bundle has no sessions of its own
await knarr.search("words", { session_id: "s" });
// @ts-expect-error: misspelt option of a server
await Knarr.remote("https://ov.example/", { apikey: "k" });
// @ts-expect-error: a server is named by its address
await Knarr.remote(new Uint8Array(8));
// @ts-expect-error: misspelt option
await knarr.find("words", { limmit: 5 });
// @ts-expect-error: the options of search are not those of find
await knarr.find("words", { intent: "always" });
// @ts-expect-error: no such time to ask
await knarr.search("words", { intent: "sometimes" });
// @ts-expect-error: an embedding endpoint names its model
await Knarr.open("/search/", { endpoints: { embedding: { url: "/api/embed" } } });
// @ts-expect-error: no such mode
await knarr.find("words", { mode: "slow" });
// @ts-expect-error: no such level
await knarr.find("words", { level: 3 });
// @ts-expect-error: a query is text
await knarr.find(42);
// @ts-expect-error: progress is grep's alone
await knarr.glob("*", "viking://", { onProgress: () => {} });
// @ts-expect-error: a worker is made by a function
await Knarr.open("/search/", { worker: new Worker("/w.js") });
// @ts-expect-error: results are promises
const now: string = knarr.read("viking://a");

export { alpha, bytes, count, failed, ground, packs, passed, searchedIn, isLost, level, line, now, read, same, text, tier, type, typed, when, where, words, intent };
