/**
 * Knarr: a search engine that runs wholly in the browser.
 *
 * ```js
 * import { Knarr } from "knarr";
 * const knarr = await Knarr.open("/search/");
 * const { resources } = await knarr.find("borrow checker");
 * ```
 */

/** Where a bundle is: the address of its folder or of its `.knarr` file (in Node, Deno and Bun also a `file:` address), or
 * the bytes of a one-file bundle. */
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
  // begin FindOptions
  /** Search only at and below these `viking://` URIs; everywhere when none is given. */
  target_uri?: string | string[] | undefined;
  /** Number of results at most, best first. Default: `10`. */
  limit?: number | undefined;
  /**
   * Results to leave out before the first: the second page of ten has `offset: 10`. Pages of one `limit` are cut from
   * one list, so no result is on two of them. Default: `0`. Not in `knarr/core`.
   */
  offset?: number | undefined;
  /** Drop results whose `relevance` is not above this, in [0, 1]. */
  score_threshold?: number | null | undefined;
  /** Levels wanted: 0 abstracts and 1 overviews of directories, 2 files; files when none is given. */
  level?: Level | Level[] | string | undefined;
  /**
   * Flat search (`quick`), a walk through the directories (`thinking`), or the one that measures better (`auto`).
   * Default: `"auto"`.
   */
  mode?: "auto" | "quick" | "thinking" | undefined;
  /** The walk of `mode` `thinking`. Default: `"classic+leaves"`. Not in `knarr/core`. */
  preset?: "classic" | "classic+leaves" | "current" | undefined;
  /**
   * Weight of a row's own score against that of its directory in a walk, in [0, 1]. Not given: the preset's, 0.5, and
   * 1 in `current`; in `auto` 0.65. Not in `knarr/core`.
   */
  score_propagation_alpha?: number | null | undefined;
  /**
   * Rounds without a change of the best rows after which a walk ends, at least 1; 3 when it is not given. Not in
   * `knarr/core`.
   */
  max_convergence_rounds?: number | null | undefined;
  /**
   * Rows of the whole scope that a walk starts from; a directory has two, its abstract and its overview. Not given: 3
   * in `classic`, all in `classic+leaves`, and in `current` the limit, but at least 10. Not in `knarr/core`.
   */
  global_search_topk?: number | null | undefined;
  /**
   * Scores of the caller's own model for the rows of a walk, by URI (a directory's rows with `/.abstract.md` and
   * `/.overview.md`; null leaves a row its own), each in [0, 1]. Where a round of the walk has a row without one, the
   * answer is no result but these rows, as `wanted`: score them, and ask again with all scores so far. `search` does
   * so with `rerank: "walk"`. The walk then is as the preset was published, with its limits; `score` has the share of
   * the directories, and `relevance`, for which `score_threshold` is, the model's own score. Not in `knarr/core`.
   */
  walk_scores?: Record<string, number | null> | null | undefined;
  /**
   * Only contexts that pass this filter, such as `{"op":"must","field":"tags","conds":["kind=guide"]}`; with an empty
   * query all that pass, in the order of the tree or of `sort`. A malformed one fails with `INVALID_FILTER` and never
   * widens the scope. Not in `knarr/core`.
   */
  filter?: Filter | Record<string, never> | null | undefined;
  /**
   * Only contexts that carry all of these tags, `key=value` (the first `=` ends the key) or single words; with an
   * empty query all that do, in the order of the tree or of `sort`.
   */
  tags?: string[] | undefined;
  /** Only these types: `memory`, `resource` or `skill`; several in one text with commas. Not in `knarr/core`. */
  context_type?: string | string[] | undefined;
  /**
   * Only contexts whose time is not before this: `2h`, `7d`, `2026-03-11`, or an ISO 8601 instant. Not in
   * `knarr/core`.
   */
  since?: string | null | undefined;
  /** Only contexts whose time is not after this. Not in `knarr/core`. */
  until?: string | null | undefined;
  /** The time that `since` and `until` are about. Default: `"updated_at"`. Not in `knarr/core`. */
  time_field?: "updated_at" | "created_at" | undefined;
  /**
   * The current user's id: what `viking://~` means, and whose memories may be seen. Not given: the whole bundle,
   * without `~`. Not in `knarr/core`.
   */
  user?: string | null | undefined;
  /**
   * The peer that acts for the user: only that peer's memories and resources below `peers`. Without `user` for each
   * user who has it, and nothing of the others is seen. Not in `knarr/core`.
   */
  actor_peer?: string | null | undefined;
  /**
   * The other name of `actor_peer` in OpenViking's documents; if both are given, they must be the same. Not in
   * `knarr/core`.
   */
  peer_id?: string | null | undefined;
  /** The other name of `limit` in OpenViking's documents; wins over it. Not in `knarr/core`. */
  node_limit?: number | null | undefined;
  /**
   * The caller's time in milliseconds since 1970 UTC, for `since`, `until` and `{calendar:…}`. Not given: in
   * JavaScript and on the command line the clock's. Not in `knarr/core`.
   */
  now?: number | null | undefined;
  /**
   * Minutes that the caller's local time is ahead of UTC, for `{calendar:…}`. Not given: in JavaScript the clock's,
   * else 0. Default: `0`. Not in `knarr/core`.
   */
  utc_offset_minutes?: number | undefined;
  /**
   * Weight of the vector score in the mix: 0 keywords only, 1 vectors only; the bundle's own when it is not given.
   * Between the two, a question of several words that the words do not decide has up to half as much again.
   */
  alpha?: number | null | undefined;
  /** A query vector made elsewhere, in the bundle's own space; the words' vectors are then not used. */
  vector?: number[] | Float32Array | null | undefined;
  /**
   * Weight of the entity graph in the mix: 0 leaves the graph out, 1 leaves only what it found; 0 when it is not
   * given. Not in `knarr/core`.
   */
  graph?: number | null | undefined;
  /**
   * Weight of hotness in the score, in [0, 1]: how often (`active_count`) and how lately (`updated_at`) a context was
   * used, halved in seven days. 0 leaves it out; a page without a time is cold. Default: `0`. Not in `knarr/core`.
   */
  hotness_weight?: number | undefined;
  /**
   * Onyx's choices: scoring profiles, several queries, recency, votes, context, such as `{"scoring":"two_field"}`,
   * `{"alpha":"auto"}`, `{"recency":0.5}`, `{"votes":[{"tag":"kind=guide","votes":3}]}` or `{"context":true}`; see
   * docs/HYBRID.md. Knarr's own ranking when it is not given. Not in `knarr/core`.
   */
  hybrid?: HybridOptions | null | undefined;
  /**
   * Order results by this field instead of their score: a key of tags `key=value` (`data-knarr-sort` and others), or
   * `updated_at` or `created_at`, with `-` before it for the largest first. Results are then the pages that have all
   * of the query's words and the field. Values are compared as numbers where all of the site's are numbers, else as
   * texts without regard to case. A field that no page has leaves the order by score, and `skipped` names those that
   * there are. With an empty query, all pages with the field that pass the filters. Not in `knarr/core`.
   */
  sort?: string | null | undefined;
  /**
   * Add how many pages have each value of these keys of tags `key=value`, as `facets`; `*` is all keys. Counted are
   * the pages that have all of the query's words and pass the filters; with an empty query, all that pass, which are
   * the results, too, unless `limit` is 0. A word on more than a fifth of a thousand pages or more is asked of no
   * page, and `skipped` says so.
   */
  facets?: string[] | undefined;
  /**
   * `directory`: add the directories of the results, as `groups`, in the order of each one's best result, with title,
   * abstract and the URIs of its results. Fetches the directories' branches. Default: `"none"`.
   */
  group?: "none" | "directory" | undefined;
  /**
   * Add sentences of a page that answer the question, as `answer`: up to three, verbatim, with their link, where the
   * chance that they are right is above `answer_threshold`. Only to questions in English: what something is, and who,
   * when, where, which, why or how many in five words with a meaning or more. Not in `knarr/core`.
   */
  answer?: boolean | undefined;
  /** The chance from which an answer is shown, in [0, 1]. Default: `0.9`. Not in `knarr/core`. */
  answer_threshold?: number | undefined;
  /** Add to each result how its score came about, as `explain`. Not in `knarr/core`. */
  explain?: boolean | undefined;
  /** Add how the answer came about, as `trace`: the candidates, and the steps of a walk. Not in `knarr/core`. */
  trace?: boolean | undefined;
  /** Add what was done, in numbers, as `telemetry`; also written `{"summary": true}`. Not in `knarr/core`. */
  telemetry?: boolean | { summary?: boolean | undefined } | undefined;
  /** Add where was searched, what was found and how far a walk went, as `provenance`. Not in `knarr/core`. */
  include_provenance?: boolean | undefined;
  /**
   * Add to each result what it links to and pages like it, at most five contexts, as `relations`; costs the bytes of
   * the links. They may lie outside of the targets, types and times asked for, but never outside of what `user`,
   * `actor_peer`, `filter`, `tags` and `hybrid.access` leave. Not in `knarr/core`.
   */
  relations?: boolean | undefined;
  /**
   * Languages wanted, most preferred first, as BCP 47 tags: `pt` and `pt-BR` are one, `*` is all; the site's own when
   * none is given. Others are found where these have no answer, and `skipped` says so.
   */
  lang?: string | string[] | undefined;
  /**
   * Versions of the documented product wanted, as the site writes them, `*` for all; the newest stable one when none
   * is given.
   */
  version?: string | string[] | undefined;
  /** Treat the last word as unfinished and complete it. Default: `true`. */
  prefix?: boolean | undefined;
  /**
   * Fetch the texts of the results and cut excerpts and sections out of them. Among the first ten, those in which the
   * question's words stand side by side come sooner; without texts the order is the index's alone. Default: `true`.
   */
  excerpts?: boolean | undefined;
  /**
   * Only what an agent reads: no highlights, no abstract beside an excerpt, and no excerpt twice. On the command line
   * `results` on one line, without what is empty. Not in `knarr/core`.
   */
  lean?: boolean | undefined;
  /** Letters of an excerpt, about: two lines of a list. Wide ones, as in Chinese, count as two. Default: `180`. */
  excerpt_length?: number | undefined;
  // end FindOptions
}

