/**
 * The engine on the calling thread: drives a module's tasks, and runs grep and glob across that module and the patterns.
 *
 * A trap (a defect of ours) becomes `INTERNAL`; the instance is discarded and the next call opens the bundle anew.
 */

import { aborted, KnarrError, unlessAborted } from "./errors.js";
import { announce, leave } from "./fetching.js";
import initPatterns, * as patternsGlue from "./knarr_patterns.js";
import { Module } from "./module.js";

/** Files read at once by grep: enough to keep a connection busy, few enough to keep memory and cancellation small. */
const GREP_BATCH = 32;

/** Milliseconds of grep between two pauses. Pauses let messages in (a cancellation) and frames out. */
const GREP_SLICE_MS = 24;

const patterns = new Module(patternsGlue, initPatterns, "patterns", () => new URL("./knarr_patterns_bg.wasm", import.meta.url));

/** A bundle, opened on this thread. */
export class Engine {
  #location;
  #module;
  #opening;
  #generation = -1;
  /** What ends the requests of each task under way. */
  #running = new Set();

  /**
   * @param {{ head?: string, base?: string, bytes?: Uint8Array, wasm: object, first?: ArrayBuffer }} location `first`: the
   *   head, where it is here already
   * @param {Module} module the engine's own: the core, or the full one
   */
  constructor(location, module) {
    this.#location = location;
    this.#module = module;
  }

  /** Runs one method. `control` may carry `signal` and, for grep, `onProgress`. */
  async call(method, args, control = {}) {
    switch (method) {
      case "open":
        await this.#module.persist(() => this.#engine(control.signal));
        return undefined;
      case "grep":
        return this.#grep(...args, control);
      case "glob":
        return this.#glob(...args, control);
      case "ls":
      case "tree":
        return this.#list(method, ...args, control);
      case "relations":
        return this.#relations(...args, control);
      case "inspect":
        return this.#run((engine) => engine.inspect(), control.signal);
      default:
        return this.#run((engine, ends) => engine[method](...args, ends), control.signal);
    }
  }

