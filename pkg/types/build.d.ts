/** The indexer, for programs that run after a site's build. It runs in a process of its own, on Node 20 or newer. */

import type { KnarrError } from "./index.js";

/** Kinds of pages that are no content, or count less. */
export type PageKind =
  | "not-found" | "search" | "name-index" | "source" | "list" | "tool" | "print"
  | "page-source" | "stray" | "post" | "changelog" | "unsettled" | "report" | "file" | "copy";

/** The flags of `knarr build`: `maxFileBytes: 5` for `--max-file-bytes 5`. */
export interface BuildFlags {
  /** Name of the tree: documents are at `viking://resources/NAME/…`. */
  name?: string | undefined;
  /** Prefix of the addresses that results open. */
  baseUrl?: string | undefined;
  /** Read only files that match these globs. */
  include?: string | string[] | undefined;
  /** Leave out files that match these globs. */
  exclude?: string | string[] | undefined;
  /** Ignore these fields of front matter, or names of `<meta>`. */
  skipField?: string | string[] | undefined;
  /** Read of HTML pages only the elements that this CSS selector matches; pages without one are left out. */
  rootSelector?: string | undefined;
  /** Leave out the elements of HTML pages that these CSS selectors match. */
  excludeSelectors?: string | string[] | undefined;
  /** Put folders elsewhere in the tree: `skills=viking://agent/skills`; `.` is the input itself. */
  mount?: string | string[] | undefined;
  /** Leave out files larger than this many bytes. Default: 33554432. */
  maxFileBytes?: number | undefined;
  /** Also read files outside the input that symbolic links point to. */
  followLinks?: boolean | undefined;
  /** Leave out a page that takes longer than this to read. Default: 60. */
  maxPageSeconds?: number | undefined;
  /** Take the dates of pages that name none from git. */
  gitDates?: boolean | undefined;
  /** Keep the original files in the bundle. */
  keepSource?: boolean | undefined;
  /** Search with the vectors of a `.ovpack`; queries then need their model. */
  packVectors?: boolean | undefined;
  /** Write a head with packs even for a small site, which is a single file otherwise. */
  packs?: boolean | undefined;
  /** Write one file even for a large site: all of it is loaded before the first answer. */
  oneFile?: boolean | undefined;
  /** Packs of up to 8 MB in place of 64 kB, for hosts that answer several ranges of a file in one response. */
  largePacks?: boolean | undefined;
  /** English words that the site does not have and that bring their meaning to a question; 0: none. Default: all that the table knows, up to 24,000, with `oneFile` 1,000. */
  generalWords?: number | undefined;
  /** The file of synonyms, weights, first pages, other names and hidden pages. Default: `knarr.json` in the input folder, if it is there. */
  siteFile?: string | undefined;
  /** Blocks of about 64 pages whose vectors a query looks at besides those of its keyword hits; 0: all. Default: by the size of the site. */
  probes?: number | undefined;
  /** Dimensions of the vectors; 0 builds without. Default: 64; with `embed` alone those of the model. */
  dims?: number | undefined;
  /** Bits per dimension of the vectors. Default: 4; 3 above 2,000 pages. */
  bits?: 3 | 4 | 8 | undefined;
  /** Weight of the vectors in the score, 0 to 1, unless a query names one. Default: 0.3. */
  alpha?: number | undefined;
  /** Extract names and their relations, for `find(…, { graph })`. */
  graph?: boolean | undefined;
  /** Tells `onProgress` nothing but errors. */
  quiet?: boolean | undefined;
  /** Tells `onProgress` every file that was left out. */
  verbose?: boolean | undefined;
  /** Folder that keeps pages as they were read, so that a build does this only for those that changed, and the answers of models. */
  cache?: string | undefined;
  /** Spelling of addresses. Default: `auto`, which follows the site's own. */
  urlStyle?: "auto" | "file" | "html" | "clean" | "bare" | "slash" | undefined;
  /** Treat pages of these kinds as content: neither leave them out nor damp them. */
  keep?: PageKind | PageKind[] | undefined;
  /** The site's own language, for queries that name none. Default: that of the home page. */
  lang?: string | undefined;
  /** The version for queries that name none. Default: the newest stable one. */
  docsVersion?: string | undefined;
  /** Take every file as it is: no languages, versions or copies, and addresses like the files' names. */
  noSite?: boolean | undefined;
  /** Chat endpoint (OpenAI-compatible) that writes abstracts and overviews. Models are asked by the native command line alone. */
  llm?: string | undefined;
  /** Model of the endpoint. */
  llmModel?: string | undefined;
  /** Environment variable that holds its key. */
  llmKeyEnv?: string | undefined;
  /** More fields of a chat's requests, as a JSON object. */
  llmParam?: string | undefined;
  /** Endpoint that makes the vectors, in place of those of the site's own words. */
  embed?: string | undefined;
  /** Model of the endpoint. */
  embedModel?: string | undefined;
  /** Format of its requests. Default: `openai`. */
  embedFlavour?: "openai" | "cohere" | "jina" | undefined;
  /** Dimensions to ask for, where the model can shorten its vectors. */
  embedDims?: number | undefined;
  /** Environment variable that holds its key. */
  embedKeyEnv?: string | undefined;
  /** More fields of its requests, as a JSON object. */
  embedParam?: string | undefined;
  /** Prefix of every text, for models that were trained with one. */
  embedPrefix?: string | undefined;
  /** Texts in one request. Default: 32. */
  embedBatch?: number | undefined;
  /** Estimated tokens that the embedding model reads at once. Default: 256. */
  embedTokens?: number | undefined;
  /** Give the words vectors in the model's space, so that a question needs no endpoint. */
  embedWords?: boolean | undefined;
  /** Chat endpoint that names the things on the pages and their relations. */
  graphLlm?: string | undefined;
  /** Its model. Default: that of `llmModel`. */
  graphModel?: string | undefined;
  /** Environment variable that holds its key. Default: that of `llmKeyEnv`. */
  graphKeyEnv?: string | undefined;
  /** Requests sent at the same time. Default: 4. */
  jobs?: number | undefined;
  /** Times that a request is sent before it counts as failed. Default: 5. */
  attempts?: number | undefined;
  /** Seconds for one request. Default: 120. */
  timeout?: number | undefined;
  /** Send the requests without asking for confirmation of the cost, which a program cannot give. */
  yes?: boolean | undefined;
  /** Is told each line of progress. */
  onProgress?: ((line: string) => void) | undefined;
  /** Stops the build; the promise rejects with `ABORTED` (`DEADLINE_EXCEEDED` after `AbortSignal.timeout`). */
  signal?: AbortSignal | undefined;
  /** A flag of a later version. */
  [flag: string]: unknown;
}