/** Onyx's choices for one question. Nothing here is on unless given. See docs/HYBRID.md. */
export interface HybridOptions {
  /** `lists` (the default): two lists normalised and mixed. `two_field`: four features of every candidate, each normalised. */
  scoring?: "lists" | "two_field" | undefined;
  /** Alpha and first phase together: `semantic` .5, `keyword` .2, `admin` 0. `find`'s own `alpha` wins. */
  profile?: "semantic" | "keyword" | "admin" | undefined;
  /** Works alpha out from the query: its type, cue words (English, Chinese), length and feedback. */
  alpha?: "auto" | undefined;
  /** `factual`, `conceptual`, `navigational` or `informational`, when the caller knows; for `alpha: "auto"`. */
  query_type?: string | undefined;
  /** Useful earlier results that only one of the two lists had; for `alpha: "auto"`. */
  feedback?: { vector_only?: number | undefined; keyword_only?: number | undefined } | undefined;
  /**
   * Share of the title in `two_field`, in [0, 1]; or a source type (`slack`, `pdf`, `confluence` …), which has its own, or
   * `auto`: by each document's tag `source=…`. Beside a source, lengths of title and content count, for 50 candidates.
   */
  title_ratio?: number | "auto" | string | undefined;
  /** In `two_field`, titles have vectors of their own, made from their words'. Reads the titles of 50 candidates. */
  title_vectors?: boolean | undefined;
  /** `own` (the default), or `parts`: words and phrases of title and content. Reads the texts of 30 candidates. */
  keyword?: "own" | "parts" | undefined;
  /** More queries for the same question, their lists joined. */
  expansions?: Expansions | undefined;
  /** Age as a factor: `true`, the loss per year (0.5), or both numbers; the factor never falls below the floor (0.75). */
  recency?: boolean | number | { decay?: number | undefined; floor?: number | undefined } | undefined;
  /** Votes as a factor from 0.5 to 2: 3 votes give 1.46. By tag, or for a file or everything below a directory. */
  votes?: ({ tag: string; votes: number } | { uri: string; votes: number })[] | undefined;
  /** Files of at most ten words count down to 0.7. Looks at the first 50. */
  small_chunks?: boolean | undefined;
  /** Found sections with their neighbours as {@link MatchedContext.passages}; one above and one below unless given. */
  context?: boolean | { above?: number | undefined; below?: number | undefined; token_budget?: number | undefined } | undefined;
  /** Which documents count, by their tags `source=…`, `acl=…`, `set=…`, `hidden`. A view, not a wall: the bundle is public. */
  access?: AccessFilter | undefined;
  /** Periods (`last week`) and kinds of source (`in slack`) said in the question are filters; see {@link FindResult.guessed}. */
  guess?: boolean | ("time" | "source")[] | undefined;
  /** Entities that the question is about, by their names; with a `graph` weight, in place of those that rules find in it. */
  graph_entities?: string | string[] | undefined;
  /** Types that an answer may have, such as `PERSON`, likely ones first; in place of those that rules find. */
  answer_types?: string | string[] | undefined;
  /** Adds {@link FindResult.graph_context}, with the passages of `context`, which is on then; with a `graph` weight. */
  graph_context?: boolean | undefined;
  /** How the graph votes: what measures best, or the published program as it is. */
  graph_rules?: "quality" | "as_is" | undefined;
}

