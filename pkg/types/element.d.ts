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
  /** Above rows that are all weak: nothing was found that is about the question. */
  weak: string;
  /** Over the sentences that the attribute `answer` shows. */
  answer: string;
  none: string;
  none_hint: string;
  signs: string;
  signs_hint: string;
  /** Over pages that have the words of a phrase, and not the phrase. */
  apart: string;
  /** While the first answer is late. */
  slow: string;
  /** Where nothing is wrong with the connection; `unreachable` and `offline` are the others. */
  error: string;
  error_hint: string;
  unreachable: string;
  unreachable_hint: string;
  offline: string;
  offline_hint: string;
  also: string;
  /** Over the pages that the attribute `related` shows. */
  related: string;
  old: string;
  details: string;
  retry: string;
  navigate: string;
  select: string;
  close: string;
  empty: string;
  /** The name of a row of filters, the first choice of each, and the button that takes them all back. */
  filters?: string;
  all?: string;
  clear_filters?: string;
  /** Kinds of pages, by the owner's tag (`kind=guide`) in lower case, with spaces for hyphens. */
  kinds: { [kind: string]: string };
  /** Names of the filters and of their values, by `key` and `key=value` in lower case. */
  facets?: { [tag: string]: string };
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
  /** Shows the dialog (or focuses the panel), with a query if one is given. Nothing while it is in no page. */
  show(query?: string): void;
  /** Closes the dialog. */
  close(): void;
  /** The opened bundle, shared by all elements with the same `src`. Rejects with a `KnarrError`. */
  bundle(): Promise<Knarr>;
}

/** The attributes of the element; all are text, and a switch is there or not; `"false"` is off. See docs/ELEMENT.md of the repository. */
export interface KnarrSearchAttributes {
  src?: string | undefined;
  from?: string | undefined;
  base?: string | undefined;
  /** Bundles of other sites, with spaces between them, whose results stand among these. */
  also?: string | undefined;
  /** Sentences of a page over the rows, where they answer a question clearly; loads the full engine. */
  answer?: boolean | "" | undefined;
  /** Pages that the best ones link to or resemble, below the rows. */
  related?: boolean | "" | undefined;
  /** Keys of tags to filter by, with commas between them. */
  facets?: string | undefined;
  /** Only pages with these tags, with `|` between them; what is chosen in the filters. */
  tags?: string | undefined;
  /** The pictures that pages name, in their rows. */
  images?: boolean | "" | undefined;
  inline?: boolean | "" | undefined;
  limit?: number | string | undefined;
  sections?: number | string | undefined;
  button?: "icon" | "field" | undefined;
  hotkeys?: "off" | undefined;
  recents?: "off" | undefined;
  /** Words of the question are marked on the page that was chosen, unless this is "off". */
  marks?: "off" | undefined;
  theme?: "light" | "dark" | "auto" | undefined;
  lang?: string | undefined;
  strings?: string | Partial<KnarrSearchStrings> | undefined;
  suggestions?: string | undefined;
  "docs-lang"?: string | undefined;
  "docs-version"?: string | undefined;
  "target-uri"?: string | undefined;
  group?: "directory" | undefined;
  worker?: "off" | undefined;
  stylesheet?: string | undefined;
  knarr?: Knarr | undefined;
}

/** The events of the element, which all bubble. */
export interface KnarrSearchEventMap {
  "knarr-open": CustomEvent<null>;
  "knarr-close": CustomEvent<null>;
  "knarr-select": CustomEvent<KnarrSelectDetail>;
  "knarr-error": CustomEvent<Error>;
}

/** Listeners as JSX and templates write them: `onknarr-select={…}`. */
export type KnarrSearchListeners = {
  [Type in keyof KnarrSearchEventMap as `on${Type}`]?: ((event: KnarrSearchEventMap[Type]) => void) | undefined;
};

type Props = KnarrSearchAttributes & KnarrSearchListeners;

declare global {
  interface HTMLElementTagNameMap {
    "knarr-search": KnarrSearch;
  }
  // Elements, documents and windows all have these.
  interface GlobalEventHandlersEventMap extends KnarrSearchEventMap {}
}

// The element in the templates of each framework that is installed. Where one is not, its lines are skipped.

// @ts-ignore
declare module "react" { namespace JSX { interface IntrinsicElements {
  // @ts-ignore
  "knarr-search": Omit<DetailedHTMLProps<HTMLAttributes<KnarrSearch>, KnarrSearch>, keyof Props> & Props;
} } }

// @ts-ignore
declare module "preact" { namespace JSX { interface IntrinsicElements {
  // @ts-ignore
  "knarr-search": Omit<import("preact").HTMLAttributes<KnarrSearch>, keyof Props> & Props;
} } }

// @ts-ignore
declare module "solid-js/jsx-runtime" { namespace JSX { interface IntrinsicElements {
  // @ts-ignore
  "knarr-search": Omit<HTMLAttributes<KnarrSearch>, keyof Props> & Props & {
    [Type in keyof KnarrSearchEventMap as `on:${Type}`]?: ((event: KnarrSearchEventMap[Type]) => void) | undefined;
  };
} } }

// @ts-ignore
declare module "vue" { interface GlobalComponents {
  "knarr-search": new () => { $props: Props & {
    [Type in "Open" | "Close" | "Select" | "Error" as `onKnarr${Type}`]?:
      ((event: KnarrSearchEventMap[`knarr-${Lowercase<Type>}`]) => void) | undefined;
  } };
} }

// @ts-ignore
declare module "svelte/elements" { interface SvelteHTMLElements {
  // @ts-ignore
  "knarr-search": Omit<HTMLAttributes<KnarrSearch>, keyof Props> & Props;
} }