/** Options of {@link build}. */
export interface BuildOptions extends BuildFlags {
  /** A folder of HTML and Markdown pages, a `.ovpack`, or a file of JSON lines. */
  input: string;
  /** The bundle to write: a folder, or with the extension `.knarr` one file. Default: the folder `search` of the input. */
  out?: string | undefined;
  /**
   * Goes on, and builds again whenever a page or the `siteFile` changes, until `signal` says stop. The promise is settled
   * by the first build that works, or by wrong arguments; `onBuild` is told of all others.
   */
  watch?: boolean | undefined;
  /** Is told how each build of `watch` ended. */
  onBuild?: ((end: BuildEnd) => void) | undefined;
}

/** How a build ended: with a report, or with the reason why the bundle stayed as it was. */
export type BuildEnd = { report: BuildReport; error?: undefined } | { report?: undefined; error: KnarrError };

/** What was built. */
export interface BuildReport {
  /** Name of the tree. */
  name: string;
  /** The bundle. */
  out: string;
  /** Files that were indexed. */
  files: number;
  /** Directories of the tree. */
  directories: number;
  /** Bytes of the bundle. */
  bundle_bytes: number;
  /** Bytes of the bundle that a first search fetches, in the median of a few questions; scripts and the engine are about 110 kB besides. */
  first_search_bytes?: number;
  /** Counts of the files that were left out, by reason. */
  skipped: Record<string, number>;
  /** Every other figure of `knarr build --json`. */
  [figure: string]: unknown;
}

/**
 * Builds a bundle. Costs about three milliseconds of CPU a page, on all cores.
 *
 * Rejects with a `KnarrError`: the code and message of the command line.
 */
export function build(options: BuildOptions): Promise<BuildReport>;

/** Options of a generator's plugin, which knows where the site is. */
export interface PluginOptions extends BuildFlags {
  site?: never;
  /** The folder of the site for the index and the element's files. Default: `knarr`. */
  folder?: string | undefined;
  /** Shows sentences of a page over the results, where they answer a question clearly; a page then loads the full engine. */
  answers?: boolean | undefined;
  /** Attributes of the search field, such as `{ facets: "kind", related: true }`; docs/ELEMENT.md of the repository lists them. */
  attributes?: FieldAttributes | undefined;
}

/**
 * Attributes of the search field by name: true is a switch, false and nothing leave one out, and an object is JSON (`strings`).
 * `src`, `from` and `base` lead to the index and are refused.
 */
export type FieldAttributes = { [attribute: string]: string | number | boolean | object | null | undefined };

/** Options of {@link addSearch}. */
export interface AddSearchOptions extends BuildFlags {
  /** The folder that is published. */
  site: string;
  /** The folder of the site for the index and the element's files. Default: `knarr`. */
  folder?: string | undefined;
  /** Shows sentences of a page over the results, where they answer a question clearly; a page then loads the full engine. */
  answers?: boolean | undefined;
  /** Attributes of the search field, such as `{ facets: "kind", related: true }`. */
  attributes?: FieldAttributes | undefined;
  /** Path of the site's root on its host, which `404.html` has to name. Default: what that page's own references tell. */
  root?: string | undefined;
  /** Puts the field into the pages. False where the theme has it. Default: true. */
  intoPages?: boolean | undefined;
}

/** @deprecated The name that {@link AddSearchOptions} had; `SearchOptions` of `knarr` are those of a search. */
export type SearchOptions = AddSearchOptions;

/**
 * Builds the index of a built site and puts the search field into every page that has none, where its theme has room
 * for it. `pages`: the pages that were changed. Rejects as {@link build}.
 */
export function addSearch(options: AddSearchOptions): Promise<BuildReport & { pages: number }>;