/** More queries for one question, by the caller or its model. */
export interface Expansions {
  /** The question rewritten to stand alone. */
  rephrase?: string | undefined;
  /** The query of a calling model. */
  tool?: string | undefined;
  /** More queries by meaning. */
  semantic?: string | string[] | undefined;
  /** At most three queries by words (alpha .2). */
  keywords?: string | string[] | undefined;
  /** Weights: `page` counts the typed query 2 and each other 1; `conversation` .5, rephrased 1.3, tool .7. */
  style?: "page" | "conversation" | undefined;
  /** Weighted reciprocal ranks with k 50 (the default) or 60, or the best score of each context. */
  merge?: "rrf" | "rrf60" | "best" | undefined;
  /** Another constant for the reciprocal ranks. */
  k?: number | undefined;
}

/** Categories are joined by AND, values inside one by OR. Unknown sources and sets reject with `INVALID_FILTER`. */
export interface AccessFilter {
  /** Who asks. Not given: everything; an empty list: public documents (without `acl` tags) only. */
  access?: string | string[] | undefined;
  sources?: string | string[] | undefined;
  tags?: string | string[] | undefined;
  sets?: string | string[] | undefined;
  forced_sets?: string | string[] | undefined;
  /** URIs of documents. */
  docs?: string | string[] | undefined;
  /** URIs of folders. */
  folders?: string | string[] | undefined;
  persona?: number | undefined;
  project?: number | undefined;
  /** Inclusive, seconds since 1970 UTC; null is open. Documents without a date pass. */
  created?: [start: number | null, end: number | null] | undefined;
  /** As `created`; documents without a date pass only when the start is older than 90 days and the end open. */
  updated?: [start: number | null, end: number | null] | undefined;
  include_hidden?: boolean | undefined;
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
  /**
   * Whether the rerank endpoint is asked; true unless given. `walk` asks it within a walk (`mode` `thinking`), once a
   * round, so that its scores decide which directories are opened.
   */
  rerank?: boolean | "walk" | undefined;
  /** Each context once, by its best score (`best`, the default), or query by query with repetitions (`concat`). */
  merge?: "best" | "concat" | undefined;
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
  addMessage(role: string, content: Message["content"]): this;
}

