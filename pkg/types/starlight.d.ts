/** The plugin for Starlight, in the place of its Pagefind: `starlight({ plugins: [knarr()] })`. */

import type { PluginOptions } from "./build.js";

/**
 * Puts the search field into the header, and builds the index after the site, into its folder `knarr`. The development
 * server searches the pages of the last build.
 */
export default function knarr(options?: PluginOptions & { folder?: never }): {
  name: string;
  hooks: { "config:setup"(told: any): void };
};
