/**
 * Knarr: a search engine that runs wholly in the browser.
 *
 * ```js
 * import { Knarr } from "knarr";
 * const knarr = await Knarr.open("/search/");
 * const { resources } = await knarr.find("borrow checker");
 * ```
 */

/** Where a bundle is: the address of its folder or of its `.knarr` file, or the bytes of a one-file bundle. */
export type BundleSource = string | URL | ArrayBuffer | Uint8Array;

/** Where a wasm module is: an address, or what was loaded from one. */
export type WasmSource = string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** Options of every call. */
export interface CallOptions {
  /** Ends the call: its promise rejects with `ABORTED` (`DEADLINE_EXCEEDED` after `AbortSignal.timeout`). */
  signal?: AbortSignal | undefined;
}

/** Options of {@link Knarr.open}. */
export interface OpenOptions extends CallOptions {
  /**
   * Where the engine runs. Not given: in a module worker, and on the calling thread where workers do not exist or do not
   * start. `true`: in a worker or not at all. `false`: on the calling thread. A function: in the worker it makes, which
   * has to run `knarr/worker` (for `knarr/core`: `knarr/core-worker`); bundlers that do not understand
   * `new Worker(new URL(…))` need it.
   */
  worker?: boolean | (() => Worker) | undefined;
  /** The engine's module, `knarr/knarr_full_bg.wasm` (for `knarr/core`: `knarr/knarr_core_bg.wasm`), when it is not
   * beside the package's script. */
  wasmUrl?: WasmSource | undefined;
  /** The module with grep and glob, `knarr/knarr_patterns_bg.wasm`, loaded on their first use. */
  patternsWasmUrl?: WasmSource | undefined;
  /** The module for search with endpoints, `knarr/knarr_delegate_bg.wasm`, loaded on the first such search. */
  delegateWasmUrl?: WasmSource | undefined;
  /** Endpoints that {@link Knarr.search} asks; nothing is sent anywhere unless they are named. See docs/ENDPOINTS.md. */
  endpoints?: Endpoints | undefined;
}

/** Servers that `search` asks. */
export interface Endpoints {
  /** Turns a conversation into queries: OpenAI-compatible chat completions. */
  intent?: IntentEndpoint | undefined;
  /** Scores the results again. */
  rerank?: RerankEndpoint | undefined;
  /** Makes the question's vector, by the model that made the bundle's. */
  embedding?: EmbeddingEndpoint | undefined;
}

/** What all endpoints have. */
export interface Endpoint {
  /** Address; relative ones are resolved against the page. */
  url: string | URL;
  /** Name of the model. */
  model?: string | undefined;
  /** Headers to send. A key in a page is everyone's: put it into a proxy. */
  headers?: Record<string, string> | undefined;
  /** Milliseconds for an exchange: 5000 for intent and 10000 for the others unless given. */
  timeout_ms?: number | undefined;
  /** Longest answer that is read. */
  max_bytes?: number | undefined;
}

/** Chat completions. */
export interface IntentEndpoint extends Endpoint {
  /** What to ask for as `response_format`; `none` (the default) is understood by every server. */
  response_format?: "none" | "object" | "schema" | undefined;
  /** 0 unless given; null leaves the field out. */
  temperature?: number | null | undefined;
  /** Types of context that the bundle has; all three unless given. */
  context_types?: ContextType[] | undefined;
  /** More fields of the request. */
  extra?: Record<string, unknown> | undefined;
}

/** Rerank. */
export interface RerankEndpoint extends Endpoint {
  /** Shape of requests and answers; `openai` (also Jina's, vLLM's, LiteLLM's) unless given. */
  flavour?: "openai" | "cohere" | "dashscope" | "template" | undefined;
  /** How many results are sent when that is more than the limit; 20 unless given. */
  candidates?: number | undefined;
  /** Budget of estimated tokens for the query with one document: 0 (the default) none, else at least 128. */
  max_input_tokens?: number | undefined;
  /** What the scores are: relevances in [0, 1] (`unit`, the default), or logits. */
  scores?: "unit" | "logit" | undefined;
  /** Request and answer of the flavour `template`. */
  template?: RerankTemplate | undefined;
  /** More fields of the request. */
  extra?: Record<string, unknown> | undefined;
}

