/** `knarr/remote`: the methods of a bundle answered by an OpenViking server. docs/OPENVIKING.md says what differs. */

import { Client } from "./client.js";
import { KnarrError } from "./errors.js";
import { RemoteBackend } from "./remote-backend.js";
import { Server } from "./server.js";
import {
  entries, findResult, globResult, grepResult, merged, provenance, queryPlan, ready, relationList, statResult, textResult,
  withoutSidecar,
} from "./server-answers.js";
import { has, hasRelations, identityHeaders, narrowed, proved, provedPlain } from "./server-requests.js";
import { converse, messagesOf } from "./server-session.js";

export { KnarrError } from "./errors.js";
export { Session } from "./session.js";

/** The same as `Knarr.remote`, for those who have no bundle, or no dynamic imports. */
export async function remote(url, options) {
  return new Client(new Backend(url, options));
}

/** A backend that asks a server. */
export class Backend extends RemoteBackend {
  #server;

  constructor(url, options) {
    super();
    this.#server = new Server(url, options);
  }

  async find(query, given, { signal }) {
    const options = proved("find", given);
    const asked = await this.#asked(query, options, signal);
    const { found, told } = await this.#contexts("find", asked, {}, signal);
    return { ...found, skipped: asked.skipped, ...told };
  }

  async search(query, given, { signal }) {
    const { session, session_id, intent = "auto", rerank = true, merge = "best", ...options } = proved("search", given);
    const { messages, summary } = messagesOf(session);
    const asked = await this.#asked(query, options, signal);
    const skip = (step, reason) => asked.skipped.push({ step, reason });
    const talk = intent !== "never" && asked.limit > 0 && ((session_id ?? null) !== null || messages.length > 0);
    if (intent === "always" && !talk) skip("intent", "a server makes a plan only for a conversation");
    if (summary && talk) skip("summary", "a server takes no summary: it reads the messages");
    if (rerank !== true) skip("rerank", "whether it scores again is the server's own configuration");
    const more = options.include_provenance ? { include_provenance: true } : {};
    const plain = () => this.#contexts("search", asked, more, signal);
    const planned = (id) => this.#contexts("search", asked, { ...more, session_id: id }, signal);
    const send = (...request) => this.#server.request(...request);
    let answer;
    try {
      if (!talk) answer = await plain();
      else if ((session_id ?? null) !== null) answer = await planned(session_id);
      else answer = await converse(send, messages, asked.headers, planned, signal);
      if (talk && !answer.result.query_plan) skip("intent", "the server made no plan: its intent analysis may be off (retrieval.enable_intent)");
    } catch (error) {
      // What failed is the server's model, not the question: the same search without it.
      if (!talk || !(error.status >= 500 || (error.status === 400 && /intent/i.test(error.message)))) throw error;
      skip("intent", `${error.code}: ${error.message}`);
      answer = await plain();
    }
    const { found, result, told } = answer;
    const all = merge === "best" ? merged(found, asked.limit) : found;
    const searched = { ...all, skipped: asked.skipped, query_plan: queryPlan(result.query_plan, query), ...told };
    if (options.include_provenance) searched.provenance = provenance(result.provenance, asked.scope);
    return searched;
  }

