/** The plugin for VitePress, one of Vite's: `vite: { plugins: [knarr()] }`. */

import { join } from "node:path";
import { attributesOf, htmlOf } from "../bin/attributes.mjs";
import { addSearch } from "../bin/build.mjs";
import { indexed } from "../bin/pages.mjs";
import { serveSearch } from "./dev.mjs";

/** The component in the place of the default theme's own search, as a module without a file. */
const FIELD = "\0knarr-field";

/** The component's code. A file of the package would be out of the development server's reach where the package is linked. */
const field = (bundle, base, attributes) => `
  import { h } from "vue";
  import { useData } from "vitepress";
  export default {
    setup() {
      const { lang } = useData();
      return () => h("div", { class: "VPNavBarSearch" }, [
        h("knarr-search", { from: ${JSON.stringify(bundle)}, base: ${JSON.stringify(base)}, lang: lang.value, ...${JSON.stringify(attributes)} }),
      ]);
    },
  };`;

/** The layout of the component that was replaced, and the theme's colors. */
const STYLE = `.VPNavBarSearch{display:flex;align-items:center;--knarr-accent:var(--vp-c-brand-1);
--knarr-surface:var(--vp-c-bg-elv);--knarr-sunken:var(--vp-c-bg-alt);--knarr-text:var(--vp-c-text-1);--knarr-muted:var(--vp-c-text-2);
--knarr-border:var(--vp-c-divider);--knarr-radius:8px}
@media(min-width:768px){.VPNavBarSearch{flex-grow:1;padding-left:24px}}
@media(min-width:960px){.VPNavBarSearch{padding-left:32px}}`;

export default function knarr({ folder = "knarr", answers: isAnswering, attributes: given, ...options } = {}) {
  const attributes = attributesOf({ answers: isAnswering, attributes: given });
  const answers = "answer" in attributes;
  let site;
  let hasField = false;
  const root = () => `${site.site.base}${folder}/`;
  const finish = async () => {
    const { files } = await addSearch({ urlStyle: site.cleanUrls ? "clean" : undefined, ...options, site: site.outDir, folder, answers, intoPages: false });
    site.logger.info(`[knarr] ${indexed(files)}`);
    const tag = `<knarr-search from="${root()}search/" base="${site.site.base}"${htmlOf(attributes)}></knarr-search>`;
    if (!hasField) site.logger.warn(`[knarr] the theme has no VPNavBarSearch to replace: put ${tag} into its layout`);
  };
  return {
    name: "knarr",
    enforce: "pre",
    // A build resolves its configuration twice, for the browser and for the server.
    configResolved({ vitepress }) {
      if (vitepress === undefined) throw new Error("knarr/vitepress is a plugin for VitePress: put it into vite.plugins of .vitepress/config");
      if (vitepress === site) return;
      site = vitepress;
      site.site.head.push(["script", { type: "module", src: `${root()}knarr-search.js` }], ["style", {}, STYLE]);
      const { buildEnd } = site;
      site.buildEnd = async (...told) => {
        await buildEnd?.(...told);
        await finish();
      };
    },
    configureServer({ middlewares }) {
      middlewares.use(serveSearch(root(), join(site.outDir, folder), { answers }));
    },
    resolveId(id, importer) {
      if (/(^|\/)VPNavBarSearch\.vue$/.test(id)) return FIELD;
      // A module without a file: its packages are those of the configuration, not of the pages, which may lie elsewhere.
      return importer === FIELD ? this.resolve(id, site.configPath, { skipSelf: true }) : undefined;
    },
    load(id) {
      if (id !== FIELD) return undefined;
      hasField = true;
      return field(`${root()}search/`, site.site.base, attributes);
    },
  };
}
