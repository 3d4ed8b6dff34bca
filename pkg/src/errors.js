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

/** What a promise brings, as long as the caller does not abort. A signal may live longer than the call: no listener stays on it. */
export async function unlessAborted(promise, signal) {
  if (!signal) return promise;
  let leave;
  const gone = new Promise((_, reject) => {
    leave = () => reject(aborted(signal));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave);
  });
  try {
    return await Promise.race([promise, gone]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** Refuses an argument of the wrong kind before it reaches the engine. */
export function invalid(message) {
  return new KnarrError("INVALID_ARGUMENT", message);
}
