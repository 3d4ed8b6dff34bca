/** A WebAssembly module behind its glue: loading it once, and what follows a trap. */

import { KnarrError } from "./errors.js";
import { fromDisk } from "./fetching.js";
import { isAddress } from "./given.js";

/** One module of the package. Its address is written out where it is made, in the form that bundlers look for. */
export class Module {
  /** The glue's exports. */
  api;
  /** Counts instances: an object made by an earlier one is dead. */
  generation = 0;
  #init;
  #name;
  #beside;
  #ready;

  /**
   * @param {object} api what the glue exports
   * @param {(options: object) => Promise<unknown>} init its loader
   * @param {string} name of the module among the sources that `open` was given
   * @param {() => URL} beside the module's address when none was given
   */
  constructor(api, init, name, beside) {
    this.api = api;
    this.#init = init;
    this.#name = name;
    this.#beside = beside;
  }

  /** Loads the module on the first call, and again after a failure. */
  load(sources) {
    this.#ready ??= this.#load(sources[this.#name]).catch((error) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Runs code of the module: its errors become `KnarrError`s, and a trap ends the instance. */
  run(work) {
    try {
      return work();
    } catch (error) {
      if (typeof error?.code === "string") throw new KnarrError(error.code, error.message);
      const message = String(error?.message ?? error);
      this.generation += 1;
      this.api.restart();
      this.api.ready(); // The next call makes the new instance; this one has no strings, which would land in the old.
      throw new KnarrError("INTERNAL", message, { cause: error });
    }
  }

  async #load(source) {
    const input = source ?? addressOf(this.#beside);
    try {
      await this.#init({ module_or_path: (await fromDisk(input)) ?? input });
    } catch (cause) {
      const name = isAddress(input) ? String(input) : "the module that was given";
      const reason = cause?.message ?? cause;
      const message = `${name} could not be loaded as WebAssembly: ${reason}; ${remedy(String(reason))}`;
      throw new KnarrError(isForbidden(String(reason)) ? "FAILED_PRECONDITION" : "UNAVAILABLE", message, { cause });
    }
  }
}

/**
 * An address beside the script. A script that was bundled as a classic one has none, which is esbuild's default, of which
 * it says nothing; one from a `blob:` has nothing beside it.
 *
 * @param {() => URL} beside
 */
export function addressOf(beside) {
  try {
    return beside();
  } catch (cause) {
    const fault = "the script has no address beside which its worker and modules lie, as when it was bundled as a classic script";
    const moved = "or name their places in worker, wasmUrl, patternsWasmUrl and delegateWasmUrl";
    throw new KnarrError("FAILED_PRECONDITION", `${fault}: bundle it as a module (esbuild: --format=esm, and <script type="module">), ${moved}`, { cause });
  }
}

/** True where the page's policy forbids WebAssembly: Chromium and Safari name the policy, Firefox in short. */
function isForbidden(reason) {
  return /Content Security Policy|unsafe-eval|by CSP/i.test(reason);
}

/** What helps: a server that answers unknown addresses with a page is most often Vite's, which copied our scripts only. */
function remedy(reason) {
  if (isForbidden(reason)) return "the page's Content-Security-Policy needs 'wasm-unsafe-eval' in script-src";
  const moved = "if a bundler moved it, name its address in wasmUrl, patternsWasmUrl or delegateWasmUrl";
  const isOther = /magic|start with/.test(reason);
  return isOther ? `in its place is something else, such as a page: with Vite, add optimizeDeps: { exclude: ["knarr"] }; ${moved}` : moved;
}
