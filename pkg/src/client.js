/**
 * The public class, without the question of where the engine runs: a backend answers `call(method, args, control)`.
 */

import { aborted, invalid, KnarrError } from "./errors.js";
import { bytesIn, isAddress } from "./given.js";

/** An opened bundle. Made by `Knarr.open`. */
export class Client {
  #backend;
  #closed = false;
  /** What rejects each call in progress. */
  #calls = new Set();

  /** @param {{ call(method: string, args: unknown[], control: object): Promise<any>, close(): void }} backend */
  constructor(backend) {
    this.#backend = backend;
  }

  find(query, options) {
    return this.#call("find", { query }, options);
  }

  search(query, options) {
    return this.#call("search", { query }, options);
  }

  grep(uri, pattern, options) {
    return this.#call("grep", { uri, pattern }, options);
  }

  glob(pattern, uri = "viking://", options = undefined) {
    return this.#call("glob", { pattern, uri }, options);
  }

  abstract(uri, options) {
    return this.#call("abstract", { uri }, options, SIGNAL_ONLY);
  }

  overview(uri, options) {
    return this.#call("overview", { uri }, options, SIGNAL_ONLY);
  }

  read(uri, options) {
    return this.#call("read", { uri }, options);
  }

  download(uri, options) {
    return this.#call("download", { uri }, options, SIGNAL_ONLY);
  }

  ls(uri = "viking://", options = undefined) {
    return this.#call("ls", { uri }, options);
  }

  tree(uri = "viking://", options = undefined) {
    return this.#call("tree", { uri }, options);
  }

  stat(uri, options) {
    return this.#call("stat", { uri }, options, SIGNAL_ONLY);
  }

  relations(uri, options) {
    return this.#call("relations", { uri }, options);
  }

  entities(options) {
    return this.#call("entities", {}, options);
  }

  neighbors(name, options) {
    return this.#call("neighbors", { name }, options, SIGNAL_ONLY);
  }

  inspect(options) {
    return this.#call("inspect", {}, options, SIGNAL_ONLY);
  }

  statistics(options) {
    return this.#call("statistics", {}, options, SIGNAL_ONLY);
  }

  close() {
    this.#closed = true;
    for (const reject of this.#calls) reject(closed());
    this.#backend.close();
  }

  async #call(method, texts, options, signalOnly = false) {
    for (const [name, text] of Object.entries(texts)) {
      if (typeof text !== "string") throw invalid(`${method}: ${name} is not a string`);
    }
    const { control, plain } = split(method, options);
    const [unknown] = signalOnly ? Object.keys(plain) : [];
    if (unknown !== undefined) throw invalid(`${method}: unknown option ${unknown}; known is signal`);
    if (this.#closed) throw closed();
    if (control.signal?.aborted) throw aborted(control.signal);
    const args = Object.values(texts);
    return new Promise((resolve, reject) => {
      const end = () => this.#calls.delete(reject);
      this.#calls.add(reject);
      this.#backend.call(method, signalOnly ? args : [...args, plain], control).finally(end).then(resolve, reject);
    });
  }
}

function closed() {
  return new KnarrError("FAILED_PRECONDITION", "this bundle was closed");
}

/** For methods whose only option is the abort signal. */
const SIGNAL_ONLY = true;

const OPEN_OPTIONS = ["worker", "signal", "wasmUrl", "patternsWasmUrl", "delegateWasmUrl", "endpoints"];

/** Separates what steers a call (`signal`, `onProgress`) from what the engine reads. Undefined means not given. */
function split(method, options) {
  if (options === undefined || options === null) return { control: {}, plain: {} };
  if (typeof options !== "object") throw invalid(`${method}: the options are not an object`);
  const { signal, onProgress, ...rest } = options;
  if (signal !== undefined && signal !== null && typeof signal.aborted !== "boolean") {
    throw invalid(`${method}: signal is not an AbortSignal`);
  }
  if (onProgress !== undefined && (method !== "grep" || typeof onProgress !== "function")) {
    throw invalid(`${method}: onProgress is a function, and of grep only`);
  }
  const plain = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { control: { signal: signal ?? undefined, onProgress }, plain };
}

/**
 * What `open` was given, as plain data that a worker can be sent.
 *
 * An address may be a folder or the `.knarr` file itself; it is made absolute here, where the page's base is known.
 */
export function locate(source, options) {
  const unknown = Object.keys(options).find((name) => !OPEN_OPTIONS.includes(name));
  if (unknown !== undefined) throw invalid(`open: unknown option ${unknown}; known are ${OPEN_OPTIONS.join(", ")}`);
  const { signal, wasmUrl, patternsWasmUrl, delegateWasmUrl } = options;
  if (signal?.aborted) throw aborted(signal);
  const wasm = { engine: loadable(wasmUrl), patterns: loadable(patternsWasmUrl), delegate: loadable(delegateWasmUrl) };
  const common = { wasm, endpoints: reachable(options.endpoints ?? {}) };
  const bytes = bytesIn(source);
  if (bytes !== undefined) return { bytes, ...common };
  if (!isAddress(source)) {
    throw invalid("open: the bundle is given as an address or as bytes");
  }
  const head = absolute(source);
  if (head.protocol.length === 2) {
    throw invalid(`open: ${source} is a path, not an address: pathToFileURL(path) of node:url makes one of it`);
  }
  if (!head.pathname.endsWith(".knarr")) {
    if (!head.pathname.endsWith("/")) head.pathname += "/";
    head.pathname += "index.knarr";
  }
  return { head: head.href, base: new URL(".", head).href, ...common };
}

/** Endpoints with absolute addresses; undefined when none is named. The endpoints module checks the rest. */
function reachable(endpoints) {
  const named = Object.entries(endpoints).filter(([, endpoint]) => endpoint !== undefined && endpoint !== null);
  for (const [name, endpoint] of named) {
    if (!endpoint.url) throw invalid(`open: the endpoint ${name} has no url`);
  }
  if (named.length === 0) return undefined;
  return Object.fromEntries(named.map(([name, endpoint]) => [name, { ...endpoint, url: absolute(endpoint.url).href }]));
}

/** A wasm source that survives `postMessage`: addresses become absolute, bytes and modules stay. */
function loadable(source) {
  return isAddress(source) ? absolute(source).href : source;
}

/** An address made absolute against the page. */
export function absolute(address, method = "open") {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  try {
    return new URL(address, base);
  } catch (cause) {
    const hint = base === undefined ? "; outside a page it has to be absolute, on disk a file: address: pathToFileURL(path) of node:url" : "";
    throw new KnarrError("INVALID_ARGUMENT", `${method}: ${address} is not an address${hint}`, { cause });
  }
}
