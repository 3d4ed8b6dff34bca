/** A server as every remote client sees it: requests of bounded time and size, and failures with their codes. */

import { absolute } from "./client.js";
import { invalid, KnarrError } from "./errors.js";
import { isAddress } from "./given.js";
import { exchange, json } from "./transport.js";

/** Codes of answers that are not the server's own: a proxy's, or the framework's. */
const CODES = {
  400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 405: "UNIMPLEMENTED", 408: "DEADLINE_EXCEEDED",
  409: "CONFLICT", 412: "FAILED_PRECONDITION", 413: "RESOURCE_EXHAUSTED", 422: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 501: "UNIMPLEMENTED",
  502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
};

/** The way to a server by its address. Nothing is sent until the first request. */
export class Connection {
  #base;
  #headers;
  #limits;
  #allows;

  /**
   * @param {string | URL} url the server's root
   * @param {object} headers of every request
   * @param {{ timeout_ms?: number, max_bytes?: number, requestId?: (path: string) => string }} limits proved before
   * @param {string} allows the server's setting for pages of other origins
   */
  constructor(url, headers, { timeout_ms = 60_000, max_bytes = 16 << 20, requestId }, allows) {
    this.#base = root(url);
    this.#headers = { accept: "application/json", ...headers };
    this.#limits = { timeout_ms, max_bytes, requestId };
    this.#allows = allows;
  }

  /** One exchange, repeated once when the server asks to wait and the time allows it. */
  async exchange(method, path, { query, body, headers, accept }, signal) {
    const { timeout_ms, max_bytes, requestId } = this.#limits;
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const sent = { ...this.#headers, ...headers };
    if (accept !== undefined) sent.accept = accept;
    if (body !== undefined) sent["content-type"] = "application/json";
    if (requestId !== undefined) sent["x-request-id"] = requestId(path);
    const end = performance.now() + timeout_ms;
    const request = { url: url.href, method, headers: sent, body: body && json(body), max_bytes, binary: accept !== undefined };
    let answer = await exchange({ ...request, timeout_ms }, signal);
    const wait = retryAfter(answer);
    if (wait !== undefined && [429, 503].includes(answer.status) && performance.now() + wait < end) {
      answer = await exchange({ ...request, delay_ms: wait, timeout_ms: end - performance.now() - wait }, signal);
    }
    if (answer.status !== undefined) return { ...answer, url: url.href, place: `${url.origin}${url.pathname}` };
    throw unanswered(answer, url, timeout_ms, max_bytes, this.#allows);
  }
}

/**
 * Proves the options that every remote client has.
 *
 * @param {object} options
 * @param {string[]} known names of options
 * @param {string[]} texts those of them that are strings
 * @param {object} named header by option
 */
export function checkedOptions(options, known, texts, named) {
  if (typeof options !== "object") throw invalid("remote: the options are not an object");
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(`remote: unknown option ${unknown}; known are ${known.join(", ")}`);
  const { headers = {}, requestId, timeout_ms = 1, max_bytes = 1 } = options;
  for (const name of texts) {
    if (typeof (options[name] ?? "") !== "string") throw invalid(`remote: ${name} is not a string`);
  }
  try {
    new Headers({ ...headers, ...Object.fromEntries(Object.entries(named).map(([name, header]) => [header, options[name] ?? ""])) });
  } catch (cause) {
    throw new KnarrError("INVALID_ARGUMENT", "remote: headers, key and names have characters that no header may have", { cause });
  }
  if (requestId !== undefined && typeof requestId !== "function") throw invalid("remote: requestId is not a function");
  if (!(timeout_ms > 0)) throw invalid("remote: timeout_ms is not a number of milliseconds");
  if (!(max_bytes > 0)) throw invalid("remote: max_bytes is not a number of bytes");
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null));
}

/** Headers of the options that are sent as such. */
export function headersOf(options, named) {
  const given = Object.entries(named).filter(([name]) => options[name] !== undefined);
  return { ...options.headers, ...Object.fromEntries(given.map(([name, header]) => [header, options[name]])) };
}

/** The server's root with a slash at its end, so that paths are resolved below it. */
function root(url) {
  if (!isAddress(url)) throw invalid("remote: the server is given as an address");
  const base = absolute(url, "remote");
  if (!/^https?:$/.test(base.protocol)) throw invalid(`remote: ${base.href} is not an address of http or https`);
  if (base.username || base.password) throw invalid("remote: no name and password in the address; the key goes into apiKey");
  base.search = base.hash = "";
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return base;
}

export function readJson({ body }) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The error of an answer that is no success: `code` and `detail` as far as the server told them, `hint` where it is not ours. */
export function failure(answer, { code, detail, details, hint }) {
  const { status, headers, place } = answer;
  const coded = code ?? (status >= 400 ? CODES[status] ?? (status >= 500 ? "INTERNAL" : "BAD_RESPONSE") : "BAD_RESPONSE");
  const told = `${place} answered ${status}: ${detail ?? describe(answer)}`;
  return Object.assign(new KnarrError(coded, coded === "BAD_RESPONSE" ? `${told}; ${hint}` : told), facts(answer, details, headers));
}

/** What a caller may want to know of an answer besides code and message. */
export function facts(answer, details, headers = answer.headers) {
  return {
    status: answer.status, details, request_id: headers.get("x-request-id") ?? undefined, retry_after_ms: retryAfter(answer),
  };
}

/** Milliseconds that the server asks to wait; undefined when it does not, or names a date. */
function retryAfter({ headers }) {
  const seconds = headers?.get("retry-after");
  return /^\d+(\.\d+)?$/.test(seconds ?? "") ? Number(seconds) * 1000 : undefined;
}

/** What a body that is not the server's looks like. */
function describe({ body }) {
  const text = body.trim();
  if (text === "") return "an empty body";
  if (/^<(!doctype|html|head|body)/i.test(text)) return "an HTML page, not JSON";
  return /^[[{]/.test(text) ? "JSON of another shape, or cut off" : "text that is not JSON";
}

/** The error of a request without an answer. */
function unanswered({ failure, detail }, url, timeout_ms, max_bytes, allows) {
  const place = `${url.origin}${url.pathname}`;
  if (failure === "timeout") return new KnarrError("DEADLINE_EXCEEDED", `${place} did not answer within ${timeout_ms} ms`);
  if (failure === "too_large") {
    return new KnarrError("RESOURCE_EXHAUSTED", `${place}: the answer is longer than max_bytes, ${max_bytes} bytes`);
  }
  const { location } = globalThis;
  const foreign = location !== undefined && location.origin !== url.origin;
  const cors = foreign ? `; the server has to allow the origin ${location.origin} (${allows})` : "";
  const mixed = location?.protocol === "https:" && url.protocol === "http:" ? ", and a page of https may not ask a server of http" : "";
  return new KnarrError("UNAVAILABLE", `${place} could not be reached (${detail})${cors}${mixed}`);
}