/** Options of {@link Knarr.grep}. */
export interface GrepOptions extends CallOptions {
  // begin GrepOptions
  /** Ignore case. */
  case_insensitive?: boolean | undefined;
  /** Stop after this many matching lines; with `output: "files"` after this many files. Default: `256`. */
  node_limit?: number | undefined;
  /**
   * Leave out so many lines or files before the first: with the `count` of an answer that is `truncated`, those that
   * follow it. Default: `0`. Not in `knarr/core`.
   */
  offset?: number | undefined;
  /**
   * `lines`, or `files` for a list of the files with a match, each with the number of its matching lines. Default:
   * `"lines"`. Not in `knarr/core`.
   */
  output?: "lines" | "files" | undefined;
  /**
   * Cut lines longer than this to so many characters around their match; 0 cuts none. A paragraph is one line.
   * Default: `0`. Not in `knarr/core`.
   */
  line_length?: number | undefined;
  /** Maximum depth of a file below the URI. Default: `10`. */
  level_limit?: number | undefined;
  /** Leave out this URI and everything below it (whole segments). */
  exclude_uri?: string | null | undefined;
  // end GrepOptions
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
  // begin GlobOptions
  /** Stop after this many matches. Default: `256`. */
  node_limit?: number | undefined;
  /** Leave out so many before the first, for those that follow. Default: `0`. */
  offset?: number | undefined;
  // end GlobOptions
}

/** Options of {@link Knarr.read}: a range of lines. */
export interface ReadOptions extends CallOptions {
  // begin ReadOptions
  /** First line, counted from 0. Default: `0`. */
  offset?: number | undefined;
  /** First line, counted from 1, as `grep` gives it; wins over `offset`. Not in `knarr/core`. */
  line?: number | null | undefined;
  /** Number of lines; -1 to the end. Default: `-1`. */
  limit?: number | undefined;
  /** A memory as it is stored, with the comment of its fields at the end. Not in `knarr/core`. */
  raw?: boolean | undefined;
  // end ReadOptions
}

/** Options of {@link Knarr.relations}. */
export interface RelationOptions extends CallOptions {
  // begin RelationOptions
  /**
   * Number of relations at most: links first, with room for two similar pages. Each costs about 5 kB of download.
   * Default: `1000`.
   */
  limit?: number | undefined;
  // end RelationOptions
}

/** Options of {@link Knarr.entities}. */
export interface EntityOptions extends CallOptions {
  // begin EntityOptions
  /**
   * Only entities that have this in a name, whole names first; case, accents, spaces and punctuation make no
   * difference.
   */
  query?: string | null | undefined;
  /** Only entities of this type, such as `PERSON`. */
  entity_type?: string | null | undefined;
  /** Number of entities at most. Default: `100`. */
  limit?: number | undefined;
  /** Leave out so many before the first, for later pages. Default: `0`. */
  offset?: number | undefined;
  // end EntityOptions
}

/** Options of {@link Knarr.ls} and {@link Knarr.tree}. */
export interface ListOptions extends CallOptions {
  // begin ListOptions
  /** Cut abstracts to this many characters; 0 leaves them out. Default: `256`. */
  abs_limit?: number | undefined;
  /** Stop after this many rows. Default: `1000`. */
  node_limit?: number | undefined;
  /** Leave out so many rows before the first, for those that follow. Default: `0`. Not in `knarr/core`. */
  offset?: number | undefined;
  /** `tree` only: how many levels deep. Default: `3`. */
  level_limit?: number | undefined;
  /** `ls` only: everything below, not only the children. */
  recursive?: boolean | undefined;
  /** Hidden files and the sidecars, too. Not in `knarr/core`. */
  show_all_hidden?: boolean | undefined;
  /**
   * The key by which the rows of each directory are ordered, directories before files. Default: `"name"`. Not in
   * `knarr/core`.
   */
  sort_by?: "name" | "mtime" | undefined;
  /** The direction of that order. Default: `"asc"`. Not in `knarr/core`. */
  sort_order?: "asc" | "desc" | undefined;
  // end ListOptions
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
  /** The same of lines of code, as far as their signs tell; missing without any. */
  code?: [start: number, end: number][];
}

/** A section of a found file. */
export interface SectionHit {
  /** The file's URI, `#`, the anchor. */
  uri: string;
  /** Heading. */
  title: string;
  /** Fragment without `#`. */
  anchor: string;
  /** Address relative to the site's root (`new URL(url, root)` is the link), or behind the build's `--base-url`; with the fragment. */
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
  /** Order within the answer, in [0, 1]: nothing can be told from it about another answer. */
  score: number;
  /**
   * Relevance in [0, 1], comparable between questions and bundles. In a bundle with a model's vectors
   * (1 + cosine) / 2, as OpenViking's server has it; after a rerank, and with `walk_scores`, the model's own score.
   */
  relevance: number;
  /** The relevance is too low for an answer: the row is only near. */
  weak?: boolean;
  /** L0 abstract (for level 1 the overview). */
  abstract: string;
  /** Tags `key=value` or bare words. */
  tags: string[];
  /** Title for people. */
  title: string;
  /** Address relative to the site's root (`new URL(url, root)` is the link), or behind the build's `--base-url`. */
  url: string;
  /** BCP 47 tag of the page at `url`; only on a site of several languages. */
  lang?: string;
  /** Version that the page at `url` is about; only on a site of several. */
  version?: string;
  /** Titles of the pages above it, outermost first. */
  crumbs?: string[];
  /** The same page in other versions, and found translations of it. */
  also?: { lang?: string; version?: string; url: string }[];
  /** Where it matched. */
  excerpt: Excerpt;
  /** Best sections of the file, best first. */
  sections: SectionHit[];
  /** Found sections with their neighbours, best first; with `hybrid.context`. */
  passages?: Passage[];
  /** What the result links to and pages like it, at most five; with `relations`. */
  relations?: RelatedContext[];
  /** How the score came about; with `explain`. */
  explain?: Explanation;
}

