/** The engine with everything. */

import { Engine as Base } from "./engine.js";
import init, * as api from "./knarr_full.js";
import { Module } from "./module.js";
import { searchAsAsked, searchWithEndpoints } from "./search.js";

const full = new Module(api, init, "engine", () => new URL("./knarr_full_bg.wasm", import.meta.url));

export class Engine extends Base {
  #location;

  constructor(location) {
    super(location, full);
    this.#location = location;
  }

  call(method, args, control) {
    if (method === "search") return this.#search(...args, control);
    return super.call(method, method === "find" ? clocked(args) : args, control);
  }

  #search(query, options, { signal }) {
    const { endpoints, wasm } = this.#location;
    const find = (query, options) => this.call("find", [query, options], { signal });
    if (endpoints === undefined) return searchAsAsked(query, options, find);
    const inspect = () => this.call("inspect", [], { signal });
    return searchWithEndpoints(query, options, { endpoints, wasm, inspect, find }, signal);
  }
}

/** Gives the caller's clock, for `since: "2h"` and `{calendar:today}`: the module has none. */
function clocked([query, options]) {
  return [query, { now: Date.now(), utc_offset_minutes: -new Date().getTimezoneOffset(), ...options }];
}
