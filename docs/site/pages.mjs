import { readdirSync, readFileSync } from "node:fs";

/** The pages of the site, in the order of its sidebar: the file from the root of the repository, the page, its name there. */
export const GROUPS = [
  ["Start", [
    ["docs/site/index.md", "index"],
    ["docs/site/start/index.md", "start/index", "Choose a way in"],
    ["docs/site/start/vitepress.md", "start/vitepress", "VitePress"],
    ["docs/site/start/docusaurus.md", "start/docusaurus", "Docusaurus"],
    ["docs/site/start/starlight.md", "start/starlight", "Starlight"],
    ["docs/site/start/astro.md", "start/astro", "Astro"],
    ["docs/site/start/eleventy.md", "start/eleventy", "Eleventy"],
    ["docs/site/start/mkdocs.md", "start/mkdocs", "MkDocs"],
    ["docs/site/start/sphinx.md", "start/sphinx", "Sphinx"],
    ["docs/site/start/mdbook.md", "start/mdbook", "mdBook"],
    ["docs/site/start/rustdoc.md", "start/rustdoc", "rustdoc"],
    ["docs/site/start/hugo.md", "start/hugo", "Hugo"],
    ["docs/site/start/html.md", "start/html", "A folder of pages"],
    ["docs/site/start/vite.md", "start/vite", "An application (Vite)"],
    ["docs/site/start/next.md", "start/next", "Next.js"],
    ["docs/site/start/sveltekit.md", "start/sveltekit", "SvelteKit"],
    ["examples/extension/README.md", "start/extension", "A browser extension"],
    ["docs/site/start/node.md", "start/node", "A program (Node.js)"],
  ]],
  ["How it works", [
    ["docs/site/concepts/index.md", "concepts/index", "At a glance"],
    ["docs/site/concepts/bundle.md", "concepts/bundle", "Bundle and question"],
    ["docs/site/concepts/ranking.md", "concepts/ranking", "Words and meaning"],
    ["docs/site/concepts/tree.md", "concepts/tree", "The tree"],
    ["docs/SITES.md", "concepts/sites", "How a site is read"],
    ["docs/ABSTRACTS.md", "concepts/abstracts", "Abstracts and overviews"],
    ["docs/LIMITS.md", "concepts/limits", "Limits"],
  ]],
  ["Guides", [
    ["docs/site/guide/index.md", "guide/index", "All guides"],
    ["docs/GENERATORS.md", "guide/generators", "Site generators"],
    ["docs/ELEMENT.md", "guide/element", "The search field"],
    ["docs/JAVASCRIPT.md", "guide/javascript", "JavaScript"],
    ["docs/TOOLCHAINS.md", "guide/toolchains", "Toolchains"],
    ["docs/EXTENSION.md", "guide/extension", "Extensions"],
    ["docs/MOVING.md", "guide/moving", "Moving in"],
    ["docs/HOSTING.md", "guide/hosting", "Hosting and privacy"],
    ["docs/ENDPOINTS.md", "guide/endpoints", "Search with a model"],
    ["docs/MODELS.md", "guide/models", "Builds with models"],
    ["docs/OPENVIKING.md", "guide/openviking", "OpenViking servers"],
    ["docs/OVPACK.md", "guide/ovpack", "Packs of OpenViking"],
    ["docs/RUST.md", "guide/rust", "Rust"],
  ]],
  ["Reference", [
    ["docs/site/reference/index.md", "reference/index", "All of it"],
    ["docs/OPTIONS.md", "reference/options", "Options"],
    ["docs/COMMAND.md", "reference/command", "The command line"],
    ["pkg/README.md", "reference/package", "The npm package"],
    ["crates/knarr-cli/python/README.md", "reference/python", "The Python package"],
    ["docs/PLATFORMS.md", "reference/platforms", "The native command line on npm"],
    ["docs/HYBRID.md", "reference/hybrid", "Hybrid"],
    ["docs/FORMAT.md", "reference/format", "The format"],
    ["CHANGELOG.md", "reference/changes", "Changes"],
  ]],
  ["Figures", [
    ["docs/site/figures/index.md", "figures/index", "In pictures"],
    ["docs/COMPARISON.md", "figures/comparison", "Comparison"],
    ["docs/SEARCHES.md", "figures/searches", "The same site, three searches"],
    ["docs/SPEED.md", "figures/speed", "Speed"],
    ["docs/QUALITY.md", "figures/quality", "Quality"],
    ["docs/MEASUREMENTS.md", "figures/measurements", "Measurements"],
    ["benches/README.md", "figures/benches", "The programs"],
  ]],
  ["The code", [
    ["ARCHITECTURE.md", "code/architecture", "Architecture"],
    ["docs/CONTRIBUTING.md", "code/contributing", "Working on it"],
  ]],
];

// A page of docs/ that nobody gave a place has one all the same, under its own title.
const placed = new Set(GROUPS.flatMap(([, pages]) => pages.map(([file]) => file)));
const folder = new URL("../", import.meta.url);
for (const name of readdirSync(folder).filter((name) => name.endsWith(".md") && !placed.has(`docs/${name}`))) {
  const [, title = name] = /^# (.*)/m.exec(readFileSync(new URL(name, folder), "utf8")) ?? [];
  GROUPS.find(([group]) => group === "Reference")[1].push([`docs/${name}`, `reference/${name.replace(/\.md$/, "").toLowerCase()}`, title]);
}

/** Pages by their files. */
export const PAGES = new Map(GROUPS.flatMap(([, pages]) => pages.map(([file, page]) => [file, page])));

/** Their names. */
export const NAMES = new Map(GROUPS.flatMap(([, pages]) => pages.map(([file, , name]) => [file, name])));

/** Pages of wide tables, which take the place of the outline. */
export const WIDE = new Set(["reference/options", "reference/command", "figures/quality", "figures/searches", "figures/speed", "figures/measurements", "code/architecture"]);
