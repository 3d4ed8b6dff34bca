/** What every backend that asks a server has: calls that end with their caller's signal, or with the client. */

import { aborted, KnarrError } from "./errors.js";

export class RemoteBackend {
  #calls = new Set();

  /** Runs one method, as `Engine.call` does. */
  async call(method, args, { signal, onProgress } = {}) {
    const controller = new AbortController();
    const cancel = () => controller.abort(signal.reason);
    if (signal?.aborted) throw aborted(signal);
    signal?.addEventListener("abort", cancel, { once: true });
    this.#calls.add(controller);
    try {
      return await this[method](...args, { signal: controller.signal, onProgress });
    } catch (error) {
      throw controller.signal.reason === this ? new KnarrError("FAILED_PRECONDITION", "this client was closed") : error;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#calls.delete(controller);
    }
  }

  /** Ends every call in progress. */
  close() {
    for (const call of this.#calls) call.abort(this);
  }
}
