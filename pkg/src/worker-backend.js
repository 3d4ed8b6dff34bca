/** The engine in a worker: calls become messages, aborts too. A worker that dies is replaced on the next call. */

import { aborted, KnarrError } from "./errors.js";
import { kind } from "./given.js";

/** A backend that talks to `worker.js`. */
export class WorkerBackend {
  #make;
  #location;
  #worker;
  #calls = new Map();
  #lastId = 0;

  /**
   * @param {() => Worker} make starts a worker
   * @param {object} location what `locate` returned
   */
  constructor(make, location) {
    this.#make = make;
    this.#location = location;
  }

  /**
   * Resolves when the worker's script runs; rejects when it cannot be loaded.
   *
   * @param {Promise<{ first?: ArrayBuffer, module?: ArrayBuffer }>} [ahead] what the worker is handed, once it is there
   */
  start(ahead) {
    const worker = this.#make();
    this.#worker = worker;
    const started = new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => (data.ready ? resolve() : this.#receive(data)));
      const die = (event) => {
        event.preventDefault?.();
        const error = new KnarrError("INTERNAL", `the worker failed: ${event.message ?? "its script could not be loaded"}`);
        reject(error);
        if (this.#worker === worker) this.#fail(error);
      };
      worker.addEventListener("error", die);
      worker.addEventListener("messageerror", die);
    });
    // The worker that takes the place of another gets its location at once: calls may be right behind it.
    if (ahead === undefined) this.#locate(worker, {});
    return Promise.all([started, ahead?.then((given) => this.#locate(worker, given))]);
  }

  #locate(worker, { first, module }) {
    const { wasm, ...location } = this.#location;
    const handed = [first, module].filter((bytes) => bytes !== undefined);
    worker.postMessage({ location: { ...location, first, wasm: module ? { ...wasm, engine: module } : wasm } }, handed);
  }

  async call(method, args, { signal, onProgress } = {}) {
    if (this.#worker === undefined) this.#restart();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#calls.delete(id);
        this.#worker?.postMessage({ cancel: id });
        reject(aborted(signal));
      };
      if (signal?.aborted) return reject(aborted(signal));
      this.#post({ id, method, args, progress: onProgress !== undefined });
      signal?.addEventListener("abort", cancel, { once: true });
      const end = () => signal?.removeEventListener("abort", cancel);
      this.#calls.set(id, { resolve, reject, end, onProgress });
    });
  }

  /** Starts a worker in the place of one that died. The call is sent right behind: what ends the worker ends the call. */
  #restart() {
    try {
      this.start().catch(() => {});
    } catch (cause) {
      this.#worker = undefined;
      throw new KnarrError("UNAVAILABLE", `the worker did not start: ${cause?.message ?? cause}`, { cause });
    }
  }

  /** Sends a call. Arguments that cannot be cloned as they are (a framework's proxies) are sent as the data they hold. */
  #post(call) {
    try {
      try {
        this.#worker.postMessage(call);
      } catch {
        this.#worker.postMessage({ ...call, args: data(call.args) });
      }
    } catch (cause) {
      throw new KnarrError("INVALID_ARGUMENT", `${call.method}: an option is not plain data: ${cause?.message ?? cause}`, { cause });
    }
  }

  close() {
    this.#fail(new KnarrError("FAILED_PRECONDITION", "this bundle was closed"));
  }

  #receive({ id, value, error, progress }) {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    if (progress !== undefined) {
      call.onProgress?.(progress);
      return;
    }
    this.#calls.delete(id);
    call.end();
    if (error === undefined) call.resolve(value);
    else call.reject(new KnarrError(error.code, error.message));
  }

  /** Ends the worker and every call in it. */
  #fail(error) {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const call of this.#calls.values()) {
      call.end();
      call.reject(error);
    }
    this.#calls.clear();
  }
}

/** A copy of lists and plain objects, whatever stands in front of them; other values as they are. */
function data(value) {
  if (Array.isArray(value)) return Array.from(value, data);
  if (kind(value) !== "Object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, data(part)]));
}