/** A rerank exchange of any shape; places are JSON pointers, and the empty one is the value itself. */
export interface RerankTemplate {
  /** Body; `"{{documents}}"` and `"{{n}}"` are replaced as a whole, `{{query}}` and `{{model}}` inside texts. */
  request: unknown;
  /** One document of the list; `{{document}}` is replaced inside texts. Not given: the text. */
  document?: unknown;
  /** Where the answer's list is. */
  results?: string | undefined;
  /** Where the score is in an item of the list. */
  score?: string | undefined;
  /** Where the document's number is in an item; not given: items stand in the order of the documents. */
  index?: string | undefined;
}

/** Embedding. */
export interface EmbeddingEndpoint extends Endpoint {
  model: string;
  /** Shape of requests and answers; `openai` unless given. */
  flavour?: "openai" | "cohere" | "jina" | undefined;
  /** Dimensions to ask for. */
  dimensions?: number | undefined;
  /** Put before the question. */
  query_prefix?: string | undefined;
  /** More fields of the request for questions. */
  query_params?: Record<string, unknown> | undefined;
  /** The bundle's encoder, as `inspect` reports it, when it is not `model:NAME@DIMENSIONS`. */
  encoder?: string | undefined;
}

/** Options of {@link Knarr.find}. */
export interface FindOptions extends CallOptions {
  /** Search only at and below these `viking://` URIs. Empty: everywhere. */
  target_uri?: string | string[] | undefined;
  /** How many results, best first; 10 unless given. */
  limit?: number | undefined;
  /** Drop results whose score is not above this, in [0, 1]. */
  score_threshold?: number | null | undefined;
  /** Levels wanted: 0 abstracts and 1 overviews of directories, 2 files. Empty: files. */
  level?: Level | Level[] | string | undefined;
  /** Flat (`quick`), hierarchical (`thinking`), or whichever measures better (`auto`, the default). */
  mode?: "auto" | "quick" | "thinking" | undefined;
  /** Which walk, when hierarchical; `classic+leaves` unless given. */
  preset?: "classic" | "classic+leaves" | "current" | undefined;
  /** Only what passes this filter. A malformed filter rejects with `INVALID_FILTER` and never widens the scope. */
  filter?: Filter | Record<string, never> | null | undefined;
  /** Only contexts that carry all of these tags, `key=value` or single words. */
  tags?: string[] | undefined;
  /** Only these types: `memory`, `resource`, `skill`. */
  context_type?: string | string[] | undefined;
  /** Only contexts whose time is not before this: `2h`, `7d`, `2026-03-11`, or an ISO 8601 instant. */
  since?: string | null | undefined;
  /** Only contexts whose time is not after this. */
  until?: string | null | undefined;
  /** Which time `since` and `until` are about; `updated_at` unless given. */
  time_field?: "updated_at" | "created_at" | undefined;
  /** The current user's id: what `viking://~` means, and whose memories may be seen. Not given: the whole bundle. */
  user?: string | null | undefined;
  /** The peer that acts for the user: only that peer's memories and resources below `peers`. */
  actor_peer?: string | null | undefined;
  /** The documents' other name of `limit`; wins over it. */
  node_limit?: number | null | undefined;
  /** The time in milliseconds since 1970 UTC for `since`, `until` and `{calendar:…}`; the clock's unless given. */
  now?: number | undefined;
  /** Minutes that local time is ahead of UTC, for `{calendar:…}`; the clock's unless given. */
  utc_offset_minutes?: number | undefined;
  /** Weight of the vector score in the mix: 0 keywords only, 1 vectors only. Unset: the bundle's own. */
  alpha?: number | null | undefined;
  /** A query vector made elsewhere, in the bundle's own space; the words' vectors are then not used. */
  vector?: number[] | Float32Array | null | undefined;
  /** Treat the last word as unfinished and complete it; true unless given. */
  prefix?: boolean | undefined;
  /** Fetch the texts of the results and cut excerpts and section hits out of them; true unless given. */
  excerpts?: boolean | undefined;
}

