/** Failures as callers see them: always a `KnarrError` with a stable code, whatever threw and on which thread. */

/** A failure with a stable `code`; see the type declarations for the list. */
export class KnarrError extends Error {
  /** Each script of the package has this class in it: a failure is one of all of them. */
  static [Symbol.hasInstance](value) {
    return this === KnarrError ? value?.name === "KnarrError" && value instanceof Error : super[Symbol.hasInstance](value);
  }

  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "KnarrError";
    this.code = code;
  }
}

/** What a caller's own abort means: `ABORTED`, or `DEADLINE_EXCEEDED` after `AbortSignal.timeout`. */
export function aborted(signal) {
  const { reason } = signal;
  const code = reason?.name === "TimeoutError" ? "DEADLINE_EXCEEDED" : "ABORTED";
  return new KnarrError(code, reason?.message ?? String(reason ?? "the call was aborted"), { cause: reason });
}

/** Rejects when the caller aborts, and never otherwise. */
export function rejection(signal) {
  const promise = new Promise((_, reject) => {
    if (signal.aborted) reject(aborted(signal));
    else signal.addEventListener("abort", () => reject(aborted(signal)), { once: true });
  });
  promise.catch(() => {});
  return promise;
}

/** Refuses an argument of the wrong kind before it reaches the engine. */
export function invalid(message) {
  return new KnarrError("INVALID_ARGUMENT", message);
}
