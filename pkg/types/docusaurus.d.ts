/** The plugin for Docusaurus: `plugins: ["knarr/docusaurus"]`. */

import type { PluginOptions } from "./build.js";

/**
 * Puts the search field into the navigation bar, and builds the index of each language after it, into its folder
 * `knarr`. The development server searches the pages of the last build.
 */
export default function knarr(context: unknown, options?: PluginOptions): { name: string };