/** A field that a filter may name. */
export type FilterField =
  | "uri" | "type" | "context_type" | "created_at" | "updated_at" | "active_count" | "level" | "name" | "tags"
  | "search_tags" | "account_id" | "owner_user_id";

/** A metadata filter. */
export type Filter =
  | { op: "and" | "or"; conds: Filter[] }
  | { op: "must" | "must_not"; field: FilterField; conds: (string | number)[]; para?: string }
  | { op: "range" | "range_out" | "time_range"; field: FilterField } & Bounds
  | { op: "prefix"; field: FilterField; prefix: string }
  | { op: "contains"; field: FilterField; substring: string }
  | { op: "regex"; field: FilterField; pattern: string };

/** At least one of four bounds; `gte` wins over `gt`, `lte` over `lt`. Times are ISO 8601 or milliseconds. */
export interface Bounds {
  gte?: number | string;
  gt?: number | string;
  lte?: number | string;
  lt?: number | string;
}

/** Options of {@link Knarr.search}: its own, and those of `find`. */
export interface SearchOptions extends FindOptions {
  /** The conversation that the query is the latest message of. */
  session?: Session | { messages?: Message[] | undefined; summary?: string | undefined } | null | undefined;
  /**
   * Whether the intent endpoint is asked. `auto` (the default): when there is a conversation, or the query is long (more
   * than about 96 Latin letters or 16 Chinese characters) or several sentences.
   */
  intent?: "auto" | "always" | "never" | undefined;
  /** Whether the rerank endpoint is asked; true unless given. */
  rerank?: boolean | undefined;
  /** Each context once, by its best score (`best`, the default), or query by query with repetitions (`concat`). */
  merge?: "best" | "concat" | undefined;
  /** Tell which query found what. */
  include_provenance?: boolean | undefined;
}

/** One message of a conversation. */
export interface Message {
  /** `user`, `assistant`, or what the application calls it. */
  role: string;
  /** Text, or parts of which the first with a text counts. */
  content: string | { text?: string }[];
}

/** A conversation, as {@link Knarr.search} takes it. Plain data: it may be stored as JSON and made again from it. */
export class Session {
  constructor(from?: { messages?: Message[] | undefined; summary?: string | undefined });
  /** Oldest first; the last five are sent. */
  messages: Message[];
  /** What was said before the messages, in short. */
  summary: string;
  /** Adds a message at the end; returns the session. */
  addMessage(role: string, content: string): this;
}

/** Options of {@link Knarr.grep}. */
export interface GrepOptions extends CallOptions {
  /** Ignore case. */
  case_insensitive?: boolean | undefined;
  /** Stop after this many matching lines; 256 unless given. */
  node_limit?: number | undefined;
  /** Maximum depth of a file below the URI; 10 unless given. */
  level_limit?: number | undefined;
  /** Leave out this URI and everything below it. */
  exclude_uri?: string | null | undefined;
  /** Called while the search runs. */
  onProgress?: ((progress: GrepProgress) => void) | undefined;
}

/** How far a grep is. */
export interface GrepProgress {
  /** Files read so far. */
  files: number;
  /** Files in scope. */
  total: number;
  /** Matching lines so far. */
  matches: number;
}

/** Options of {@link Knarr.glob}. */
export interface GlobOptions extends CallOptions {
  /** Stop after this many matches; 256 unless given. */
  node_limit?: number | undefined;
}

/** Options of {@link Knarr.read}: a range of lines. */
export interface ReadOptions extends CallOptions {
  /** First line, counted from 0. */
  offset?: number | undefined;
  /** Number of lines; -1 (the default) to the end. */
  limit?: number | undefined;
}

/** Options of {@link Knarr.ls} and {@link Knarr.tree}. */
export interface ListOptions extends CallOptions {
  /** Cut abstracts to this many characters; 256 unless given. */
  abs_limit?: number | undefined;
  /** Stop after this many rows; 1000 unless given. */
  node_limit?: number | undefined;
  /** `tree` only: how many levels deep; 3 unless given. */
  level_limit?: number | undefined;
  /** `ls` only: everything below, not only the children. */
  recursive?: boolean | undefined;
}

/** 0 abstract, 1 overview, 2 content. */
export type Level = 0 | 1 | 2;

