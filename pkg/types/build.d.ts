/** The indexer, for programs that run after a site's build. It runs in a process of its own, on Node 20 or newer. */

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
  /** Is told each line of progress. */
  onProgress?: ((line: string) => void) | undefined;
  /** Stops the build; the promise rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /** Every other flag of `knarr build`. */
  [flag: string]: unknown;
}

/** Options of {@link build}. */
export interface BuildOptions extends BuildFlags {
  /** A folder of HTML and Markdown pages, a `.ovpack`, or a file of JSON lines. */
  input: string;
  /** The bundle to write: a folder, or with the extension `.knarr` one file. Default: the folder `search` of the input. */
  out?: string | undefined;
}

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
}

/** Options of {@link addSearch}. */
export interface AddSearchOptions extends BuildFlags {
  /** The folder that is published. */
  site: string;
  /** The folder of the site for the index and the element's files. Default: `knarr`. */
  folder?: string | undefined;
  /** Shows sentences of a page over the results, where they answer a question clearly; a page then loads the full engine. */
  answers?: boolean | undefined;
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
