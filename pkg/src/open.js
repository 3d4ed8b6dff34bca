/** Opening a bundle in a module worker, or on the calling thread where there is none. */

import { Client, locate } from "./client.js";
import { aborted, invalid, KnarrError, unlessAborted } from "./errors.js";
import { ahead } from "./fetching.js";
import { addressOf } from "./module.js";
import { WorkerBackend } from "./worker-backend.js";

/**
 * The class `Knarr` over one of the two engines.
 *
 * @param {() => Worker} makeWorker starts the engine's worker, as each entry writes it out for bundlers
 * @param {() => Promise<{ Engine: Function }>} loadEngine the same engine for the calling thread
 * @param {() => URL} moduleAddress where its module is when `open` is not told
 */
export function knarrClass(makeWorker, loadEngine, moduleAddress) {
  return class Knarr extends Client {
    static async open(source, options = {}) {
      const { worker, signal } = options;
      if (worker !== undefined && typeof worker !== "boolean" && typeof worker !== "function") {
        throw invalid("open: worker is true, false, or a function that makes a Worker");
      }
      const location = locate(source, options);
      const backend = (await inWorker(worker, makeWorker, location, moduleAddress, signal)) ?? new (await loadEngine()).Engine(location);
      try {
        await backend.call("open", [], { signal });
      } catch (error) {
        backend.close(); // Nobody else could end its worker.
        throw error;
      }
      return new Knarr(backend);
    }

    static async remote(url, options) {
      const { Backend } = await (options?.engine ? import("./qdrant.js") : import("./remote.js"));
      return new Knarr(new Backend(url, options));
    }
  };
}

/** A worker if there can be one. Only when none was asked for does a failure to start it fall back to this thread. */
async function inWorker(worker, makeWorker, location, moduleAddress, signal) {
  if (worker === false || (worker === undefined && typeof Worker !== "function")) return undefined;
  let backend;
  try {
    const isOwn = typeof worker !== "function";
    if (isOwn) {
      const { protocol } = addressOf(moduleAddress); // The worker's script lies beside it.
      // In Chromium a page of an extension ends with a module worker of another origin: a development server's.
      if (/^http.*-ext/.test(protocol + globalThis.location?.protocol)) throw "its script is a server's";
    }
    backend = new WorkerBackend(isOwn ? makeWorker : worker, location);
    // Beside the script of another's worker may lie another module.
    const started = backend.start(isOwn ? ahead(location, moduleAddress, signal ?? undefined) : undefined);
    await unlessAborted(started, signal);
    return backend;
  } catch (cause) {
    backend?.close();
    if (signal?.aborted) throw aborted(signal);
    if (cause?.name === "DataCloneError") throw invalid(`open: an option is not plain data: ${cause.message}`);
    if (worker !== undefined) {
      throw new KnarrError("UNAVAILABLE", `the worker did not start: ${cause?.message ?? cause}`, { cause });
    }
    console.warn("knarr: no worker here, searching on this thread;", cause?.message ?? cause);
    return undefined;
  }
}