/** Found sections of a file with their neighbours, as one text. */
export interface Passage {
  /** Heading of the section that was found best. */
  title: string;
  anchor: string;
  /** First and last section, counted from 0. */
  sections: [first: number, last: number];
  /** Plain text. */
  text: string;
}

/** Every intermediate value of a result's score. */
export interface Explanation {
  /** Weight of the vector score. */
  alpha: number;
  /** Scores of the legs, normalised among the candidates. */
  keyword: number;
  vector: number;
  graph: number;
  /** The mix times the factors, before a walk. */
  score: number;
  /**
   * Share of the question's neighboring words that stand side by side in title and best sections, and its weight: with what
   * a walk and hotness made of `score`, `made + (near - made) * near_weight` is the row's score. The weight is 0 where texts
   * are not read, and for questions with fewer than two such pairs.
   */
  near: number;
  near_weight: number;
  /** Share of the question's importance that the page holds, in [0, 1]. */
  share: number;
  /** Cosine with the question; undefined where its vector was not looked at. With `share` the source of the relevance. */
  cosine?: number | undefined;
  /**
   * What a walk mixed in of the directory: `own_weight * own + (1 - own_weight) * directory_score` is the row's score (before
   * hotness). Absent without a walk, and where it mixed in nothing: then `score` is the row's. `own` is `score`, or the score
   * of `walk_scores`.
   */
  propagation?: { directory: string; directory_score: number; own: number; own_weight: number };
  /** Use of the context; with `hotness_weight`. */
  hotness?: number;
  factors?: { document_boost: number; recency_bias: number; chunk_boost: number };
  /** Every value of the two-field formula. */
  two_field?: {
    title_vector: number; content_vector: number; title_bm25: number; content_bm25: number; mix: number;
    document_boost: number; recency_bias: number; chunk_boost: number; score: number;
  };
  /** Place in the list of each of several queries, from 1. */
  queries?: { query: string; weight: number; rank: number; score: number }[];
  /** What each word gives. */
  words: {
    word: string; read_as: string; weight: number; idf: number; title: boolean; heading: boolean; body: number; score: number;
  }[];
  /** How the graph leads here, strongest vote first. */
  paths: { entity: string; walk: string[]; answers: number; votes: number; amount: number }[];
}

/** The course of a question. */
export interface Trace {
  alpha: number;
  words: { word: string; read_as: string[]; importance: number }[];
  /** Best first, at most 50. */
  candidates: { uri: string; keyword: number; vector: number; graph: number; score: number }[];
  /** Steps of a walk; empty without one. */
  events: TraceEvent[];
  statistics: Record<string, number>;
}

/** What a call did, in numbers; zeros are left out. */
export interface Telemetry {
  id: string;
  summary: {
    operation: "search.find" | "search.search";
    status: "ok";
    duration_ms: number;
    vector?: { searches?: number; scored?: number; passed?: number; returned?: number; scanned?: number };
    search?: { typed_queries_count: number };
  };
}

/** Totals since the bundle was opened. */
export interface Statistics {
  n_queries: number;
  /** Failed questions are counted apart; aborted ones not at all. */
  n_errors: number;
  /** Answered from memory. */
  n_remembered: number;
  queries_per_second: number;
  mean_ms: number;
  p50_ms: number;
  p95_ms: number;
  max_ms: number;
  /** Answered questions by alpha, in tenths: index 3 counts 0.25 to 0.349…. */
  alphas: number[];
}

/** Sentences of a page that answer the question. */
export interface Answer {
  /** One to three sentences, as the page has them; plain text. */
  text: Excerpt;
  /** Title of the page. */
  title: string;
  /** Heading of the section; empty where it has none. */
  section: string;
  /** URI of the page or the section. */
  uri: string;
  /** Its address for a browser, relative to the site's root. */
  url: string;
  /** Chance to be right, from 0 to 1. */
  confidence: number;
  /** What it is estimated from: relevance of the page, share of the question in the sentences, and with title and heading, and what both are ahead of other pages. */
  evidence: { relevance: number; said: number; about: number; ahead: number };
}

/** Something that the engine did not do. */
export interface Skipped {
  /**
   * By a name that stays: `exact_phrase` (no page that was read has the phrase of the query; the results have its words),
   * `phrase` (not all pages were read for it), `words`, `vector`, `lang`, `version`, `sort`, `facets`, `passages`, `graph`,
   * `actor_peer` (nobody has that peer), `intent`, `embedding`, `rerank`, `graph_context`, `guess`, `hybrid` and `walk`
   * (options without effect beside the others); from a server also the name of an option that it does not have.
   */
  step: "exact_phrase" | "phrase" | "words" | "vector" | "lang" | "version" | "sort" | "facets" | "passages" | "graph" | "actor_peer" | "intent" | "embedding" | "rerank" | "graph_context" | "guess" | "hybrid" | "walk" | (string & {});
  /** Why, in words, which may change. */
  reason: string;
}

