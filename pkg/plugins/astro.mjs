/** The integration for Astro: `integrations: [knarr()]`. */

import { fileURLToPath } from "node:url";
import { addSearch } from "../bin/build.mjs";
import { indexed } from "../bin/pages.mjs";
import { KnarrError } from "../dist/errors.js";

export default function knarr(options = {}) {
  let root;
  return {
    name: "knarr",
    hooks: {
      "astro:config:done": ({ config }) => void (root = config.base.replace(/\/?$/, "/")),
      "astro:build:done": async ({ dir, logger }) => {
        const { files, pages } = await addSearch({ root, ...options, site: fileURLToPath(dir) }).catch((error) => {
          // The command's words: there is no page, and no option that chose them is to blame.
          if (error.code !== "FAILED_PRECONDITION" || !error.message.startsWith("nothing to index") || error.message.includes(": --include")) throw error;
          throw new KnarrError(error.code, `${error.message}: only pages that Astro writes at build can be searched, so leave \`output\` at "static" or put \`export const prerender = true\` into pages`);
        });
        logger.info(`${indexed(files)}, the search field put into ${pages}`);
      },
    },
  };
}
