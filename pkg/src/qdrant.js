/** `knarr/qdrant`: the methods of a bundle answered by a collection that `knarr export --to qdrant` wrote. docs/QDRANT.md says what differs. */

import { Client } from "./client.js";
import { invalid, KnarrError } from "./errors.js";
import { groupsOf, lists, pagesOf, tagsOf, textIn, textsOf, timeOf, toRead, typeOf } from "./qdrant-answers.js";
import { any, directoryUri, is, listBody, narrowed, PAYLOAD } from "./qdrant-requests.js";
import { checkedGroups, ranked } from "./qdrant-ranking.js";
import { badAnswer, QdrantServer } from "./qdrant-server.js";
import { cut } from "./qdrant-terms.js";
import { Words } from "./qdrant-words.js";
import { RemoteBackend } from "./remote-backend.js";
import { entries } from "./server-answers.js";
import { proved, provedPlain } from "./server-requests.js";

export { KnarrError } from "./errors.js";
export { Session } from "./session.js";

/** The same as `Knarr.remote` with `engine: "qdrant"`, for those who have no bundle, or no dynamic imports. */
export async function remote(url, options) {
  return new Client(new Backend(url, { engine: "qdrant", ...options }));
}

/** Rows of one request of a listing, and of a whole listing. */
const AT_ONCE = 1000;
const MAX_LISTED = 50_000;

/** A word of the collection, which has neither capitals nor accents, as the rows write it; inside a text, where one can. */
function asWritten({ memories, resources, skills }, word) {
  const texts = [...memories, ...resources, ...skills].flatMap(({ title, excerpt }) => [title, excerpt.text]);
  const found = texts.flatMap((text) => cut(text).filter(({ term }) => term === word).map(({ start, end }) => ({ start, written: text.slice(start, end) })));
  return (found.find(({ start }) => start > 0) ?? found[0])?.written ?? word;
}

/** A backend that asks a collection. */
export class Backend extends RemoteBackend {
  #server;
  #words;

  constructor(url, options) {
    super();
    if (options.engine !== "qdrant") throw invalid(`remote: the engine ${options.engine} is not known; known is qdrant, and without one an OpenViking server is asked`);
    this.#server = new QdrantServer(url, options);
    this.#words = new Words(this.#server);
  }

  async find(query, given, { signal }) {
    const options = proved("find", given);
    const about = await this.#server.about(signal);
    const asked = narrowed(options, about);
    const { prefix = true } = options;
    const read = await this.#words.read(query, { prefix, nodes: about.nodes, dims: about.dims }, signal);
    const { ranking, skipped, alpha } = await this.#ask(read, options, asked, about, signal);
    const { excerpts = true, excerpt_length = 180 } = options;
    const shown = await this.#rows(ranking.slice(asked.offset, asked.offset + asked.limit), excerpts, signal);
    const [texts, directories] = await Promise.all([
      excerpts ? this.#texts(toRead(shown), signal) : new Map(),
      options.group === "directory" ? this.#directories(shown, signal) : undefined,
    ]);
    const found = lists(shown, { texts, marks: read.marks, length: excerpt_length, isBare: !excerpts });
    return {
      ...found, ...(directories && { groups: groupsOf(shown, directories) }),
      corrections: read.corrections.map(([typed, as]) => [typed, asWritten(found, as)]), skipped: [...asked.skipped, ...read.skipped, ...skipped], alpha,
    };
  }

  async search(query, given, { signal }) {
    const { session, session_id, intent = "auto", rerank = true, merge, ...options } = proved("search", given);
    const found = await this.find(query, options, { signal });
    const isTalk = (session_id ?? null) !== null || (session?.messages ?? []).length > 0;
    const reason = "a Qdrant collection makes no plan: the query was searched as typed";
    const missing = [
      ...(intent === "always" || (isTalk && intent !== "never") ? [{ step: "intent", reason }] : []),
      ...(rerank === "walk" ? [{ step: "rerank", reason: "a Qdrant collection has no walk" }] : []),
    ];
    const queries = [{ query, context_type: null, intent: "", priority: 1 }];
    return { ...found, skipped: [...missing, ...found.skipped], query_plan: { reasoning: `searched as asked: ${reason}`, queries } };
  }

  async abstract(uri, { signal }) {
    const { payload } = await this.#at(uri, ["abstract"], signal);
    return textIn(payload, "abstract", uri);
  }

  async overview(uri, { signal }) {
    const { payload } = await this.#at(uri, ["overview"], signal);
    if (!isDirectory(payload)) throw unserved("overview() of a file", "a collection has those of directories; read() has the file");
    return textIn(payload, "overview", uri);
  }