/** The answer of {@link Knarr.find}. */
export interface FindResult {
  /** Contexts of type memory, best first. */
  memories: MatchedContext[];
  /** Contexts of type resource, best first. */
  resources: MatchedContext[];
  /** Contexts of type skill, best first. */
  skills: MatchedContext[];
  /** Directories of the results, in the order of each one's best result; with `group: "directory"`. */
  groups?: DirectoryGroup[];
  /** Sentences that answer the question, where the evidence is clear; with `answer`. Not from `knarr/core`. */
  answer?: Answer;
  /** Counts of the values of tags, by key; with `facets`. */
  facets?: Facet[];
  /** Number of contexts in the three lists. */
  total: number;
  /** Nothing relevant was found: none of the ten first rows of the ranking is an answer, on whichever page. The rows are the nearest. */
  weak?: true;
  /** Words that were read as other words. */
  corrections: [typed: string, read_as: string][];
  /** What the engine did not do, and why. */
  skipped: Skipped[];
  /** Words and phrases, folded, whose pages the query left out (`-word`); absent where there are none. From `search`, of an only query. */
  excluded?: string[];
  /** Filters that were read from the question; with `hybrid.guess`. Times in seconds since 1970 UTC, null is open. */
  guessed?: {
    words: string[];
    updated?: [first: number | null, last: number | null];
    created?: [first: number | null, last: number | null];
    sources?: string[];
  };
  /** In place of results, the rows that the caller has to score first; with `walk_scores`. */
  wanted?: MatchedContext[];
  /** The question's entities and the results' passages as two CSV blocks for a model; with `hybrid.graph_context`. */
  graph_context?: string;
  /** Weight of the vectors in the mix; not from `knarr/core`. */
  alpha?: number;
  /** What was done; with `telemetry`. */
  telemetry?: Telemetry;
  /** The course of the question; with `trace`. From `search`, of an only query. */
  trace?: Trace;
  /** Where was searched and what was found; with `include_provenance`. From `find` one entry, from `search` one a query. */
  provenance?: Provenance[];
}

/** The values of a key of tags `key=value`, and how many pages have each. */
export interface Facet {
  /** The key, in lower case as tags are compared. */
  key: string;
  /** The key as the first of the pages writes it. */
  label: string;
  /** The most frequent first, then by the alphabet: the value in lower case, and as the first of its pages writes it. */
  values: { value: string; label: string; count: number }[];
}

/** A directory with the results that lie in it. */
export interface DirectoryGroup {
  /** The directory. A result that is a directory is in its own group. */
  uri: string;
  /** Title for people. */
  title: string;
  /** L0 abstract of the directory. */
  abstract: string;
  /** `uri` of its results, best first. */
  results: string[];
}

/** A row of a walk: a directory has two, its abstract (0) and its overview (1). */
export interface TraceRow {
  node: string;
  level: Level;
  score: number;
}

/** A step of a walk. Without a `directory`: the search of everything that it starts from, round 0. */
export type TraceEvent =
  | { event_type: "search_directory_start"; round: number; directory: string; score: number }
  | { event_type: "search_directory_result"; round: number; directory?: string | undefined; rows: number }
  | { event_type: "embedding_scores" | "rerank_scores"; round: number; directory?: string | undefined; scores: TraceRow[] }
  | { event_type: "candidate_selected"; round: number; directory?: string | undefined; row: TraceRow }
  | {
    event_type: "candidate_excluded"; round: number; directory?: string | undefined; row: TraceRow;
    reason: "threshold" | "level" | "filter" | "worse" | "preset";
  }
  | { event_type: "directory_queued"; round: number; directory: string; score: number }
  | { event_type: "convergence_check"; round: number; candidates: number; unchanged: number; stagnant: number }
  | { event_type: "search_converged"; round: number; reason: string }
  | ({ event_type: "search_summary" } & Record<string, number>);

/**
 * The answer of {@link Knarr.search}. Where the plan has several queries, `facets`, `graph_context`, `guessed` and `alpha` are
 * those of the question as it was asked; where the plan has it not, `skipped` says so. `answer` is then the surest of all.
 */
export interface SearchResult extends FindResult {
  /** What was searched, and why. No queries: the message needs no documents. */
  query_plan: QueryPlan;
  /** What each query of the plan found, and its trace; with `trace`. */
  query_results?: QueryResult[];
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
  /** Names of what it is about, by the model; with a `graph` weight. */
  entities?: string[];
  /** Types that its answer may have, by the model; with a `graph` weight. */
  answer_types?: string[];
}

/** What one query found. */
export interface Provenance {
  query: string;
  /** The targets of the call, or the roots of what the query is about where it names none. */
  searched_directories: string[];
  /** Best first. */
  matched_contexts: { uri: string; tier: "L0" | "L1" | "L2"; context_type: ContextType; score: number; match_reason: string }[];
  /** The walk: its steps with `trace`, its totals always. Not from a server. */
  thinking_trace?: Pick<Trace, "events" | "statistics">;
  /** From `search`: weight of the vectors in the mix of this query. */
  alpha?: number;
  /** From `search`: the course of this query; with `trace`. */
  trace?: Trace;
}

/** What one query of a plan found. */
export interface QueryResult extends Omit<Provenance, "query"> {
  /** The query as the plan has it. */
  query: TypedQuery;
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
  /** Files with a match, in place of the lines; with `output: "files"` only. */
  files?: GrepFile[];
  /** Number of matches returned, or of files. */
  count: number;
  /** Number of matching lines in what is returned; not of those behind it. */
  match_count: number;
  /** Number of files read. */
  files_scanned: number;
  /** True if it stopped at `node_limit`: the rest begins at `offset` + `count`. */
  truncated?: true;
}

