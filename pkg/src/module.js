/** A WebAssembly module behind its glue: loading it once, and what follows a trap. */

import { KnarrError } from "./errors.js";

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
    const input = source ?? this.#beside();
    try {
      await this.#init({ module_or_path: await readable(input) });
    } catch (cause) {
      const name = input instanceof URL || typeof input === "string" ? String(input) : "the module that was given";
      const message = `${name} could not be loaded as WebAssembly: ${cause?.message ?? cause}; if a bundler moved it, name its address in wasmUrl, patternsWasmUrl or delegateWasmUrl`;
      throw new KnarrError("UNAVAILABLE", message, { cause });
    }
  }
}

/** Node's fetch does not read `file:` addresses, so under Node such a module is read from disk. */
async function readable(input) {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  return fs && String(input).startsWith("file:") ? fs.readFile(new URL(input)) : input;
}