  async read(uri, given, { signal }) {
    const { line, limit = -1, raw, ...rest } = proved("read", given);
    const offset = line > 0 ? line - 1 : rest.offset ?? 0;
    if (raw) throw unserved("read() with raw", "a collection has the text only: leave out raw");
    const { payload } = await this.#at(uri, ["text"], signal);
    if (isDirectory(payload)) throw invalid(`'${uri}' is a directory: read its overview, or one of its files`);
    const text = textIn(payload, "text", uri);
    if (offset === 0 && limit < 0) return text;
    return (text.match(/[^\n]*\n|[^\n]+/g) ?? []).slice(offset, limit < 0 ? undefined : offset + limit).join("");
  }

  async ls(uri, given, { signal }) {
    const { recursive = false, ...options } = provedPlain("ls", given);
    return this.#list(uri, options, recursive ? Infinity : 1, signal);
  }

  async tree(uri, given, { signal }) {
    const { level_limit = 3, ...options } = provedPlain("tree", given);
    return this.#list(uri, options, level_limit, signal);
  }

  async stat(given, { signal }) {
    const { payload, uri } = await this.#at(given, ["title", "tags", "type", "size", "updated_at"], signal);
    const isDir = isDirectory(payload);
    const below = uri === ROOT ? [] : [is("parents", uri)];
    const count = async (what) => (await this.#server.points("count", { filter: { must: [is("place", 0), ...below], ...what }, exact: true }, signal)).count;
    // Two rows of each directory, one of each file, as the engine counts.
    const [files, folders] = isDir ? await Promise.all([count({ must_not: [IS_DIRECTORY] }), count({ should: [IS_DIRECTORY] })]) : [1, 0];
    const own = isDir && uri !== ROOT ? 1 : 0;
    return {
      name: uri.split("/").pop(), size: isDir ? 0 : sizeOf(payload), modTime: timeOf(payload.updated_at), isDir,
      count: files + 2 * (folders + own), context_type: typeOf(payload), title: textIn(payload, "title", uri), tags: tagsOf(payload),
    };
  }

  grep() {
    throw unserved("grep()", "find() asks for words, and a bundle opened with Knarr.open matches expressions");
  }

  glob() {
    throw unserved("glob()", "ls() and tree() list what there is, and a bundle opened with Knarr.open matches patterns");
  }

  download() {
    throw unserved("download()", "read() has the text; files lie in a bundle opened with Knarr.open");
  }

  relations() {
    throw unserved("relations()", "links are not exported; a bundle opened with Knarr.open has them");
  }

  entities() {
    throw unserved("entities()", "the graph is not exported; a bundle opened with Knarr.open has it");
  }

  neighbors() {
    throw unserved("neighbors()", "the graph is not exported; a bundle opened with Knarr.open has it");
  }

  inspect() {
    throw unserved("inspect()", "it counts what is in a bundle; the server tells of its collections itself");
  }

  statistics() {
    throw unserved("statistics()", "it counts the questions to a bundle; the server has metrics of its own");
  }

  /** The pages that answer, by words, by vector or by both; among all languages and versions where those wanted have none. */
  async #ask(read, options, asked, about, signal) {
    const skipped = [];
    const sparse = asked.alpha < 1 && read.sparse.indices.length > 0 ? read.sparse : undefined;
    const meant = options.vector ? unit(options.vector) : read.dense;
    const dense = asked.alpha > 0 && meant.length > 0 ? meant : undefined;
    if (asked.alpha > 0 && dense === undefined) skipped.push({ step: "vector", reason: withoutVector(about) });
    const alpha = dense === undefined ? 0 : asked.alpha;
    const ask = async (variants) => {
      const must = [...asked.must, ...variants.map(({ condition }) => condition)];
      const how = { ...asked, must, score_threshold: options.score_threshold, isAlone: !sparse || !dense };
      const list = async (query, using) => (query === undefined ? [] : checkedGroups(await this.#server.points("query/groups", listBody(query, using, how), signal)));
      return ranked(...(await Promise.all([list(sparse, "sparse"), list(dense, "dense")])), alpha);
    };
    if (asked.limit === 0 || !(sparse || dense)) return { ranking: [], skipped, alpha };
    const ranking = await ask(asked.variants);
    if (ranking.length > 0 || asked.variants.length === 0) return { ranking, skipped, alpha };
    const reason = "what was wanted has no answer: the others were searched too";
    skipped.push(...asked.variants.map(({ step }) => ({ step, reason })));
    return { ranking: await ask([]), skipped, alpha };
  }

  /** The rows of a ranking. Sections come with their texts; a page's own row may be long, and is most often not shown. */
  async #rows(ranking, withTexts, signal) {
    const ask = async (rows, fields) => (rows.length === 0 ? [] : this.#server.points("", { ids: rows.map(({ id }) => id), with_payload: [...PAYLOAD, ...fields] }, signal));
    const all = ranking.flatMap(({ rows }) => rows);
    const isRead = ({ place }) => withTexts && place > 0;
    const points = await Promise.all([ask(all.filter(isRead), ["text"]), ask(all.filter((row) => !isRead(row)), [])]);
    return pagesOf(ranking, points.flat());
  }

  async #texts(ids, signal) {
    return ids.length === 0 ? new Map() : textsOf(await this.#server.points("", { ids, with_payload: ["text"] }, signal));
  }

  /** Title and abstract of the directories of results. */
  async #directories(pages, signal) {
    const uris = [...new Set(pages.map(([{ folder }]) => folder))];
    if (uris.length === 0) return new Map();
    const filter = { must: [any("uri", uris), IS_DIRECTORY] };
    const { points } = await this.#server.points("scroll", { filter, limit: uris.length, with_payload: ["uri", "title", "abstract"] }, signal);
    const told = (payload, key) => textIn(payload, key, "a directory");
    return new Map(points.map(({ payload }) => [told(payload, "uri"), { title: told(payload, "title"), abstract: told(payload, "abstract") }]));
  }

  /** The point of a file or directory; the URIs of a sidecar and of a section are those of what they belong to. */
  async #at(given, fields, signal) {
    const uri = directoryUri(given).replace(/\/\.(abstract|overview)\.md$/, "");
    const filter = { must: [is("uri", uri), is("place", 0)] };
    const { points: [point] } = await this.#server.points("scroll", { filter, limit: 1, with_payload: ["uri", "kind", ...fields] }, signal);
    if (point === undefined) throw new KnarrError("NOT_FOUND", `there is nothing at ${uri} in the collection`);
    return { payload: point.payload ?? {}, uri };
  }