  async grep(uri, pattern, given, { signal, onProgress }) {
    const { case_insensitive = false, node_limit = 256, level_limit = 10, exclude_uri } = provedPlain("grep", given);
    const server = await this.#server.version(signal);
    const root = withoutSidecar(uri);
    const body = { uri: root, pattern, case_insensitive, node_limit };
    const without = exclude_uri?.replace(/\/+$/, "");
    if (has(server, "level_limit")) body.level_limit = level_limit;
    if (without && has(server, "exclude_uri")) body.exclude_uri = without;
    const result = await this.#server.request("POST", "api/v1/search/grep", { body }, signal);
    const depth = (file) => file.slice(root.replace(/\/*$/, "/").length).split("/").length;
    const admits = (file) => !(without && (file === without || file.startsWith(`${without}/`)))
      && (has(server, "level_limit") || depth(file) <= level_limit);
    const found = grepResult(result, admits);
    onProgress?.({ files: found.files_scanned, total: found.files_scanned, matches: found.count });
    return found;
  }

  async glob(pattern, uri, given, { signal }) {
    const { node_limit = 256 } = provedPlain("glob", given);
    const body = { pattern, uri: withoutSidecar(uri), node_limit };
    return globResult(await this.#server.request("POST", "api/v1/search/glob", { body }, signal));
  }

  async abstract(uri, { signal }) {
    return this.#sidecar("abstract", uri, signal);
  }

  async overview(uri, { signal }) {
    return this.#sidecar("overview", uri, signal);
  }

  async read(uri, given, { signal }) {
    const { line, limit = -1, raw, ...rest } = proved("read", given);
    const offset = line > 0 ? line - 1 : rest.offset ?? 0;
    // The file beside the directory has front matter; what its name stands for has not.
    const [, sidecar] = /\/\.(abstract|overview)\.md$/.exec(uri) ?? [];
    if (sidecar === undefined) return textResult(await this.#get("content/read", { uri, offset, limit, ...(raw && { raw }) }, signal));
    const text = await this.#sidecar(sidecar, uri, signal);
    const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
    return lines.slice(offset, limit < 0 ? undefined : offset + limit).join("");
  }

  download(uri, { signal }) {
    return this.#server.bytes("api/v1/content/download", { uri }, signal);
  }

  async ls(uri, given, { signal }) {
    const { abs_limit = 256, node_limit = 1000, recursive = false, ...rest } = provedPlain("ls", given);
    const query = { uri: withoutSidecar(uri), abs_limit, node_limit, recursive, ...listing(rest), output: "agent" };
    return entries(await this.#get("fs/ls", query, signal), query.uri, rest);
  }

  async tree(uri, given, { signal }) {
    const { abs_limit = 256, node_limit = 1000, level_limit = 3, ...rest } = provedPlain("tree", given);
    const query = { uri: withoutSidecar(uri), abs_limit, node_limit, level_limit, ...listing(rest), output: "agent" };
    return entries(await this.#get("fs/tree", query, signal), query.uri, rest);
  }

  async stat(given, { signal }) {
    const uri = withoutSidecar(given);
    const server = await this.#server.version(signal);
    // Tags are a second thought of the server's: without them, the rest still stands.
    const attrs = has(server, "attrs") ? this.#get("fs/attrs", { uri }, signal).catch(() => undefined) : undefined;
    const [result, more] = await Promise.all([this.#get("fs/stat", { uri }, signal), attrs]);
    return statResult(result, more, uri);
  }

  async relations(uri, given, { signal }) {
    const { limit } = proved("relations", given);
    const server = await this.#server.version(signal);
    const gone = (name, cause) => new KnarrError("UNIMPLEMENTED", `OpenViking ${name} has no relations: 0.4.15 was the last that had`, { cause });
    if (!hasRelations(server)) throw gone(server.name);
    try {
      return relationList(await this.#get("relations", { uri: withoutSidecar(uri) }, signal)).slice(0, limit);
    } catch (error) {
      throw error.status === 404 && error.message === "Not Found" ? gone("as this one", error) : error;
    }
  }

  async inspect({ signal }) {
    const { name } = await this.#server.version(signal);
    throw new KnarrError("UNIMPLEMENTED", `inspect() counts what is in a bundle; this is a server, OpenViking ${name ?? "of unknown version"}`);
  }

  /** An abstract or overview; a file's is its directory's, which old servers leave to the caller to know. */
  async #sidecar(kind, given, signal) {
    const uri = withoutSidecar(given);
    try {
      return ready(textResult(await this.#get(`content/${kind}`, { uri }, signal)));
    } catch (error) {
      if (!/ is not a directory$/.test(error.message)) throw error;
      const parent = uri.slice(0, uri.lastIndexOf("/"));
      return ready(textResult(await this.#get(`content/${kind}`, { uri: parent }, signal)));
    }
  }

  async entities() {
    throw new KnarrError("UNIMPLEMENTED", "entities() reads the graph of a bundle; OpenViking has none");
  }

  async neighbors() {
    throw new KnarrError("UNIMPLEMENTED", "neighbors() reads the graph of a bundle; OpenViking has none");
  }

  async statistics() {
    throw new KnarrError("UNIMPLEMENTED", "statistics() counts the questions to a bundle; a server has statistics of its own");
  }

  #get(path, query, signal) {
    return this.#server.request("GET", `api/v1/${path}`, { query }, signal);
  }

  /** What is asked for, as this server takes it. */
  async #asked(query, options, signal) {
    const { include_provenance, ...find } = options;
    const server = await this.#server.version(signal);
    const { identity, ...request } = narrowed(query, find, server, this.#server.identity);
    const { excerpts = true, excerpt_length = 180, relations = false } = options;
    return { ...request, headers: identityHeaders(identity), query, excerpts, excerpt_length, relations };
  }

  /** One request for contexts; `more` goes into its body. */
  async #contexts(endpoint, asked, more, signal) {
    const { body, limit, scope, headers } = asked;
    // Versions differ in what a limit of 0 is: nothing, or a mistake.
    const content = { body: { ...body, ...more }, headers };
    if (limit === 0) return { found: findResult({}, scope, asked), result: {}, told: {} };
    const { result, telemetry } = await this.#server.envelope("POST", `api/v1/search/${endpoint}`, content, signal);
    return { found: findResult(result, scope, asked), result, told: body.telemetry && telemetry ? { telemetry } : {} };
  }
}

/** What a listing is asked for besides, as far as it was named: servers know these options since different versions. */
function listing({ show_all_hidden, sort_by, sort_order }) {
  return Object.fromEntries(Object.entries({ show_all_hidden, sort_by, sort_order }).filter(([, value]) => value !== undefined));
}
