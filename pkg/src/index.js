/** `knarr`: opens a bundle in a module worker, or on the calling thread where there is none. */

import { Client, locate } from "./client.js";
import { invalid, KnarrError } from "./errors.js";
import { Remote } from "./remote.js";

export { KnarrError };

/** An opened bundle. */
export class Knarr extends Client {
  static async open(source, options = {}) {
    const { worker, signal } = options;
    if (worker !== undefined && typeof worker !== "boolean" && typeof worker !== "function") {
      throw invalid("open: worker is true, false, or a function that makes a Worker");
    }
    const location = locate(source, options);
    const backend = await connect(worker, location);
    await backend.call("open", [], { signal });
    return new Knarr(backend);
  }
}

/** A worker if there can be one. Only when none was asked for does a failure to start it fall back to this thread. */
async function connect(worker, location) {
  if (worker !== false && (worker !== undefined || typeof Worker === "function")) {
    try {
      const remote = new Remote(typeof worker === "function" ? worker : defaultWorker, location);
      await remote.start();
      return remote;
    } catch (cause) {
      if (worker !== undefined) {
        throw new KnarrError("UNAVAILABLE", `the worker did not start: ${cause?.message ?? cause}`, { cause });
      }
      console.warn("knarr: no worker here, searching on this thread;", cause?.message ?? cause);
    }
  }
  const { Engine } = await import("./engine.js");
  return new Engine(location);
}

function defaultWorker() {
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "knarr" });
}
