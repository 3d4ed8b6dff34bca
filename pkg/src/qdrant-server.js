/** A Qdrant server as this package sees it: one collection, what is true of it as a whole, and what its failures mean. */

import { invalid, KnarrError, unlessAborted } from "./errors.js";
import { checkedOptions, Connection, failure, headersOf, readJson } from "./server-connection.js";

const OPTIONS = ["engine", "collection", "apiKey", "headers", "requestId", "timeout_ms", "max_bytes"];
const KEY = { apiKey: "api-key" };

/** Form of the points without vectors that this script reads; `knarr export` writes it. */
const FORMAT = 1;
/** Number of the point that is about the whole. */
const ABOUT = 0;
/** Milliseconds for which that is believed: somebody may load a new export. */
const KEPT_MS = 60_000;

const HINT = "is this the root of a Qdrant server, 1.11 or newer?";

/** A collection by its server's address. Nothing is sent until the first request. */
export class QdrantServer {
  #connection;
  #collection;
  #about;
  #since = 0;

  /**
   * @param {string | URL} url the server's root, `https://host:6333/`
   * @param {object} options those of `Knarr.remote` with `engine: "qdrant"`
   */
  constructor(url, options) {
    const given = checkedOptions(options, OPTIONS, ["apiKey", "collection"], KEY);
    const { collection } = given;
    if (!collection) throw invalid("remote: a Qdrant server has many collections: name yours as collection");
    if (/[/\\?#]|^\.\.?$/.test(collection)) throw invalid(`remote: ${collection} is not the name of a collection`);
    this.#collection = collection;
    this.#connection = new Connection(url, headersOf(given, KEY), given, "service.enable_cors in its config.yaml");
  }

  /**
   * Asks the collection's points; the `result`.
   *
   * @param {"" | "scroll" | "count" | "query/groups"} what
   */
  async points(what, body, signal) {
    const path = ["collections", encodeURIComponent(this.#collection), "points", what].filter(Boolean).join("/");
    const answer = await this.#connection.exchange("POST", path, { body }, signal);
    const told = readJson(answer);
    if (answer.status < 300 && told?.status === "ok" && told.result !== undefined) return checked(what, told.result);
    throw this.#failed(answer, told);
  }

  /** What is true of the whole collection: its languages, the length of its vectors, the nodes that an idf counts. */
  async about(signal) {
    if (performance.now() - this.#since > KEPT_MS) this.#about = undefined;
    if (this.#about === undefined) {
      this.#since = performance.now();
      const asking = this.#askAbout();
      this.#about = asking;
      asking.catch(() => this.#about === asking && (this.#about = undefined));
    }
    // Shared by all calls, so one caller's abort does not end it.
    return unlessAborted(this.#about, signal);
  }

  async #askAbout() {
    const [point] = await this.points("", { ids: [ABOUT], with_payload: true });
    const about = point?.payload?.knarr;
    const remedy = "load points.jsonl and site.jsonl of `knarr export --to qdrant` into it";
    if (!isObject(about)) throw new KnarrError("FAILED_PRECONDITION", `the collection ${this.#collection} has no words to read a question with: ${remedy}`);
    const { format, dims, nodes, alpha, languages, versions } = about;
    if (format !== FORMAT) {
      throw new KnarrError("FAILED_PRECONDITION", `the collection ${this.#collection} is of form ${format}, and this script reads form ${FORMAT}: ${remedy}, of the same version as this package`);
    }
    const isCount = (value) => Number.isInteger(value) && value >= 0 && value < 1e9;
    if (!isCount(dims) || !isCount(nodes) || !(alpha >= 0 && alpha <= 1)) badAnswer("the point 0", "has no dims, nodes or alpha");
    const isTexts = (list) => Array.isArray(list) && list.every((item) => typeof item === "string");
    if (!isTexts(languages) || !isTexts(versions)) badAnswer("the point 0", "has no languages or versions");
    return { ...about, encoder: String(about.encoder), language: String(about.language ?? ""), version: String(about.version ?? "") };
  }

  /** The error of an answer that is no success. */
  #failed(answer, told) {
    const { status } = answer;
    const said = told?.status?.error;
    const remedies = {
      401: "the server wants a key: give one that reads this collection only as apiKey",
      403: "the key does not read this collection: make one that does, or a token with access to it",
      404: `there is no collection ${this.#collection}: load one, or name the one that is there as collection`,
    };
    const isOwn = typeof said === "string";
    const remedy = isOwn || status === 401 || status === 403 ? remedies[status] : undefined;
    const detail = [isOwn ? said : undefined, remedy].filter(Boolean).join("; ");
    return failure(answer, { code: status === 404 && isOwn ? "NOT_FOUND" : undefined, detail: detail || undefined, hint: HINT });
  }
}

/** The result in the shape that this request has; refused in any other. */
function checked(what, result) {
  const list = { scroll: result?.points, "query/groups": result?.groups, "": result }[what];
  if (what === "count") {
    if (!Number.isInteger(result?.count)) badAnswer("result.count", "is not a number");
  } else if (!Array.isArray(list) || !list.every(isObject)) {
    badAnswer("result", `is not the answer to points${what && "/"}${what}`);
  }
  return result;
}

export const isObject = (value) => typeof value === "object" && value !== null;

/** Refuses an answer that is not an export's. */
export function badAnswer(place, what) {
  throw new KnarrError("BAD_RESPONSE", `the collection is not as knarr export wrote it: ${place} ${what}`);
}
