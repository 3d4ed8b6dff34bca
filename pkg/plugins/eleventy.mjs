/** The plugin for Eleventy: `eleventyConfig.addPlugin(knarr)`. Works after a build, and in `--serve` after each. */

import { addSearch } from "../bin/build.mjs";

export default function knarr(eleventyConfig, options = {}) {
  eleventyConfig.on("eleventy.after", async ({ directories, dir }) => {
    const site = directories?.output ?? dir.output;
    const { files, pages } = await addSearch({ ...options, site });
    console.log(`[knarr] ${files} pages indexed, the search field put into ${pages}`);
  });
}
