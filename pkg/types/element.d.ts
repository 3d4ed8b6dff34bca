/** `<knarr-search>`: importing this registers the element; on a server it does nothing. */

import type { Knarr, MatchedContext, SectionHit } from "./index.js";

/** Texts of the element; `{…}` is replaced. Counts may have a form per `Intl.PluralRules` category. */
export interface KnarrSearchStrings {
  label: string;
  placeholder: string;
  clear: string;
  cancel: string;
  results: string;
  count: string | { [rule in Intl.LDMLPluralRule]?: string };
  /** As many as were asked for: there may be more. */
  count_best: string | { [rule in Intl.LDMLPluralRule]?: string };
  corrected: string;
  loading: string;
  start: string;
  recent: string;
  forget: string;
  suggestions: string;
  none: string;
  none_hint: string;
  /** Where nothing is wrong with the connection; `unreachable` and `offline` are the others. */
  error: string;
  error_hint: string;
  unreachable: string;
  unreachable_hint: string;
  offline: string;
  offline_hint: string;
  old: string;
  details: string;
  retry: string;
  navigate: string;
  select: string;
  close: string;
  empty: string;
}

/** What was chosen. */
export interface KnarrSelectDetail {
  query: string;
  /** The absolute address of the link. */
  url: string;
  /** The row: a page or a section of it. */
  hit: MatchedContext | SectionHit;
  /** The page. */
  result: MatchedContext;
}

/** The element. */
export class KnarrSearch extends HTMLElement {
  /** An opened bundle to search, instead of opening `src`. */
  get knarr(): Knarr | undefined;
  set knarr(knarr: Knarr | undefined);
  /** Texts that replace built-in ones. */
  get strings(): KnarrSearchStrings;
  set strings(strings: Partial<KnarrSearchStrings>);
  /** Whether the dialog is showing. */
  readonly open: boolean;
  /** Shows the dialog (or focuses the panel), with a query if one is given. */
  show(query?: string): void;
  /** Closes the dialog. */
  close(): void;
  /** The opened bundle, shared by all elements with the same `src`. Rejects with a `KnarrError`. */
  bundle(): Promise<Knarr>;
}

declare global {
  interface HTMLElementTagNameMap {
    "knarr-search": KnarrSearch;
  }
  interface HTMLElementEventMap {
    "knarr-open": CustomEvent<null>;
    "knarr-close": CustomEvent<null>;
    "knarr-select": CustomEvent<KnarrSelectDetail>;
    "knarr-error": CustomEvent<Error>;
  }
}
