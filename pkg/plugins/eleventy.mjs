/** The plugin for Eleventy: `eleventyConfig.addPlugin(knarr)`. Works after a build, and in `--serve` after each. */

import { addSearch } from "../bin/build.mjs";
import { indexed } from "../bin/pages.mjs";

export default function knarr(eleventyConfig, options = {}) {
  eleventyConfig.on("eleventy.after", async ({ directories, dir, outputMode = "fs" }) => {
    // A dry run, or output as JSON: no site was written.
    if (outputMode !== "fs" || process.argv.includes("--dryrun")) return;
    const site = directories?.output ?? dir.output;
    const prefix = (eleventyConfig.pathPrefix ?? "").replace(/^\/+|\/+$/g, "");
    const { files, pages } = await addSearch({ root: prefix ? `/${prefix}/` : undefined, ...options, site });
    console.log(`[knarr] ${indexed(files)}, the search field put into ${pages}`);
  });
}
