/**
 * `knarr/direct`: the same class with the engine on the calling thread and no dynamic import, for service workers, Node,
 * and anything else without workers.
 */

import { Client, locate } from "./client.js";
import { KnarrError } from "./errors.js";
import { Engine } from "./full-engine.js";

export { KnarrError } from "./errors.js";
export { Session } from "./session.js";

/** An opened bundle. */
export class Knarr extends Client {
  static async open(source, options = {}) {
    const engine = new Engine(locate(source, options));
    await engine.call("open", [], { signal: options.signal });
    return new Knarr(engine);
  }

  static async remote() {
    throw new KnarrError("FAILED_PRECONDITION", "knarr/direct has no dynamic import: take remote() from knarr/remote, or from knarr/qdrant");
  }
}
