/** The engine of documentation sites: small, without filters and what else only applications ask for. */

import { Engine as Base } from "./engine.js";
import { KnarrError } from "./errors.js";
import init, * as api from "./knarr_core.js";
import { Module } from "./module.js";

const core = new Module(
  api,
  init,
  "engine",
  () => new URL("./knarr_core_first.wasm", import.meta.url),
  () => new URL("./knarr_core_rest.wasm", import.meta.url),
);

export class Engine extends Base {
  constructor(location) {
    super(location, core);
  }

  async call(method, args, control) {
    if (["search", "statistics", "download", "entities", "neighbors"].includes(method)) {
      throw new KnarrError("FAILED_PRECONDITION", `knarr/core has no ${method}(); the package \`knarr\` has, and find() is in both`);
    }
    if (!IN_FIRST.includes(method)) await this.complete(control?.signal);
    const answer = await super.call(method, args, control);
    if (method === "find") core.completeSoon();
    return answer;
  }
}

/** Methods that the first part of the module is made for; xtask/cold.txt has what is in it. */
const IN_FIRST = ["open", "find"];