  async #list(given, { abs_limit = 256, node_limit = 1000, show_all_hidden, sort_by, sort_order }, levels, signal) {
    const root = directoryUri(given);
    const scope = levels === 1 ? [is("folder", root)] : root === ROOT ? [] : [is("parents", root)];
    const [{ payload }, rows] = await Promise.all([this.#at(root, [], signal), this.#scroll([is("place", 0), ...scope], signal)]);
    if (!isDirectory(payload)) throw invalid(`'${given}' is a file, not a directory`);
    const all = entries(rows.map(entryOf), root, { sort_by, sort_order });
    const depth = ({ rel_path }) => rel_path.split("/").length;
    const isShown = (row) => row.uri !== ROOT && depth(row) <= levels && (row.isDir || show_all_hidden || !/(^|\/)\.[^/]*$/.test(row.rel_path));
    const shown = all.filter(isShown);
    const listed = shown.slice(0, node_limit).map((row) => ({ ...row, abstract: shortened(row.abstract, abs_limit) }));
    // As in a bundle: there are more, or directories whose contents lie too deep.
    const isDeep = (row) => levels > 1 && row.isDir && depth(row) >= levels;
    if (shown.length > node_limit || listed.some(isDeep)) listed.truncated = true;
    return listed;
  }

  /** All points that pass, a thousand at a time. */
  async #scroll(must, signal) {
    const rows = [];
    let offset;
    do {
      const body = { filter: { must }, limit: AT_ONCE, with_payload: ["uri", "kind", "size", "updated_at", "abstract"], ...(offset !== undefined && { offset }) };
      const { points, next_page_offset } = await this.#server.points("scroll", body, signal);
      rows.push(...points);
      offset = next_page_offset ?? undefined;
      if (rows.length > MAX_LISTED) throw new KnarrError("RESOURCE_EXHAUSTED", `there are more than ${MAX_LISTED} files and directories: list a directory below`);
    } while (offset !== undefined);
    return rows;
  }
}

const ROOT = "viking://";
const IS_DIRECTORY = is("kind", "directory");
const isDirectory = ({ kind }) => kind === "directory";

function unserved(what, remedy) {
  return new KnarrError("UNIMPLEMENTED", `a Qdrant collection has no ${what}: ${remedy}`);
}

/** Why a question has no vector, for people. */
function withoutVector({ dims, encoder }) {
  if (dims === 0) return "this collection has no vectors";
  return encoder.startsWith("static-") ? "no word of the query has a vector" : `the vectors are those of ${encoder}: give the query's as vector`;
}

/** A vector at length 1. */
function unit(vector) {
  const length = Math.hypot(...vector);
  if (!(length > 0 && length < Infinity)) throw invalid("the query vector is zero or not finite");
  return Array.from(vector, (value) => value / length);
}

const sizeOf = ({ size }) => (Number.isFinite(size) && size > 0 ? size : 0);

function entryOf({ payload }, i) {
  const isDir = isDirectory(payload ?? {});
  const uri = textIn(payload, "uri", `result.points[${i}]`);
  if (!uri.startsWith(ROOT)) badAnswer(`result.points[${i}].payload.uri`, "is not a viking:// URI");
  return { uri, isDir, size: sizeOf(payload), modTime: timeOf(payload.updated_at), abstract: textIn(payload, "abstract", uri) };
}

function shortened(text, limit) {
  const letters = [...text];
  return letters.length <= limit ? text : `${letters.slice(0, Math.max(0, limit - 3)).join("")}...`;
}