/** What a context is. */
export type ContextType = "memory" | "resource" | "skill";

/** Plain text with the places that matched. */
export interface Excerpt {
  /** Plain text; never markup. Set it as `textContent`. */
  text: string;
  /** Half-open ranges of `text`, as `text.slice(start, end)` takes them; ascending, not overlapping. */
  highlights: [start: number, end: number][];
}

/** A section of a found file. */
export interface SectionHit {
  /** The file's URI, `#`, the anchor. */
  uri: string;
  /** Heading. */
  title: string;
  /** Fragment without `#`. */
  anchor: string;
  /** Address relative to the site's root, with the fragment. */
  url: string;
  /** Relevance in [0, 1] within the page. */
  score: number;
  /** Where it matched. */
  excerpt: Excerpt;
}

/** One found context. */
export interface MatchedContext {
  context_type: ContextType;
  /** `viking://` URI; directories carry the sidecar suffix of their level. */
  uri: string;
  level: Level;
  /** Relevance in [0, 1]. */
  score: number;
  /** L0 abstract (for level 1 the overview). */
  abstract: string;
  /** Tags `key=value` or bare words. */
  tags: string[];
  /** Title for people. */
  title: string;
  /** Address relative to the site's root. */
  url: string;
  /** Where it matched. */
  excerpt: Excerpt;
  /** Best sections of the file, best first. */
  sections: SectionHit[];
}

/** The answer of {@link Knarr.find}. */
export interface FindResult {
  /** Contexts of type memory, best first. */
  memories: MatchedContext[];
  /** Contexts of type resource, best first. */
  resources: MatchedContext[];
  /** Contexts of type skill, best first. */
  skills: MatchedContext[];
  /** Number of contexts in the three lists. */
  total: number;
  /** Words that were read as other words. */
  corrections: [typed: string, read_as: string][];
  /** What the engine did not do, and why. */
  skipped: { step: string; reason: string }[];
}

/** The answer of {@link Knarr.search}. */
export interface SearchResult extends FindResult {
  /** What was searched, and why. No queries: the message needs no documents. */
  query_plan: QueryPlan;
  /** Which query found what, if asked for. */
  provenance?: Provenance[];
}

/** What was searched. */
export interface QueryPlan {
  /** Why, by the model or by the engine. */
  reasoning: string;
  queries: TypedQuery[];
}

/** One query of a plan. */
export interface TypedQuery {
  query: string;
  /** Type of context wanted; null for any. */
  context_type: ContextType | null;
  /** What the result is for, by the model. */
  intent: string;
  /** 1 is the most important, 5 the least; it does not change the ranking. */
  priority: number;
}

/** What one query found. */
export interface Provenance {
  query: string;
  /** The targets of the call. */
  searched_directories: string[];
  /** Best first. */
  matched_contexts: { uri: string; tier: "L0" | "L1" | "L2"; context_type: ContextType; score: number; match_reason: string }[];
}

/** One matching line. */
export interface GrepMatch {
  /** Line number, counted from 1. */
  line: number;
  /** The file. */
  uri: string;
  /** The line. */
  content: string;
}

/** The answer of {@link Knarr.grep}. */
export interface GrepResult {
  /** Matching lines, files in tree order. */
  matches: GrepMatch[];
  /** Number of matches returned. */
  count: number;
  /** Number of matching lines seen. */
  match_count: number;
  /** Number of files read. */
  files_scanned: number;
}

/** The answer of {@link Knarr.glob}. */
export interface GlobResult {
  /** Matching URIs, ordered by path components. */
  matches: string[];
  /** Number of matches returned. */
  count: number;
}

/** A row of {@link Knarr.ls} or {@link Knarr.tree}. */
export interface Entry {
  uri: string;
  /** Length of the content in bytes; 0 for directories. */
  size: number;
  isDir: boolean;
  /** ISO 8601 in UTC with milliseconds; empty when unknown. */
  modTime: string;
  /** L0 abstract, cut to `abs_limit`. */
  abstract: string;
  /** Path below the listed URI. */
  rel_path: string;
}

