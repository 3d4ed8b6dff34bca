/** The plugin for Starlight, in the place of its Pagefind: `starlight({ plugins: [knarr()] })`. */

import { fileURLToPath } from "node:url";
import { attributesOf } from "../bin/attributes.mjs";
import { addSearch } from "../bin/build.mjs";
import { indexed } from "../bin/pages.mjs";
import { serveSearch } from "./dev.mjs";

const FOLDER = "knarr"; // Search.astro names it too.

export default function knarr({ answers: isAnswering, attributes: given, ...options } = {}) {
  const attributes = attributesOf({ answers: isAnswering, attributes: given });
  const answers = "answer" in attributes;
  let root;
  let built;
  const integration = {
    name: "knarr",
    hooks: {
      // What Search.astro writes on the field: a component of a theme gets no options.
      "astro:config:setup": ({ updateConfig }) => void updateConfig({ vite: { define: { __KNARR_ATTRIBUTES__: JSON.stringify(attributes) } } }),
      "astro:config:done": ({ config }) => {
        root = `${config.base.replace(/\/?$/, "/")}${FOLDER}/`;
        built = fileURLToPath(new URL(`${FOLDER}/`, config.outDir));
      },
      "astro:server:setup": ({ server }) => void server.middlewares.use(serveSearch(root, built, { answers })),
      "astro:build:done": async ({ dir, logger }) => {
        const { files } = await addSearch({ ...options, site: fileURLToPath(dir), folder: FOLDER, answers, intoPages: false });
        logger.info(indexed(files));
      },
    },
  };
  return {
    name: "knarr",
    hooks: {
      "config:setup": ({ config, updateConfig, addIntegration }) => {
        updateConfig({ pagefind: false, components: { ...config.components, Search: "knarr/starlight/Search.astro" } });
        addIntegration(integration);
      },
    },
  };
}
