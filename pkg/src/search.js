/**
 * `search()`: drives the endpoints module, which decides what is asked and what becomes of it. Without an endpoint the
 * module is not loaded: the search is then a `find` that says what it searched.
 */

import { invalid, KnarrError } from "./errors.js";
import init, * as api from "./knarr_delegate.js";
import { Module } from "./module.js";
import { json, send } from "./transport.js";

const delegate = new Module(api, init, "delegate", () => new URL("./knarr_delegate_bg.wasm", import.meta.url));

/**
 * A search with endpoints.
 *
 * @param {object} options of `search`, the session among them
 * @param {{ endpoints: object, wasm: object, inspect(): Promise<object>, find(query: string, options: object): Promise<object> }} engine
 */
export async function searchWithEndpoints(query, options, { endpoints, wasm, inspect, find }, signal) {
  const [{ encoder, dims }] = await Promise.all([inspect(), delegate.load(wasm)]);
  const { session = null, ...rest } = options;
  if (ArrayBuffer.isView(rest.vector)) rest.vector = Array.from(rest.vector);
  const request = json({ options: rest, session, endpoints, bundle: { encoder, dims } });
  const search = delegate.run(() => new delegate.api.Search(query, request));
  const mine = delegate.generation;
  try {
    for (;;) {
      const step = JSON.parse(delegate.run(() => search.step()));
      if (step.done !== undefined) return step.done;
      const answer = step.post === undefined
        ? { find: await Promise.all(step.find.map(({ query, options }) => find(query, options))) }
        : { post: await Promise.all(step.post.map((post) => send(post, signal))) };
      if (mine !== delegate.generation) throw new KnarrError("INTERNAL", "another search ended the module; try again");
      delegate.run(() => search.supply(json(answer)));
    }
  } finally {
    if (mine === delegate.generation) search.free();
  }
}

/** What the options of `search` may be; the others are those of `find`. */
const CHOICES = {
  intent: ["auto", "always", "never"], merge: ["best", "concat"], rerank: [true, false, "walk"], include_provenance: [true, false],
};

/** A search without endpoints; the same answer as the module's. */
export async function searchAsAsked(query, given, find) {
  for (const [name, choices] of Object.entries(CHOICES)) {
    if (!choices.includes(given[name] ?? choices[0])) throw invalid(`option ${name} is not one of ${choices.join(", ")}`);
  }
  const { session, intent, rerank, merge, include_provenance, ...options } = given;
  if (!Array.isArray((session ?? {}).messages ?? [])) throw invalid("the session: messages are not a list");
  const traces = options.trace === true;
  // A query's result tells where it searched; the option is left out where nobody asked for it.
  const found = await find(query, include_provenance || traces ? { ...options, include_provenance: true } : options);
  const reason = "no intent endpoint is configured";
  const { memories, resources, skills, total, corrections, skipped, weak, provenance, ...more } = found;
  const plan = { query, context_type: null, intent: "", priority: 1 };
  const told = provenance?.map((one) => ({ ...more, ...one }));
  const missing = [
    ...(rerank === "walk" ? [{ step: "rerank", reason: "no rerank endpoint is configured" }] : []),
    ...(intent === "always" ? [{ step: "intent", reason }] : []),
  ];
  return {
    ...more, memories, resources, skills, total, corrections, ...(weak === undefined ? {} : { weak }),
    skipped: [...missing, ...skipped],
    query_plan: { reasoning: `searched as asked: ${reason}`, queries: [plan] },
    ...(include_provenance ? { provenance: told } : {}),
    ...(traces ? { query_results: (told ?? []).map((one) => ({ ...one, query: plan })) } : {}),
  };
}
