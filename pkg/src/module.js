/** A WebAssembly module behind its glue: loading it once, and what follows a trap. */

import { KnarrError } from "./errors.js";
import { fromDisk } from "./fetching.js";
import { isAddress } from "./given.js";

/** Milliseconds after an answer in which nothing competes with what its caller asks for next, such as excerpts. */
const REST_MS = 1_000;

/** Why a call ended that runs once more: it needed the rest of the module, or another one did, which ended its instance. */
const LACKING = Symbol("lacking");
const ENDED = Symbol("ended");

/** One module of the package. Its address is written out where it is made, in the form that bundlers look for. */
export class Module {
  /** The glue's exports. */
  api;
  /** Counts instances: an object made by an earlier one is dead. */
  generation = 0;
  /** What wakes the calls under way: nothing else does in an instance that is gone. */
  waiting = new Set();
  #init;
  #name;
  #beside;
  #ready;
  /** Exports of the instance. */
  #exports;
  /** The rest of a module that comes in two parts: its address, its compilation, what came of that, and whose instance has it. */
  #besideRest;
  #compiling;
  #rest;
  #linked;
  #soon;
  /** Generations that ended for want of the rest. */
  #lacked = new Set();

  /**
   * @param {object} api what the glue exports
   * @param {(options: object) => Promise<unknown>} init its loader
   * @param {string} name of the module among the sources that `open` was given
   * @param {() => URL} beside the module's address when none was given
   * @param {() => URL} [besideRest] where the rest is of a module that has one
   */
  constructor(api, init, name, beside, besideRest) {
    this.api = api;
    this.#init = init;
    this.#name = name;
    this.#beside = beside;
    this.#besideRest = besideRest;
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
      const isLacking = !this.#isWhole;
      if (isLacking) this.#lacked.add(this.generation);
      this.generation += 1;
      this.api.restart();
      this.api.ready(); // The next call makes the new instance; this one has no strings, which would land in the old.
      this.#exports = this.api.initSync();
      if (this.#rest) this.#link();
      for (const wake of this.waiting) wake();
      throw new KnarrError("INTERNAL", message, { cause: isLacking ? LACKING : error });
    }
  }

  /** Frees an object of the instance. Where that traps, the instance is gone and the object with it. */
  free(object) {
    try {
      this.run(() => object.free());
    } catch {}
  }

  /** What a call throws whose instance another call ended. */
  ended(generation) {
    return new KnarrError("INTERNAL", "another call ended the engine; try again", { cause: this.#lacked.has(generation) ? ENDED : undefined });
  }

  /** Does `work`, and once more when the rest of the module is here that it turned out to need. */
  async persist(work) {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (error?.cause === LACKING) await this.complete();
        else if (error?.cause !== ENDED) throw error;
      }
    }
  }

  /** Loads the rest of a loaded module, where it comes in two parts, and gives it to the instance. */
  async complete() {
    if (this.#isWhole) return;
    this.#compiling ??= this.#compile().catch((error) => {
      this.#compiling = undefined;
      throw error;
    });
    await this.#compiling;
    if (!this.#isWhole) this.#link();
  }

  /** Loads the rest once nothing else is wanted. If that fails, whoever needs it is told. */
  completeSoon() {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.complete().catch(() => {}), REST_MS);
    this.#soon.unref?.();
  }

  /** True unless this is a first part, which is known by its table, without the rest. */
  get #isWhole() {
    return this.#linked === this.#exports || !Object.keys(this.#exports).some((name) => name.startsWith(TABLE));
  }

  /** The rest puts its functions into the table of the instance. */
  #link() {
    new WebAssembly.Instance(this.#rest, { first: this.#exports });
    this.#linked = this.#exports;
  }

  async #compile() {
    const address = addressOf(this.#besideRest);
    try {
      this.#rest = await WebAssembly.compile((await fromDisk(address)) ?? (await fetched(address)));
      this.#link(); // A part of another build fails here.
    } catch (cause) {
      this.#rest = undefined;
      throw unloaded(address, cause);
    }
  }

  async #load(source) {
    const input = source ?? addressOf(this.#beside);
    try {
      this.#exports = await this.#init({ module_or_path: (await fromDisk(input)) ?? input });
    } catch (cause) {
      throw unloaded(input, cause);
    }
  }
}

/** How the first part of a module names its function table; the rest of its name is the build's. */
const TABLE = "rest-";

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return response.arrayBuffer();
}

/** What a module that cannot be loaded means to the caller. */
function unloaded(source, cause) {
  const name = isAddress(source) ? String(source) : "the module that was given";
  const reason = String(cause?.message ?? cause);
  const message = `${name} could not be loaded as WebAssembly: ${reason}; ${remedy(reason)}`;
  return new KnarrError(isForbidden(reason) ? "FAILED_PRECONDITION" : "UNAVAILABLE", message, { cause });
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
    const fault = "the script has no address, as when bundled as a classic script";
    const moved = "or name the files in worker, wasmUrl, patternsWasmUrl and delegateWasmUrl";
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
  const moved = "upload it, or name its address in wasmUrl, patternsWasmUrl or delegateWasmUrl";
  const isOther = /magic|start with/.test(reason);
  return isOther ? `in its place is something else, such as a page: with Vite, add optimizeDeps: { exclude: ["knarr"] }; ${moved}` : moved;
}