/** A file with matching lines. */
export interface GrepFile {
  uri: string;
  /** Number of its matching lines. */
  count: number;
}

/** The answer of {@link Knarr.glob}. */
export interface GlobResult {
  /** Matching URIs, ordered by path components. */
  matches: string[];
  /** Number of matches returned. */
  count: number;
  /** True if there are more than `node_limit` lets through: the rest begins at `offset` + `count`. */
  truncated?: true;
}

/**
 * The answer of {@link Knarr.ls} and {@link Knarr.tree}. `truncated` is a property of the list itself, so JSON has it not:
 * there are more rows than `node_limit` lets through, or directories whose contents lie below `level_limit`.
 */
export type Listing = Entry[] & { truncated?: true };

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
  /** `similar`: a page of similar content, that the other does not link to. */
  type: "link" | "similar";
  /** Why: the link's text; empty for a similar page. */
  reason: string;
  /** Cosine of the two pages in [0, 1]; similar pages only. */
  cosine?: number;
  /** Title for people; empty from a server. */
  title: string;
  /** Address relative to the site's root; empty from a server. */
  url: string;
  /** L0 abstract of the related node. */
  abstract: string;
}

/** An entity of a bundle's graph. */
export interface NamedEntity {
  name: string;
  /** `PERSON`, `ORGANIZATION`, `CODE`, … */
  type: string;
  /** Number of mentions. */
  mentions: number;
  /** Number of files that mention it. */
  files: number;
  /** Number of entities related to it. */
  neighbors: number;
}

/** An entity related to another. */
export interface Neighbor {
  /** The entity whose neighbor it is: several may have the name that was asked for. */
  of: string;
  name: string;
  /** `PERSON`, `ORGANIZATION`, `CODE`, … */
  type: string;
  /** Number of times that the two were seen together. */
  weight: number;
  /** Files that show the relation, at most five. */
  files: { uri: string; title: string; url: string }[];
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
  /** Weight of the vectors where a question gives none. */
  alpha: number;
  /** Bytes of each kind of part. */
  parts: [kind: string, parts: number, bytes: number][];
  /** Files besides the head; 0 where the bundle is one file. */
  packs: number;
  /** Bytes of the whole bundle. */
  bytes: number;
}

/** Options of {@link Knarr.remote}: who asks, and how long and how much it may take. */
export interface RemoteOptions {
  /** Sent as `X-API-Key`. A key in a page is everyone's. */
  apiKey?: string | undefined;
  /** Account, sent as `X-OpenViking-Account`; servers that check keys refuse it. */
  account?: string | undefined;
  /** User, sent as `X-OpenViking-User`; servers that check keys refuse it. Contexts of other users are left out of answers. */
  user?: string | undefined;
  /** The peer that acts for the user, sent as `X-OpenViking-Actor-Peer`. Contexts of other peers are left out of answers. */
  actorPeer?: string | undefined;
  /** More headers for every request. */
  headers?: Record<string, string> | undefined;
  /** Names a request, sent as `X-Request-ID`: 1 to 128 of `A-Z a-z 0-9 . _ : -`. Called with the path of each request. */
  requestId?: ((path: string) => string) | undefined;
  /** The server's version, such as `0.4.12`. Not given: asked of its `/health` with the first call that depends on it. */
  version?: string | undefined;
  /** Milliseconds for one exchange; 60000 unless given. A search with a session is several exchanges. */
  timeout_ms?: number | undefined;
  /** Longest answer that is read, in bytes; 16 MiB unless given. */
  max_bytes?: number | undefined;
}

/** Options of {@link Knarr.remote} for a collection that `knarr export --to qdrant` wrote; docs/QDRANT.md has what differs. */
export interface QdrantOptions {
  /** The engine that is asked. */
  engine: "qdrant";
  /** Name of the collection, or an alias of it. */
  collection: string;
  /** Sent as `api-key`. A key in a page is everyone's: give it one that only reads, and only this collection. */
  apiKey?: string | undefined;
  /** More headers for every request, such as a token as `Authorization`. */
  headers?: Record<string, string> | undefined;
  /** Names a request, sent as `X-Request-ID`; called with the path of each request. */
  requestId?: ((path: string) => string) | undefined;
  /** Milliseconds for one exchange; 60000 unless given. A question is five exchanges. */
  timeout_ms?: number | undefined;
  /** Longest answer that is read, in bytes; 16 MiB unless given. */
  max_bytes?: number | undefined;
}

/** Options of {@link RemoteKnarr.search}. */
export interface RemoteSearchOptions extends SearchOptions {
  /** A session that the server has already. Wins over `session`, of which the client makes one for the search. */
  session_id?: string | null | undefined;
}

/**
 * An OpenViking server with the methods of a bundle and the same answers; docs/OPENVIKING.md has what differs.
 *
 * An option that narrows what may be found and that the server's version does not know rejects with `UNIMPLEMENTED`; one
 * that only steers the ranking is left out, and `skipped` says so. Addresses and sections of results are empty, and
 * excerpts come from abstracts. `inspect`, `statistics`, `entities` and `neighbors` reject with `UNIMPLEMENTED`, and so does `relations` from 0.4.16 on.
 */
export interface RemoteKnarr extends Knarr {
  /** As a bundle's. A conversation is put into a session on the server, which is removed afterwards. */
  search(query: string, options?: RemoteSearchOptions): Promise<SearchResult>;
}

