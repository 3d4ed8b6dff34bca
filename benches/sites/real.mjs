/** Documentation as it is published, built here from its sources by its own generator. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { labeled } from "./questions.mjs";

const patch = (file, ...changes) => ({ file, changes });

/** The Rust documentation of the toolchain, which rustup installs: books that mdBook has built. */
function toolchain() {
  const root = execFileSync("rustc", ["--print", "sysroot"], { encoding: "utf8" }).trim();
  return join(root, "share/doc/rust/html/book");
}

/** Questions of newcomers to Rust of which the book answers one. */
const ofBook = (shared) => labeled(join(shared, "data/rust-howto/queries.jsonl")).flatMap(({ query, relevant }) => {
  const own = Object.keys(relevant).filter((page) => page.startsWith("book/")).map((page) => page.slice("book/".length));
  return own.length > 0 ? [{ query, relevant: own }] : [];
});

export const REAL = [
  {
    name: "Flask 3.1 (Sphinx)", folder: "flask", isReal: true, base: "/docs/", out: "build", python: true,
    build: "sphinx-build -q docs build",
    install: { pip: ["flask==3.1.2", "sphinx==9.0.4", "pallets-sphinx-themes", "sphinxcontrib-log-cabinet", "sphinx-tabs", "packaging"] },
    plain: [],
    variants: { knarr: [{ after: "knarr add" }], pagefind: [], sphinx: [] },
    own: (path) => /searchindex\.js$|searchtools\.js|language_data\.js|sphinx_highlight\.js|^search\.html/.test(path), index: (path) => path === "searchindex.js",
    open: (shared) => ({
      questions: labeled(join(shared, "data/realsites/flask/queries.jsonl")),
      sources(folder) {
        mkdirSync(folder, { recursive: true });
        const archive = join(folder, "flask-3.1.2.tar.gz");
        execFileSync("python3", ["-m", "pip", "download", "--quiet", "--no-binary", ":all:", "--no-deps", "--dest", folder, "flask==3.1.2"], { stdio: "pipe" });
        execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", folder]);
      },
    }),
  },
  {
    name: "Vite (VitePress 2)", folder: "vite", isReal: true, base: "/", out: "docs/.vitepress/dist", build: "npx vitepress build docs", newer: true,
    install: { npm: ["sync-fetch"] }, // Which one of its plugins forgets.
    plain: [
      // They read the rest of the repository, and the types of packages that are not installed.
      { remove: "docs/acknowledgements.md" }, { remove: "docs/_data/acknowledgements.data.ts" },
      patch("docs/.vitepress/config.ts", ["twoslashOptions: {", "throws: false, twoslashOptions: { noErrors: true,"], ["cleanUrls: true,", "cleanUrls: true, ignoreDeadLinks: true,"]),
    ],
    // Its own search has been fitted to it by its owners: guides first, no blog. The others come as they are.
    variants: {
      knarr: [patch("docs/.vitepress/config.ts", [/^/, "import knarr from 'knarr/vitepress'\n"], ["    plugins: [\n", "    plugins: [\n      knarr(),\n"])],
      pagefind: [patch("docs/.vitepress/config.ts", ["provider: 'local',", "provider: undefined,"])],
      vitepress: [],
    },
    own: (path) => /localSearchIndex|LocalSearchBox/.test(path), index: (path) => /localSearchIndex/.test(path),
    open: (shared, sources) => {
      const from = sources && join(sources, "vite");
      if (!from || !existsSync(from)) return { missing: "KNARR_SOURCES has no folder vite, a checkout of vitejs/vite" };
      return {
        start: "guide/",
        questions: labeled(join(shared, "data/realsites/vite/queries.jsonl")),
        sources(folder) {
          mkdirSync(folder, { recursive: true });
          for (const path of ["docs", "packages/vite/package.json"]) cpSync(join(from, path), join(folder, path), { recursive: true });
          const own = JSON.parse(readFileSync(join(from, "docs/package.json"), "utf8"));
          // Versions that the registry has.
          Object.assign(own, { overrides: { "@docsearch/sidepanel-js": "4.7.0" }, devDependencies: { ...own.devDependencies, vitepress: "2.0.0-alpha.19", "vue-tsc": undefined } });
          writeFileSync(join(folder, "package.json"), JSON.stringify(own));
        },
      };
    },
  },
  {
    name: "The Rust book (mdBook)", folder: "book", isReal: true, base: "/book/", out: "book",
    variants: { knarr: [{ after: "knarr add" }], pagefind: [], mdbook: [] },
    own: (path) => /searchindex|elasticlunr|searcher|mark[-.]/.test(path), index: (path) => /searchindex/.test(path),
    open: (shared) => {
      const book = toolchain();
      if (!existsSync(book)) return { missing: "rustup component add rust-docs" };
      return { start: "ch00-00-introduction.html", questions: ofBook(shared), sources: (to) => cpSync(book, join(to, "book"), { recursive: true }) };
    },
  },
];
