/** Requests to endpoints: no cookies, no redirects, no more time and no more bytes than were given. */

import { aborted } from "./errors.js";

/**
 * Sends one request of the endpoints module and tells it what came of it. Rejects only when the caller aborts.
 *
 * @param {{ url: string, headers: object, body: string, timeout_ms: number, max_bytes: number, delay_ms: number }} post
 * @param {AbortSignal | undefined} signal
 */
export async function send(post, signal) {
  const begun = performance.now();
  const { delay_ms } = post;
  const { status, headers, body, ...failure } = await exchange({ ...post, method: "POST" }, signal);
  if (status === undefined) return failure;
  const elapsed_ms = Math.max(0, Math.round(performance.now() - begun - delay_ms));
  return { status, retry_after: headers.get("retry-after"), body, elapsed_ms };
}

/**
 * One request and its answer as text (`binary`: as `bytes`), or `{ failure, detail }` with the failure `timeout`, `too_large` or `unreachable`.
 * Rejects only when the caller aborts.
 *
 * @param {{ url: string, method: string, headers: object, body?: string, timeout_ms: number, max_bytes: number,
 *   delay_ms?: number, binary?: boolean }} request
 * @param {AbortSignal | undefined} signal
 */
export async function exchange({ url, method, headers, body, timeout_ms, max_bytes, delay_ms = 0, binary = false }, signal) {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  signal?.addEventListener("abort", cancel, { once: true });
  let timer;
  let late = false;
  try {
    if (signal?.aborted) throw aborted(signal);
    if (delay_ms > 0) await sleep(delay_ms, controller.signal);
    timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, Math.min(timeout_ms, 2 ** 31 - 1)); // Timers take a larger number as none.
    const response = await fetch(url, {
      method, headers, body, signal: controller.signal,
      // A redirect would carry the key and the texts to another place.
      credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", cache: "no-store",
    });
    const bytes = await read(response, max_bytes);
    if (bytes === undefined) return { failure: "too_large" };
    const answer = { status: response.status, headers: response.headers };
    return binary ? { ...answer, bytes } : { ...answer, body: new TextDecoder().decode(bytes) };
  } catch (error) {
    if (signal?.aborted) throw aborted(signal);
    if (late) return { failure: "timeout" };
    return { failure: "unreachable", detail: String(error?.cause?.message || error?.message || error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

/** JSON that any reader takes: halves of surrogate pairs, which `JSON.stringify` escapes, become U+FFFD. */
export function json(value) {
  return JSON.stringify(value).replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === "\\\\" ? found : "\ufffd"));
}

/** The body; undefined, and no further read, when it is longer than `limit` bytes. */
async function read(response, limit) {
  const reader = response.body?.getReader();
  const chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    length += value.length;
    if (length > limit) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