  /** One option is read here: in the module, reading an object of options costs more than all else of this call. */
  #relations(uri, { limit = 1000, ...others }, { signal }) {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new KnarrError("INVALID_ARGUMENT", `relations: unknown option ${unknown}; known is limit`);
    if (!Number.isInteger(limit) || limit < 0) throw new KnarrError("INVALID_ARGUMENT", "relations: option limit is not a whole number");
    return this.#run((engine, ends) => engine.relations(uri, Math.min(limit, 2 ** 32 - 1), ends), signal);
  }

  /** Rows of a listing; `truncated` if there are more, or directories whose contents lie too deep. */
  async #list(method, uri, options, { signal }) {
    const { node_limit: limit = 1000, level_limit: deepest = 3 } = options;
    const isCounted = Number.isInteger(limit) && limit >= 0 && limit < MAX_COUNT; // If not, the module says so.
    const asked = isCounted ? { ...options, node_limit: limit + 1 } : options;
    const rows = await this.#run((engine, ends) => engine[method](uri, asked, ends), signal);
    const isCut = isCounted && rows.length > limit;
    if (isCut) rows.length = limit;
    const isDeep = ({ isDir, rel_path }) => isDir && rel_path.split("/").length >= deepest;
    if (isCut || (method === "tree" && rows.some(isDeep))) rows.truncated = true;
    return rows;
  }

  /** Tells the opened bundle something that takes no time; nothing when it is not open. */
  count(tell) {
    const mine = this.#generation;
    this.#opening?.then((engine) => mine === this.#module.generation && this.#module.run(() => tell(engine)), () => {});
  }

  close() {
    const opening = this.#opening;
    const mine = this.#generation;
    this.#opening = undefined;
    const closed = new KnarrError("FAILED_PRECONDITION", "this bundle was closed");
    for (const ends of this.#running) ends.abort(closed);
    opening?.then((engine) => mine === this.#module.generation && this.#module.free(engine), () => {});
  }

  /** Loads all of the module, where a first search runs without the rest. */
  async complete(signal) {
    const done = this.#module.load(this.#location.wasm).then(() => this.#module.complete());
    await unlessAborted(done, signal);
  }

  /** The opened bundle; opens it on the first call, after a trap, and again after an opening that failed. */
  async #engine(signal) {
    const module = this.#module;
    const { head, base, bytes, wasm, first } = this.#location;
    if (head && this.#opening === undefined) {
      announce(head, first);
      delete this.#location.first; // Opened again, the head is fetched again.
    }
    await module.load(wasm);
    if (this.#opening === undefined || this.#generation !== module.generation) {
      this.#generation = module.generation;
      // The bundle is shared by all calls, so one caller's abort does not end its opening.
      const opening = drive(module, (ends) => (bytes ? module.api.openBytes(bytes) : module.api.open(head, base, ends)), this.#running);
      this.#opening = opening;
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return unlessAborted(this.#opening, signal);
  }

  async #run(start, signal) {
    const run = async () => {
      const engine = await this.#engine(signal);
      return drive(this.#module, (ends) => start(engine, ends), this.#running, signal);
    };
    return this.#module.persist(run).catch((error) => {
      if (error.code !== "BUNDLE_MISSING") throw error;
      const message = `${error.message}: the bundle was published again since it was opened, or lacks it; open it anew`;
      throw new KnarrError(error.code, message, { cause: error });
    });
  }

  async #grep(uri, pattern, options, { signal, onProgress }) {
    const [page, anchor] = uri.split("#");
    const [scope] = await Promise.all([
      this.#run((engine, ends) => engine.grepScope(page, options, ends), signal),
      patterns.load(this.#location.wasm),
    ]);
    // A section is one text: its lines are counted from its heading, as `read` counts them.
    const files = anchor === undefined ? scope : [{ uri }];
    const rows = grepRows(files, options);
    const make = () => new patterns.api.Grep(pattern, options.case_insensitive ?? false);
    await withPattern(make, (grep) => this.#scan(files, rows, grep, signal, onProgress));
    return rows.answer();
  }

  /** Reads files a batch at a time, the next one on its way meanwhile, until the rows are all there. */
  async #scan(files, rows, grep, signal, onProgress) {
    let paused = performance.now();
    let next = rows.isAsked ? this.#batch(files, 0, signal) : undefined;
    for (let at = 0; next !== undefined && !rows.isFull(); at += GREP_BATCH) {
      const texts = await next;
      next = this.#batch(files, at + GREP_BATCH, signal);
      for (const text of texts) {
        if (rows.isFull()) break;
        rows.take(grep, text);
        if (performance.now() - paused > GREP_SLICE_MS) {
          await pause();
          paused = performance.now();
          if (signal?.aborted) throw aborted(signal);
        }
      }
      onProgress?.(rows.progress());
    }
  }

  /** The texts of the files from `at` on, as UTF-8; nothing behind the last one. */
  #batch(files, at, signal) {
    if (at >= files.length) return undefined;
    const { node, uri } = files[at];
    if (node === undefined) return this.#run((engine, ends) => engine.read(uri, {}, ends), signal).then((text) => [new TextEncoder().encode(text)]);
    const nodes = Uint32Array.from(files.slice(at, at + GREP_BATCH), (file) => file.node);
    const texts = this.#run((engine, ends) => engine.texts(nodes, ends), signal);
    texts.catch(() => {}); // A batch fetched ahead may fail after the search has stopped; awaiting it still throws.
    return texts;
  }

  async #glob(pattern, uri, options, { signal }) {
    const { node_limit: limit = 256, offset = 0, ...others } = options;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) {
      throw new KnarrError("INVALID_ARGUMENT", `unknown option ${unknown}; known are node_limit, offset`);
    }
    for (const [name, count] of Object.entries({ node_limit: limit, offset })) {
      if (!Number.isInteger(count) || count < 0) throw new KnarrError("INVALID_ARGUMENT", `option ${name}: not a whole number`);
    }
    const last = offset + limit;
    const [paths] = await Promise.all([
      this.#run((engine, ends) => engine.globScope(uri, ends), signal),
      patterns.load(this.#location.wasm),
    ]);
    return withPattern(() => new patterns.api.Glob(pattern), (glob) => {
      const positions = patterns.run(() => glob.filter(paths.map(({ path }) => path), Math.min(last + 1, MAX_COUNT)));
      const matches = Array.from(positions, (position) => paths[position].uri).slice(offset, last);
      return { matches, count: matches.length, ...(positions.length > last && { truncated: true }) };
    });
  }
}

