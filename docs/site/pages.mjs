import { readdirSync, readFileSync } from "node:fs";

/** A page whose text is the site's own. */
const own = (page, ...name) => [`docs/site/${page}.md`, page, ...name];

/** The pages of the site, in the order of its sidebar: the file from the root of the repository, the page, its name there. */
export const GROUPS = [
  ["Start", [
    own("index"),
    own("start/index", "Choose a way in"),
    own("start/vitepress", "VitePress"),
    own("start/docusaurus", "Docusaurus"),
    own("start/starlight", "Starlight"),
    own("start/astro", "Astro"),
    own("start/eleventy", "Eleventy"),
    own("start/mkdocs", "MkDocs"),
    own("start/sphinx", "Sphinx"),
    own("start/mdbook", "mdBook"),
    own("start/rustdoc", "rustdoc"),
    own("start/hugo", "Hugo"),
    own("start/html", "A folder of pages"),
    own("start/vite", "An application (Vite)"),
    own("start/next", "Next.js"),
    own("start/sveltekit", "SvelteKit"),
    ["examples/extension/README.md", "start/extension", "A browser extension"],
    own("start/node", "A program (Node.js)"),
  ]],
  ["How it works", [
    own("concepts/index", "At a glance"),
    own("concepts/bundle", "Bundle and question"),
    own("concepts/ranking", "Words and meaning"),
    own("concepts/tree", "The tree"),
    ["docs/SITES.md", "concepts/sites", "How a site is read"],
    ["docs/ABSTRACTS.md", "concepts/abstracts", "Abstracts and overviews"],
    ["docs/LIMITS.md", "concepts/limits", "Limits"],
  ]],
  ["Guides", [
    own("guide/index", "All guides"),
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
    ["docs/EXPORT.md", "guide/export", "Vector databases"],
    ["docs/QDRANT.md", "guide/qdrant", "Qdrant in the page"],
    ["docs/RUST.md", "guide/rust", "Rust"],
  ]],
  ["Reference", [
    own("reference/index", "All of it"),
    ["docs/PAGES.md", "reference/pages", "Attributes and front matter"],
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
    own("figures/index", "In pictures"),
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
export const WIDE = new Set(["reference/options", "figures/quality", "figures/searches", "figures/speed", "figures/measurements", "code/architecture"]);
