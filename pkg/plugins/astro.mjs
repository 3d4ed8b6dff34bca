/** The integration for Astro: `integrations: [knarr()]`. */

import { fileURLToPath } from "node:url";
import { addSearch } from "../bin/build.mjs";

export default function knarr(options = {}) {
  let root;
  return {
    name: "knarr",
    hooks: {
      "astro:config:done": ({ config }) => void (root = config.base.replace(/\/?$/, "/")),
      "astro:build:done": async ({ dir, logger }) => {
        const { files, pages } = await addSearch({ root, ...options, site: fileURLToPath(dir) });
        logger.info(`${files} pages indexed, the search field put into ${pages}`);
      },
    },
  };
}
