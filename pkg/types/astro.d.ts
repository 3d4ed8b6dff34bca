/** The integration for Astro: `integrations: [knarr()]`. */

import type { PluginOptions } from "./build.js";

/** Builds the index after the site and puts the search field into the pages. */
export default function knarr(options?: PluginOptions): {
  name: string;
  hooks: { "astro:build:done": (told: { dir: URL; logger: { info(text: string): void } }) => Promise<void> };
};
