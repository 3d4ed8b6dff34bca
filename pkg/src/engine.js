/**
 * The engine on the calling thread: loads the modules, drives their tasks, and runs grep and glob across the two.
 *
 * A trap (a defect of ours) becomes `INTERNAL`; the instance is discarded and the next call opens the bundle anew.
 */

import { aborted, KnarrError } from "./errors.js";
import initCore, * as core from "./knarr_core.js";
import initPatterns, * as patterns from "./knarr_patterns.js";

/** Files read at once by grep: enough to keep a connection busy, few enough to keep memory and cancellation small. */
const GREP_BATCH = 32;

/** Milliseconds of grep between two pauses. Pauses let messages in (a cancellation) and frames out. */
const GREP_SLICE_MS = 24;

let coreReady;
let patternsReady;
/** Counts instances of the core: an object made by an earlier one is dead. */
let generation = 0;

/** A bundle, opened on this thread. */
export class Engine {
  #location;
  #opening;
  #generation = -1;

  /** @param {{ head?: string, base?: string, bytes?: Uint8Array, wasm: { core?: any, patterns?: any } }} location */
  constructor(location) {
    this.#location = location;
  }

  /** Runs one method. `control` may carry `signal` and, for grep, `onProgress`. */
  async call(method, args, control = {}) {
    switch (method) {
      case "open":
        await this.#engine(control.signal);
        return undefined;
      case "grep":
        return this.#grep(...args, control);
      case "glob":
        return this.#glob(...args, control);
      case "inspect":
        return this.#run((engine) => engine.inspect(), control.signal);
      default:
        return this.#run((engine, signal) => engine[method](...args, signal), control.signal);
    }
  }

  close() {
    const opening = this.#opening;
    const mine = this.#generation;
    this.#opening = undefined;
    opening?.then((engine) => mine === generation && engine.free(), () => {});
  }

