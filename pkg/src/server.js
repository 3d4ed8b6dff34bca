/** An OpenViking server as this package sees it: its version, its requests, and what its answers and failures mean. */

import { absolute } from "./client.js";
import { aborted, invalid, KnarrError } from "./errors.js";
import { isAddress } from "./given.js";
import { exchange, json } from "./transport.js";

const OPTIONS = [
  "apiKey", "account", "user", "actorPeer", "headers", "requestId", "version", "timeout_ms", "max_bytes",
];
const IDENTITY = {
  apiKey: "x-api-key", account: "x-openviking-account", user: "x-openviking-user", actorPeer: "x-openviking-actor-peer",
};

/** Codes of answers that are not the server's own: a proxy's, or the framework's. */
const CODES = {
  400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 405: "UNIMPLEMENTED", 408: "DEADLINE_EXCEEDED",
  409: "CONFLICT", 412: "FAILED_PRECONDITION", 413: "RESOURCE_EXHAUSTED", 422: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 501: "UNIMPLEMENTED",
  502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
};

/** A server by its address. Nothing is sent until the first request. */
export class Server {
  /** What the caller said of the identity, as far as other modules ask for it. */
  identity;
  #base;
  #headers;
  #options;
  #health;

  /**
   * @param {string | URL} url the server's root, `https://host:1933/`
   * @param {object} [options] those of `Knarr.remote`
   */
  constructor(url, options = {}) {
    this.#base = root(url);
    this.#options = checked(options ?? {});
    const { headers = {}, user, actorPeer } = this.#options;
    this.#headers = { accept: "application/json", ...headers };
    for (const [name, header] of Object.entries(IDENTITY)) {
      if (this.#options[name] !== undefined) this.#headers[header] = this.#options[name];
    }
    this.identity = { user, actor_peer: actorPeer };
  }

  /**
   * The server's version, `[major, minor, patch]`, and the name it has; both undefined when the server does not tell.
   * Asked once: `/health` is read with the first call, and again only after it could not be reached.
   */
  async version(signal) {
    if (this.#options.version !== undefined) return parse(this.#options.version);
    this.#health ??= this.#askVersion().catch((error) => {
      this.#health = undefined;
      throw error;
    });
    return signal ? Promise.race([this.#health, rejection(signal)]) : this.#health;
  }

  /**
   * Sends one request and returns its `result`.
   *
   * @param {"GET" | "POST" | "DELETE"} method
   * @param {string} path below the root
   * @param {{ query?: object, body?: object, headers?: object }} content
   */
  async request(method, path, content, signal) {
    return (await this.envelope(method, path, content, signal)).result;
  }

  /** The same, with what stands beside the `result`. */
  async envelope(method, path, { query, body, headers }, signal) {
    const answer = await this.#exchange(method, path, { query, body, headers }, signal);
    const { url, status } = answer;
    const envelope = readJson(answer);
    if (status < 300 && envelope?.status === "ok") return envelope;
    throw failure(answer, envelope, `${new URL(url).origin}${new URL(url).pathname}`);
  }

  /** Fetches a file's bytes. */
  async bytes(path, query, signal) {
    const answer = await this.#exchange("GET", path, { query, accept: "*/*" }, signal);
    if (answer.status < 300) return answer.bytes;
    const { url, bytes } = answer;
    const told = { ...answer, body: new TextDecoder().decode(bytes) };
    throw failure(told, readJson(told), `${new URL(url).origin}${new URL(url).pathname}`);
  }

  async #askVersion() {
    const answer = await this.#exchange("GET", "health", {});
    if (answer.status >= 500) throw failure(answer, readJson(answer), answer.url);
    return parse(readJson(answer)?.version);
  }

  /** One exchange, repeated once when the server asks to wait and the time allows it. */
  async #exchange(method, path, { query, body, headers, accept }, signal) {
    const { timeout_ms = 60_000, max_bytes = 16 << 20, requestId } = this.#options;
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
    if (answer.status !== undefined) return { ...answer, url: url.href };
    throw unanswered(answer, url, timeout_ms, max_bytes);
  }
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

function checked(options) {
  if (typeof options !== "object") throw invalid("remote: the options are not an object");
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw invalid(`remote: unknown option ${unknown}; known are ${OPTIONS.join(", ")}`);
  const { headers = {}, requestId, timeout_ms = 1, max_bytes = 1 } = options;
  for (const name of ["apiKey", "account", "user", "actorPeer", "version"]) {
    if (typeof (options[name] ?? "") !== "string") throw invalid(`remote: ${name} is not a string`);
  }
  try {
    new Headers({ ...headers, ...Object.fromEntries(Object.entries(IDENTITY).map(([name, header]) => [header, options[name] ?? ""])) });
  } catch (cause) {
    throw new KnarrError("INVALID_ARGUMENT", "remote: headers, key and names have characters that no header may have", { cause });
  }
  if (requestId !== undefined && typeof requestId !== "function") throw invalid("remote: requestId is not a function");
  if (!(timeout_ms > 0)) throw invalid("remote: timeout_ms is not a number of milliseconds");
  if (!(max_bytes > 0)) throw invalid("remote: max_bytes is not a number of bytes");
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null));
}

