/** The engine with everything. */

import { Engine as Base } from "./engine.js";
import init, * as api from "./knarr_full.js";
import { Module } from "./module.js";

const full = new Module(api, init, "engine", () => new URL("./knarr_full_bg.wasm", import.meta.url));

export class Engine extends Base {
  constructor(location) {
    super(location, full);
  }

  call(method, args, control) {
    return super.call(method, method === "find" ? clocked(args) : args, control);
  }
}

/** Gives the caller's clock, for `since: "2h"` and `{calendar:today}`: the module has none. */
function clocked([query, options]) {
  return [query, { now: Date.now(), utc_offset_minutes: -new Date().getTimezoneOffset(), ...options }];
}
