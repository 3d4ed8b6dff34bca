/** The engine of documentation sites: small, without filters and what else only applications ask for. */

import { Engine as Base } from "./engine.js";
import init, * as api from "./knarr_core.js";
import { Module } from "./module.js";

const core = new Module(api, init, "engine", () => new URL("./knarr_core_bg.wasm", import.meta.url));

export class Engine extends Base {
  constructor(location) {
    super(location, core);
  }
}