/** `{ name, version }` of a version such as `0.4.12` or `0.5.2.dev3`; empty for what is none, such as 0.0.0. */
function parse(name) {
  const match = typeof name === "string" ? /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(name) : null;
  if (match === null || /^v?0\.0(\.0)?(?!\d)/.test(name)) return {};
  return { name, version: match.slice(1).map((digits) => Number(digits ?? 0)) };
}

function readJson({ body }) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Milliseconds that the server asks to wait; undefined when it does not, or names a date. */
function retryAfter({ headers }) {
  const seconds = headers?.get("retry-after");
  return /^\d+(\.\d+)?$/.test(seconds ?? "") ? Number(seconds) * 1000 : undefined;
}

/** The error of an answer that is no success. */
function failure(answer, envelope, place) {
  const { status, headers } = answer;
  const { code, message, details } = envelope?.error ?? {};
  const known = envelope?.status === "error" && typeof code === "string" && typeof message === "string";
  const more = {
    status, details: known && details !== null && typeof details === "object" ? details : undefined,
    request_id: headers.get("x-request-id") ?? undefined, retry_after_ms: retryAfter(answer),
  };
  if (known) return Object.assign(new KnarrError(code, message), more);
  const coded = status >= 400 ? CODES[status] ?? (status >= 500 ? "INTERNAL" : "BAD_RESPONSE") : "BAD_RESPONSE";
  const detail = framework(envelope?.detail) ?? describe(answer);
  const told = `${place} answered ${status}: ${detail}`;
  const hint = coded === "BAD_RESPONSE" ? "; is this the root of an OpenViking server?" : "";
  return Object.assign(new KnarrError(coded, told + hint), more);
}

/** What the server's framework says, in old versions, of a request it did not let through. */
function framework(detail) {
  if (typeof detail === "string") return detail;
  return Array.isArray(detail) ? detail.map(({ loc, msg }) => `${[loc].flat().join(".")}: ${msg}`).join("; ") : undefined;
}

/** What a body that is not the server's looks like. */
function describe({ body }) {
  const text = body.trim();
  if (text === "") return "an empty body";
  if (/^<(!doctype|html|head|body)/i.test(text)) return "an HTML page, not JSON";
  return /^[[{]/.test(text) ? "JSON of another shape, or cut off" : "text that is not JSON";
}

/** The error of a request without an answer. */
function unanswered({ failure, detail }, url, timeout_ms, max_bytes) {
  const place = `${url.origin}${url.pathname}`;
  if (failure === "timeout") return new KnarrError("DEADLINE_EXCEEDED", `${place} did not answer within ${timeout_ms} ms`);
  if (failure === "too_large") {
    return new KnarrError("RESOURCE_EXHAUSTED", `${place}: the answer is longer than max_bytes, ${max_bytes} bytes`);
  }
  const { location } = globalThis;
  const foreign = location !== undefined && location.origin !== url.origin;
  const cors = foreign ? `; the server has to allow the origin ${location.origin} (cors_origins in its ov.conf)` : "";
  const mixed = location?.protocol === "https:" && url.protocol === "http:" ? ", and a page of https may not ask a server of http" : "";
  return new KnarrError("UNAVAILABLE", `${place} could not be reached (${detail})${cors}${mixed}`);
}

function rejection(signal) {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(aborted(signal));
    else signal.addEventListener("abort", () => reject(aborted(signal)), { once: true });
  });
}
