import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import knarr from "knarr/vitepress";
import { defineConfig } from "vitepress";
import { GROUPS, NAMES, PAGES, WIDE } from "../pages.mjs";
import { fileNames } from "./files.mjs";
import { repositoryLinks } from "./links.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Everything that is no page. */
const others = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
  .filter((name) => !["docs", "pkg", "crates", "benches", "examples"].includes(name)).map((name) => `${name}/**`);

const { version } = JSON.parse(readFileSync(`${ROOT}pkg/package.json`, "utf8"));

/** The address of a page: `start/index` is a folder's. */
const address = (page) => `/${page.replace(/(^|\/)index$/, "$1")}`;

/** Pages of other folders import what is installed in this one. */
const fromHere = {
  name: "from-here",
  enforce: "pre",
  resolveId(id, importer, options) {
    if (!/^(vue|vitepress)(\/|$)/.test(id) || !importer?.endsWith(".md")) return undefined;
    return this.resolve(id, fileURLToPath(import.meta.url), { ...options, skipSelf: true });
  },
};

export default defineConfig({
  title: "Knarr",
  description: "A search engine for documentation that runs entirely in the browser",
  lang: "en",
  base: process.env.BASE ?? "/",
  srcDir: ROOT,
  srcExclude: [...others, "README.md", "crates/!(knarr-cli)/**", "crates/knarr-cli/README.md", "docs/site/node_modules/**"],
  rewrites: Object.fromEntries([...PAGES].map(([file, page]) => [file, `${page}.md`])),
  ignoreDeadLinks: "localhostLinks",
  outDir: fileURLToPath(new URL("dist", import.meta.url)),
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${process.env.BASE ?? "/"}knarr.svg` }]],
  markdown: { config: (md) => md.use(repositoryLinks, { root: ROOT, address, pages: PAGES, names: NAMES }).use(fileNames) },
  transformPageData({ relativePath, frontmatter }) {
    if (WIDE.has(relativePath.replace(/\.md$/, ""))) Object.assign(frontmatter, { aside: false, pageClass: "wide" });
  },
  themeConfig: {
    logo: "/knarr.svg",
    nav: [
      { text: "Start", link: "/start/", activeMatch: "^/start/" },
      { text: "How it works", link: "/concepts/", activeMatch: "^/concepts/" },
      { text: "Guides", link: "/guide/", activeMatch: "^/guide/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "Figures", link: "/figures/", activeMatch: "^/figures/" },
      { text: version, items: [{ text: "Changes", link: "/reference/changes" }, { text: "Architecture", link: "/code/architecture" }] },
    ],
    sidebar: GROUPS.map(([text, pages]) => ({
      text, collapsed: text === "The code", items: pages.filter(([, , name]) => name).map(([, page, name]) => ({ text: name, link: address(page) })),
    })),
    outline: { level: [2, 3] },
    footer: { message: "MIT or Apache-2.0, at your choice." },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "knarr-search" } } },
  vite: {
    plugins: [fromHere, knarr()],
    publicDir: fileURLToPath(new URL("../public", import.meta.url)),
    // The root is the repository's, most of which is nothing to Vite.
    optimizeDeps: { entries: ["docs/site/.vitepress/theme/*"] },
    server: { watch: { ignored: [...others, "crates/*/src/**"].map((folder) => `${ROOT}${folder}`) } },
  },
});
