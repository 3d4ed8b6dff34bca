/** One answer from several bundles, each built on its own. */

import type { CallOptions, FindOptions, FindResult, RelatedContext, RelationOptions } from "./index.js";

export type * from "./index.js";
export { KnarrError } from "./index.js";

/** What finds: an opened bundle of any of the package's entries, or a client of a server. */
export interface Finds {
  find(query: string, options?: FindOptions & CallOptions): Promise<FindResult>;
  relations(uri: string, options?: RelationOptions): Promise<RelatedContext[]>;
  close(): void;
}

/** A bundle among several. */
export interface SeveralSource {
  /** The bundle, or what promises it: one that does not open is left out of the answers. */
  knarr: Finds | Promise<Finds>;
  /** The address that its results are relative to; a relative one is resolved against the page. */
  base: string | URL;
  /** A name that stands above its titles, as the first of `crumbs`. */
  name?: string | undefined;
  /** How much its rows count beside those of the others, from 0 on; 1 where it is not given. */
  weight?: number | undefined;
}

/** Several bundles as one. */
export interface Several {
  /**
   * The best results of all bundles, in each bundle's own order; whose is next, the results' `relevance` says, and whether one is called as the
   * question. Every `url` is absolute. A bundle that fails is in `skipped` (step `bundle`); the call rejects where all do.
   * `sort`, `trace` and `walk_scores` are refused.
   */
  find(query: string, options?: FindOptions & CallOptions): Promise<FindResult>;
  /** What a result of the last answer links to or resembles in its own bundle; `NOT_FOUND` for any other. */
  relations(uri: string, options?: RelationOptions): Promise<RelatedContext[]>;
  /** Closes all bundles. */
  close(): void;
}

/** Several bundles as one. Costs a question to each; in the page, each has an engine of its own. */
export function several(sources: SeveralSource[]): Several;
