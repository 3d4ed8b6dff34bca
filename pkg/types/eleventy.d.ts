/** The plugin for Eleventy: `eleventyConfig.addPlugin(knarr)`. */

import type { PluginOptions } from "./build.js";

/** Builds the index after each build and puts the search field into the pages. */
export default function knarr(eleventyConfig: { on(event: string, listener: (told: any) => unknown): unknown }, options?: PluginOptions): void;
