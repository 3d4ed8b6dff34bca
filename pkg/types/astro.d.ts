/** The integration for Astro: `integrations: [knarr()]`. */

import type { SearchOptions } from "./build.js";

/** Builds the index after the site and puts the search field into the pages. */
export default function knarr(options?: Omit<SearchOptions, "site">): {
  name: string;
  hooks: { "astro:build:done": (told: { dir: URL; logger: { info(text: string): void } }) => Promise<void> };
};
