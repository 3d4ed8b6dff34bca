/** An OpenViking server as this package sees it: its version, its requests, and what its answers and failures mean. */

import { KnarrError, unlessAborted } from "./errors.js";
import { checkedOptions, Connection, facts, failure, headersOf, readJson } from "./server-connection.js";

const OPTIONS = [
  "apiKey", "account", "user", "actorPeer", "headers", "requestId", "version", "timeout_ms", "max_bytes",
];
const IDENTITY = {
  apiKey: "x-api-key", account: "x-openviking-account", user: "x-openviking-user", actorPeer: "x-openviking-actor-peer",
};

/** A server by its address. Nothing is sent until the first request. */
export class Server {
  /** What the caller said of the identity, as far as other modules ask for it. */
  identity;
  #connection;
  #version;
  #health;

  /**
   * @param {string | URL} url the server's root, `https://host:1933/`
   * @param {object} [options] those of `Knarr.remote`
   */
  constructor(url, options = {}) {
    const given = checkedOptions(options ?? {}, OPTIONS, ["apiKey", "account", "user", "actorPeer", "version"], IDENTITY);
    this.#connection = new Connection(url, headersOf(given, IDENTITY), given, "cors_origins in its ov.conf");
    this.#version = given.version;
    this.identity = { user: given.user, actor_peer: given.actorPeer };
  }

  /**
   * The server's version, `[major, minor, patch]`, and the name it has; both undefined when the server does not tell.
   * Asked once: `/health` is read with the first call, and again only after it could not be reached.
   */
  async version(signal) {
    if (this.#version !== undefined) return parse(this.#version);
    this.#health ??= this.#askVersion().catch((error) => {
      this.#health = undefined;
      throw error;
    });
    return unlessAborted(this.#health, signal);
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
    const answer = await this.#connection.exchange(method, path, { query, body, headers }, signal);
    const envelope = readJson(answer);
    if (answer.status < 300 && envelope?.status === "ok") return envelope;
    throw failed(answer, envelope);
  }

  /** Fetches a file's bytes. */
  async bytes(path, query, signal) {
    const answer = await this.#connection.exchange("GET", path, { query, accept: "*/*" }, signal);
    if (answer.status < 300) return answer.bytes;
    const told = { ...answer, body: new TextDecoder().decode(answer.bytes) };
    throw failed(told, readJson(told));
  }

  async #askVersion() {
    const answer = await this.#connection.exchange("GET", "health", {});
    if (answer.status >= 500) throw failed(answer, readJson(answer));
    return parse(readJson(answer)?.version);
  }
}

/** `{ name, version }` of a version such as `0.4.12` or `0.5.2.dev3`; empty for what is none, such as 0.0.0. */
function parse(name) {
  const match = typeof name === "string" ? /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(name) : null;
  if (match === null || /^v?0\.0(\.0)?(?!\d)/.test(name)) return {};
  return { name, version: match.slice(1).map((digits) => Number(digits ?? 0)) };
}

/** The error of an answer that is no success. */
function failed(answer, envelope) {
  const { code, message, details } = envelope?.error ?? {};
  if (envelope?.status === "error" && typeof code === "string" && typeof message === "string") {
    const more = details !== null && typeof details === "object" ? details : undefined;
    return Object.assign(new KnarrError(code, message), facts(answer, more));
  }
  return failure(answer, { detail: framework(envelope?.detail), hint: "is this the root of an OpenViking server?" });
}

/** What the server's framework says, in old versions, of a request it did not let through. */
function framework(detail) {
  if (typeof detail === "string") return detail;
  return Array.isArray(detail) ? detail.map(({ loc, msg }) => `${[loc].flat().join(".")}: ${msg}`).join("; ") : undefined;
}