/** An opened bundle. Calls do not disturb each other; each rejects with a {@link KnarrError}. */
export class Knarr {
  private constructor();

  /** Opens a bundle: loads the engine, fetches the bundle's head and checks it. */
  static open(source: BundleSource, options?: OpenOptions): Promise<Knarr>;

  /**
   * A client of an OpenViking server, by the server's root (`https://host:1933/`). Loads 12 kB of script, no engine, and
   * sends nothing before the first call. `knarr/direct` has it as `remote` of `knarr/remote`.
   */
  static remote(url: string | URL, options?: RemoteOptions): Promise<RemoteKnarr>;

  /**
   * A client of a Qdrant server, by the server's root (`https://host:6333/`), that asks a collection which
   * `knarr export --to qdrant` wrote. Loads 18 kB of script, no engine, and sends nothing before the first call.
   * `knarr/direct` has it as `remote` of `knarr/qdrant`.
   */
  static remote(url: string | URL, options: QdrantOptions): Promise<RemoteKnarr>;

  /** Finds contexts for a query. */
  find(query: string, options?: FindOptions): Promise<FindResult>;

  /**
   * Finds contexts with the help of endpoints: for a conversation, scored again, or by a model's vectors. An endpoint that
   * fails leaves the local answer, and `skipped` says why. Without endpoints it is `find` with a plan.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;

  /**
   * Lines that match a regular expression (Rust `regex` syntax), in the files at and below `uri`; in one section, where
   * that has an anchor.
   */
  grep(uri: string, pattern: string, options?: GrepOptions): Promise<GrepResult>;

  /** URIs below `uri` (everything unless given) whose path relative to it matches a glob pattern. */
  glob(pattern: string, uri?: string, options?: GlobOptions): Promise<GlobResult>;

  /** The L0 abstract of a directory or file. */
  abstract(uri: string, options?: CallOptions): Promise<string>;

  /** The L1 overview of a directory or file, with the anchors of a file's sections. */
  overview(uri: string, options?: CallOptions): Promise<string>;

  /**
   * The content of a file, or a range of its lines; with an anchor (`…#clock`, not in `knarr/core`) of that section and
   * those below it. Rejects with `NOT_FOUND` where the file has no such section. Other calls refuse an anchor.
   */
  read(uri: string, options?: ReadOptions): Promise<string>;

  /**
   * The bytes of a file: as the input had them in a bundle of a `.ovpack` or of `--keep-source`, else its content in
   * UTF-8. Not in `knarr/core`.
   */
  download(uri: string, options?: CallOptions): Promise<Uint8Array>;

  /** The children of a directory; of the root unless given. */
  ls(uri?: string, options?: ListOptions): Promise<Listing>;

  /** Everything below a directory, depth first, directories first. */
  tree(uri?: string, options?: ListOptions): Promise<Listing>;

  /** What is known of a node. */
  stat(uri: string, options?: CallOptions): Promise<Stat>;

  /** Contexts a file links to, with the reason. */
  relations(uri: string, options?: RelationOptions): Promise<RelatedContext[]>;

  /**
   * The entities of a bundle that was built with `--graph`, the most mentioned first. Not in `knarr/core`. Rejects with
   * `FAILED_PRECONDITION` where the bundle has no graph.
   */
  entities(options?: EntityOptions): Promise<NamedEntity[]>;

  /**
   * The entities related to those of a name, the most often seen together first, with files that show it. Not in
   * `knarr/core`. Rejects with `NOT_FOUND` for a name that the graph lacks.
   */
  neighbors(name: string, options?: CallOptions): Promise<Neighbor[]>;

  /** Counts, sizes and parameters of the bundle. */
  inspect(options?: CallOptions): Promise<Inspection>;

  /** Questions, latencies and alphas since the bundle was opened. Not in `knarr/core`. */
  statistics(options?: CallOptions): Promise<Statistics>;

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
  | "INTERNAL"
  | RemoteErrorCode;

/** Codes that only `Knarr.remote` has: a server's own, and `BAD_RESPONSE` for what is not OpenViking's answer. A server
 * that is newer than this list may send others. */
export type RemoteErrorCode =
  | "ALREADY_EXISTS"
  | "BAD_RESPONSE"
  | "CONFLICT"
  | "EMBEDDING_FAILED"
  | "MODEL_UNAVAILABLE"
  | "NO_VECTOR_DB"
  | "NOT_INITIALIZED"
  | "PROCESSING_ERROR"
  | "RESOURCE_EXHAUSTED"
  | "SESSION_EXPIRED"
  | "UNAUTHENTICATED"
  | "UNIMPLEMENTED"
  | "UNKNOWN"
  | "UNSUPPORTED_MODE"
  | "UNSUPPORTED_URI"
  | "VLM_FAILED";

/** A failure with a stable code. */
export class KnarrError extends Error {
  constructor(code: KnarrErrorCode, message: string, options?: { cause?: unknown });
  readonly name: "KnarrError";
  readonly code: KnarrErrorCode;
  /** What a server answered with, of HTTP. This and the following are of `Knarr.remote` only. */
  readonly status?: number | undefined;
  /** What the server told besides the message. */
  readonly details?: Record<string, unknown> | undefined;
  /** The server's name of the request, for its logs; pages see it if the server exposes `X-Request-ID`. */
  readonly request_id?: string | undefined;
  /** Milliseconds that the server asks to wait. */
  readonly retry_after_ms?: number | undefined;
}