  /** The opened bundle; opens it on the first call, after a trap, and again after an opening that failed. */
  async #engine(signal) {
    await loadCore(this.#location.wasm.core);
    if (this.#opening === undefined || this.#generation !== generation) {
      this.#generation = generation;
      const { head, base, bytes } = this.#location;
      // The bundle is shared by all calls, so one caller's abort does not end its opening.
      const opening = drive(() => (bytes ? core.openBytes(bytes) : core.open(head, base)));
      this.#opening = opening;
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return signal ? Promise.race([this.#opening, rejection(signal)]) : this.#opening;
  }

  async #run(start, signal) {
    const engine = await this.#engine(signal);
    return drive(() => start(engine, signal), signal);
  }

  async #grep(uri, pattern, options, { signal, onProgress }) {
    const [files] = await Promise.all([
      this.#run((engine) => engine.grepScope(uri, options, signal), signal),
      loadPatterns(this.#location.wasm.patterns),
    ]);
    const limit = options.node_limit ?? 256;
    const matches = [];
    const done = () => ({ matches, count: matches.length, match_count: matches.length, files_scanned: scanned });
    let scanned = 0;
    await withPattern(() => new patterns.Grep(pattern, options.case_insensitive ?? false), async (grep) => {
      const fetchBatch = (at) => {
        const nodes = Uint32Array.from(files.slice(at, at + GREP_BATCH), (file) => file.node);
        const texts = this.#run((engine) => engine.texts(nodes, signal), signal);
        texts.catch(() => {}); // A batch fetched ahead may fail after the search has stopped; awaiting it still throws.
        return texts;
      };
      let paused = performance.now();
      let next = files.length > 0 && limit > 0 ? fetchBatch(0) : undefined;
      for (let at = 0; next !== undefined && matches.length < limit; at += GREP_BATCH) {
        const texts = await next;
        next = at + GREP_BATCH < files.length ? fetchBatch(at + GREP_BATCH) : undefined;
        for (const text of texts) {
          if (matches.length >= limit) break;
          const lines = scanText(grep, text, limit - matches.length);
          const { uri } = files[scanned++];
          for (let i = 0; i < lines.length; i += 2) matches.push({ line: lines[i], uri, content: lines[i + 1] });
          if (performance.now() - paused > GREP_SLICE_MS) {
            await pause();
            paused = performance.now();
            if (signal?.aborted) throw aborted(signal);
          }
        }
        onProgress?.({ files: scanned, total: files.length, matches: matches.length });
      }
    });
    return done();
  }

  async #glob(pattern, uri, options, { signal }) {
    const known = Object.keys(options).find((name) => name !== "node_limit");
    if (known !== undefined) {
      throw new KnarrError("INVALID_ARGUMENT", `unknown option ${known}; known are node_limit`);
    }
    const limit = options.node_limit ?? 256;
    if (!Number.isInteger(limit) || limit < 0) {
      throw new KnarrError("INVALID_ARGUMENT", "option node_limit: not a whole number");
    }
    const [paths] = await Promise.all([
      this.#run((engine) => engine.globScope(uri, signal), signal),
      loadPatterns(this.#location.wasm.patterns),
    ]);
    return withPattern(() => new patterns.Glob(pattern), (glob) => {
      const positions = trapped(patterns, () => glob.filter(paths.map(({ path }) => path), Math.min(limit, MAX_COUNT)));
      const matches = Array.from(positions, (position) => paths[position].uri);
      return { matches, count: matches.length };
    });
  }
}

/** The largest count that crosses into a module as 32 bits. */
const MAX_COUNT = 0xffffffff;

function scanText(grep, text, limit) {
  return trapped(patterns, () => grep.scan(text, Math.min(limit, MAX_COUNT)));
}

/** Makes a compiled pattern, uses it, and frees it even when the use fails. */
async function withPattern(make, use) {
  const pattern = trapped(patterns, make);
  const mine = patternsGeneration;
  try {
    return await use(pattern);
  } finally {
    if (mine === patternsGeneration) pattern.free();
  }
}

/** Counts instances of the patterns module, as `generation` does for the core. */
let patternsGeneration = 0;

/** Polls a task until it is done. Aborting frees it, which cancels its requests. */
async function drive(start, signal) {
  const mine = generation;
  const task = trapped(core, start);
  const gone = signal && rejection(signal);
  try {
    for (;;) {
      if (signal?.aborted) throw aborted(signal);
      let wake;
      const woken = new Promise((resolve) => (wake = resolve));
      const value = trapped(core, () => task.poll(wake));
      if (value !== undefined) return value;
      await (gone ? Promise.race([woken, gone]) : woken);
      if (mine !== generation) throw new KnarrError("INTERNAL", "another call ended the engine; try again");
    }
  } finally {
    if (mine === generation) task.free();
  }
}

/** Runs code of a module: its errors become `KnarrError`s, and a trap ends the instance. */
function trapped(module, work) {
  try {
    return work();
  } catch (error) {
    if (typeof error?.code === "string") throw new KnarrError(error.code, error.message);
    const message = String(error?.message ?? error);
    if (module === core) generation += 1;
    else patternsGeneration += 1;
    module.restart();
    module.ready(); // The next call makes the new instance; this one has no strings, which would land in the old.
    throw new KnarrError("INTERNAL", message, { cause: error });
  }
}

function rejection(signal) {
  const promise = new Promise((_, reject) => {
    if (signal.aborted) reject(aborted(signal));
    else signal.addEventListener("abort", () => reject(aborted(signal)), { once: true });
  });
  promise.catch(() => {});
  return promise;
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

function loadCore(source) {
  // The addresses are written out, once each, in the form that bundlers look for.
  coreReady ??= load(initCore, source, () => new URL("./knarr_core_bg.wasm", import.meta.url)).catch((error) => {
    coreReady = undefined;
    throw error;
  });
  return coreReady;
}

function loadPatterns(source) {
  patternsReady ??= load(initPatterns, source, () => new URL("./knarr_patterns_bg.wasm", import.meta.url)).catch((error) => {
    patternsReady = undefined;
    throw error;
  });
  return patternsReady;
}

async function load(init, source, besideThis) {
  const input = source ?? besideThis();
  try {
    await init({ module_or_path: await readable(input) });
  } catch (cause) {
    const name = input instanceof URL || typeof input === "string" ? String(input) : "the module that was given";
    const message = `${name} could not be loaded as WebAssembly: ${cause?.message ?? cause}; if a bundler moved it, name its address in wasmUrl or patternsWasmUrl`;
    throw new KnarrError("UNAVAILABLE", message, { cause });
  }
}

/** Node's fetch does not read `file:` addresses, so under Node such a module is read from disk. */
async function readable(input) {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  return fs && String(input).startsWith("file:") ? fs.readFile(new URL(input)) : input;
}