/** The answer of {@link Knarr.stat}. */
export interface Stat {
  /** Last segment of the URI. */
  name: string;
  /** Length of the content in bytes; 0 for directories. */
  size: number;
  /** ISO 8601 in UTC with milliseconds; empty when unknown. */
  modTime: string;
  isDir: boolean;
  /** Number of indexed rows at and below it. */
  count: number;
  context_type: ContextType;
  /** Title for people. */
  title: string;
  tags: string[];
}

/** A related context and why it is related. */
export interface RelatedContext {
  uri: string;
  /** Why: for a link, its text. */
  reason: string;
  /** L0 abstract of the related node. */
  abstract: string;
}

/** What is in a bundle, as far as its head tells. */
export interface Inspection {
  /** Version of the format. */
  format: number;
  /** Version of Knarr that wrote it. */
  generator: string;
  /** Name of the tree. */
  name: string;
  files: number;
  directories: number;
  /** Sections of files. */
  sections: number;
  /** Distinct stems with postings. */
  terms: number;
  /** Vector dimensions; 0 without vectors. */
  dims: number;
  /** Which encoder made the vectors. */
  encoder: string;
  /** Bytes of each kind of part. */
  parts: [kind: string, parts: number, bytes: number][];
  /** Bytes of the whole bundle. */
  bytes: number;
}

/** An opened bundle. Calls do not disturb each other; each rejects with a {@link KnarrError}. */
export class Knarr {
  private constructor();

  /** Opens a bundle: loads the engine, fetches the bundle's head and checks it. */
  static open(source: BundleSource, options?: OpenOptions): Promise<Knarr>;

  /** Finds contexts for a query. */
  find(query: string, options?: FindOptions): Promise<FindResult>;

  /**
   * Finds contexts with the help of endpoints: for a conversation, scored again, or by a model's vectors. An endpoint that
   * fails leaves the local answer, and `skipped` says why. Without endpoints it is `find` with a plan.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;

  /** Lines that match a regular expression (Rust `regex` syntax), in the files at and below `uri`. */
  grep(uri: string, pattern: string, options?: GrepOptions): Promise<GrepResult>;

  /** URIs below `uri` (everything unless given) whose path relative to it matches a glob pattern. */
  glob(pattern: string, uri?: string, options?: GlobOptions): Promise<GlobResult>;

  /** The L0 abstract of a directory or file. */
  abstract(uri: string, options?: CallOptions): Promise<string>;

  /** The L1 overview of a directory or file. */
  overview(uri: string, options?: CallOptions): Promise<string>;

  /** The content of a file, or a range of its lines. */
  read(uri: string, options?: ReadOptions): Promise<string>;

  /** The children of a directory; of the root unless given. */
  ls(uri?: string, options?: ListOptions): Promise<Entry[]>;

  /** Everything below a directory, depth first, directories first. */
  tree(uri?: string, options?: ListOptions): Promise<Entry[]>;

  /** What is known of a node. */
  stat(uri: string, options?: CallOptions): Promise<Stat>;

  /** Contexts a file links to, with the reason. */
  relations(uri: string, options?: CallOptions): Promise<RelatedContext[]>;

  /** Counts, sizes and parameters of the bundle. */
  inspect(options?: CallOptions): Promise<Inspection>;

  /** Ends the worker and every call in progress. */
  close(): void;
}

/** What kind of failure a {@link KnarrError} is. Codes never change; new ones may be added. */
export type KnarrErrorCode =
  | "INVALID_ARGUMENT"
  | "INVALID_URI"
  | "INVALID_FILTER"
  | "INVALID_PATTERN"
  | "NOT_FOUND"
  | "PERMISSION_DENIED"
  | "FAILED_PRECONDITION"
  | "ABORTED"
  | "DEADLINE_EXCEEDED"
  | "UNAVAILABLE"
  | "BUNDLE_MISSING"
  | "BUNDLE_FORMAT"
  | "BUNDLE_VERSION"
  | "BUNDLE_DAMAGED"
  | "BUNDLE_MISMATCH"
  | "IO"
  | "INTERNAL";

/** A failure with a stable code. */
export class KnarrError extends Error {
  constructor(code: KnarrErrorCode, message: string, options?: { cause?: unknown });
  readonly name: "KnarrError";
  readonly code: KnarrErrorCode;
}
