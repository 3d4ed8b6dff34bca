/** The plugin for VitePress, one of Vite's: `vite: { plugins: [knarr()] }`. */

import type { PluginOptions } from "./build.js";

/**
 * Puts the search field in the place of the default theme's own, and builds the index after the site, into its folder
 * `knarr`. The development server searches the pages of the last build.
 */
export default function knarr(options?: PluginOptions): { name: string; enforce: "pre" };