/** Collects what a grep finds: rows from `offset` on, `node_limit` of them, each a line, or a file where only these are asked for. */
function grepRows(files, { node_limit: limit = 256, offset = 0, output, line_length: length = 0 }) {
  const isList = output === "files";
  const last = offset + limit;
  const rows = [];
  let scanned = 0;
  let seen = 0; // Rows, those before the first one wanted among them.
  let isCut = false;
  const isFull = () => seen >= last;
  const shown = (grep, line) => (length > 0 ? patterns.run(() => grep.cut(line, Math.min(length, MAX_COUNT))) : line);
  return {
    isAsked: limit > 0,
    isFull,
    /** Takes in the matches of the next file's text. */
    take(grep, text) {
      const { uri } = files[scanned++];
      const left = last - seen;
      // One more, to know whether there is one.
      const lines = scanText(grep, text, isList ? MAX_COUNT : left + 1);
      const count = lines.length / 2;
      if (isList) {
        if (count > 0 && ++seen > offset) rows.push({ uri, count });
        return;
      }
      isCut = count > left;
      for (let i = 0; i < Math.min(count, left); i++) {
        if (++seen > offset) rows.push({ line: lines[2 * i], uri, content: shown(grep, lines[2 * i + 1]) });
      }
    },
    progress: () => ({ files: scanned, total: files.length, matches: rows.length }),
    answer: () => ({
      matches: isList ? [] : rows,
      ...(isList && { files: rows }),
      count: rows.length,
      match_count: isList ? rows.reduce((sum, { count }) => sum + count, 0) : rows.length,
      files_scanned: scanned,
      ...((isCut || (isFull() && scanned < files.length)) && { truncated: true }),
    }),
  };
}

/** The largest count that crosses into a module as 32 bits. */
const MAX_COUNT = 0xffffffff;

function scanText(grep, text, limit) {
  return patterns.run(() => grep.scan(text, Math.min(limit, MAX_COUNT)));
}

/** Makes a compiled pattern, uses it, and frees it even when the use fails. */
async function withPattern(make, use) {
  const pattern = patterns.run(make);
  const mine = patterns.generation;
  try {
    return await use(pattern);
  } finally {
    if (mine === patterns.generation) pattern.free();
  }
}

/** Milliseconds for which what a call asked for may still arrive after its caller gave it up. */
const LINGER_MS = 10_000;

/**
 * Polls a task until it is done. A caller that aborts waits no more, but what is on its way is not cut off: the next
 * call, a letter later, needs the same. The task ends when that has arrived, and asks for nothing more.
 *
 * @param {Module} module
 * @param {(ends: AbortSignal) => object} start makes the task, whose requests `ends` cuts off
 * @param {Set<AbortController>} running the tasks of a bundle, by what ends them
 * @param {AbortSignal} [signal] the caller's
 */
async function drive(module, start, running, signal) {
  if (signal?.aborted) throw aborted(signal);
  const ends = new AbortController();
  running.add(ends);
  let timer;
  const done = finish(module, () => start(ends.signal)).catch((error) => {
    throw ends.signal.aborted ? ends.signal.reason : error;
  }).finally(() => {
    clearTimeout(timer);
    running.delete(ends);
  });
  try {
    return await unlessAborted(done, signal);
  } finally {
    if (running.has(ends)) {
      leave(ends.signal);
      timer = setTimeout(() => ends.abort(), LINGER_MS);
    }
  }
}

async function finish(module, start) {
  const mine = module.generation;
  const task = module.run(start);
  let wake;
  try {
    for (;;) {
      module.waiting.delete(wake);
      const woken = new Promise((resolve) => (wake = resolve));
      module.waiting.add(wake);
      const value = module.run(() => task.poll(wake));
      if (value !== undefined) return value;
      await woken;
      if (mine !== module.generation) throw module.ended(mine);
    }
  } finally {
    module.waiting.delete(wake);
    if (mine === module.generation) module.free(task);
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}
