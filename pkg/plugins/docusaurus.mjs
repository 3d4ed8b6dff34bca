/** The plugin for Docusaurus: `plugins: ["knarr/docusaurus"]`. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { attributesOf } from "../bin/attributes.mjs";
import { addSearch } from "../bin/build.mjs";
import { DIST } from "../bin/init.mjs";
import { indexed } from "../bin/pages.mjs";

/** Its `SearchBar` takes the place of the theme's. */
const THEME = fileURLToPath(new URL("docusaurus-theme", import.meta.url));

/** Each language is a site of its own, but the default one lies around the others: their folders, below it. */
const otherLanguages = ({ currentLocale, defaultLocale, locales, localeConfigs }) =>
  currentLocale === defaultLocale ? locales.filter((locale) => locale !== defaultLocale).map((locale) => localeConfigs?.[locale]?.path ?? locale) : [];

export default function knarr({ baseUrl, outDir, i18n }, { id, folder = "knarr", answers: isAnswering, attributes: given, exclude = [], ...options } = {}) {
  const attributes = attributesOf({ answers: isAnswering, attributes: given });
  const answers = "answer" in attributes;
  const root = `${baseUrl}${folder}/`;
  return {
    name: "knarr",
    getThemePath: () => THEME,
    injectHtmlTags: () => ({ headTags: [{ tagName: "script", attributes: { type: "module", src: `${root}knarr-search.js` } }] }),
    contentLoaded: ({ actions }) => actions.setGlobalData({ bundle: `${root}search/`, base: baseUrl, attributes }),
    // The development server answers with the index that the last build left.
    configureWebpack: (_, isServer) => (isServer ? {} : {
      devServer: {
        static: [
          { publicPath: `${root}search`, directory: join(outDir, folder, "search"), watch: false },
          { publicPath: root, directory: DIST, watch: false },
        ],
      },
    }),
    async postBuild({ outDir: site }) {
      const others = otherLanguages(i18n).map((path) => `${path}/**`);
      const { files } = await addSearch({ ...options, exclude: [...[exclude].flat(), ...others], site, folder, answers, intoPages: false });
      console.log(`[knarr] ${indexed(files)}`);
    },
  };
}
