/** The engine with everything. */

import { Engine as Base } from "./engine.js";
import init, * as api from "./knarr_full.js";
import { Module } from "./module.js";
import { searchAsAsked, searchWithEndpoints } from "./search.js";

const full = new Module(api, init, "engine", () => new URL("./knarr_full_bg.wasm", import.meta.url));

export class Engine extends Base {
  #location;
  #since;

  constructor(location) {
    super(location, full);
    this.#location = location;
  }

  call(method, args, control) {
    if (method === "open") return this.#open(control);
    if (method === "search") return this.#search(...args, control);
    if (method === "find") return this.#find(...clocked(args), control);
    if (method === "statistics") return super.call(method, [this.#elapsed()], control);
    return super.call(method, args, control);
  }

  /** What is there in place of a bundle, such as the page of a development server, is told with its address. */
  async #open(control) {
    try {
      return await super.call("open", [], control);
    } catch (error) {
      const { head } = this.#location;
      if (head && error.code === "BUNDLE_FORMAT") error.message = `${head}: ${error.message}`;
      throw error;
    }
  }

  /** Seconds since the first question; 0 before it. */
  #elapsed() {
    return this.#since === undefined ? 0 : (performance.now() - this.#since) / 1000;
  }

  async #find(query, options, control) {
    const start = performance.now();
    this.#since ??= start;
    try {
      const found = await super.call("find", [query, options], control);
      this.count((engine) => engine.answered(performance.now() - start, found.alpha));
      return found.telemetry ? { ...found, telemetry: summary("search.find", start, found.telemetry) } : found;
    } catch (error) {
      // What the caller ended is no failure.
      if (!control?.signal?.aborted) this.count((engine) => engine.failed());
      throw error;
    }
  }

  async #search(query, { telemetry: wanted = false, ...options }, { signal }) {
    const telemetry = wanted?.summary ?? wanted ?? false;
    const { endpoints, wasm } = this.#location;
    const start = performance.now();
    const counts = {};
    const find = async (query, options) => {
      const found = await this.call("find", [query, { ...options, telemetry }], { signal });
      for (const [name, n] of Object.entries(found.telemetry?.summary.vector ?? {})) counts[name] = (counts[name] ?? 0) + n;
      delete found.telemetry;
      return found;
    };
    const inspect = () => this.call("inspect", [], { signal });
    const result = endpoints === undefined
      ? await searchAsAsked(query, options, find)
      : await searchWithEndpoints(query, options, { endpoints, wasm, inspect, find }, signal);
    if (!telemetry) return result;
    const search = { typed_queries_count: result.query_plan.queries.length };
    return { ...result, telemetry: summary("search.search", start, counts, { search }) };
  }
}

/** Gives the caller's clock, for `since: "2h"` and `{calendar:today}`: the module has none. */
function clocked([query, options]) {
  return [query, { now: Date.now(), utc_offset_minutes: -new Date().getTimezoneOffset(), ...options }];
}

/** OpenViking's summary of a call; groups and counts of zero are left out. */
function summary(operation, start, counts, more = {}) {
  const vector = Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
  // randomUUID exists on secure pages only.
  const random = crypto.getRandomValues(new Uint8Array(16));
  const id = `tm_${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const duration_ms = Math.round((performance.now() - start) * 100) / 100;
  return { id, summary: { operation, status: "ok", duration_ms, ...(Object.keys(vector).length > 0 && { vector }), ...more } };
}
