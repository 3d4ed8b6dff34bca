/**
 * The plugins of the package, without the generators that are large: what each is told by its generator, and what it does
 * then. tests/sites has the generators.
 */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compile as compileSvelte } from "svelte/compiler";
import { build as buildVite } from "vite";
import { compileTemplate, parse } from "vue/compiler-sfc";
import { launch, openPage } from "./browser.mjs";
import { PACKAGE, VARIANTS_SITE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));

const ENTRY = join(PACKAGE, "bin/knarr.mjs");
const plugin = async (name) => (await import(pathToFileURL(join(PACKAGE, `plugins/${name}.mjs`)).href)).default;

/** A copy of the site of two languages and two versions, before anybody put a search into it. */
function siteAt(name) {
  const folder = join(scratch, name);
  cpSync(VARIANTS_SITE, folder, { recursive: true });
  for (const file of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html"))) {
    const page = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), page.replace(/<script.*?<\/script>|<knarr-search.*?<\/knarr-search>/g, ""));
  }
  return folder;
}

/** Addresses that a bundle finds, the best first. */
async function found(bundle, query, options) {
  const { Knarr } = await import(pathToFileURL(join(PACKAGE, "dist/direct.js")).href);
  const knarr = await Knarr.open(pathToFileURL(bundle));
  const { resources } = await knarr.find(query, options);
  knarr.close();
  return resources.map(({ url }) => url);
}

/** Opens a page of a served folder, asks, and goes where the first row leads. */
async function follow(folder, start, query, target) {
  const server = await serve({ "/docs/": folder }, { policy: false, clean: true });
  const browser = await launch();
  try {
    const page = await openPage(browser, `${server.origin}/docs/${start}`);
    await page.locator("button.trigger").locator("visible=true").click();
    await page.locator("knarr-search").getByRole("combobox").fill(query);
    await page.locator("knarr-search").getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(target);
    assert.deepEqual(page.complaints, []);
  } finally {
    await browser.close();
    await server.close();
  }
}

let scratch;
before(() => (scratch = mkdtempSync(join(tmpdir(), "knarr-plugins-"))));
after(() => rmSync(scratch, { recursive: true, force: true }));

test("eleventy: one line, and every page searches, below a path prefix", async () => {
  const put = (name, text) => {
    mkdirSync(join(scratch, name, ".."), { recursive: true });
    writeFileSync(join(scratch, name), text);
  };
  put("src/_includes/page.html", "<!doctype html><html lang=en><head><title>{{ title }}</title></head><body><header>Harbour</header><main>{{ content }}</main></body></html>");
  for (const [name, title, text] of [
    ["index", "Harbour", "How to come in."],
    ["guide/mooring", "Mooring a boat", "Make the loop with a bowline around the bollard."],
    ["guide/weather", "Reading the weather", "A barometer that falls announces wind."],
    ["drafts/anchor", "Anchoring", "A bowline at the ring."],
  ]) put(`src/${name}.md`, `---\nlayout: page.html\ntitle: ${title}\n---\n# ${title}\n\n${text}\n`);
  put("src/404.md", "---\nlayout: page.html\ntitle: Lost\npermalink: 404.html\n---\n# Lost\n");
  put("eleventy.config.mjs", `
    import knarr from ${JSON.stringify(pathToFileURL(join(PACKAGE, "plugins/eleventy.mjs")).href)};
    export default function (config) {
      config.addPlugin(knarr, { exclude: ["drafts/**"] });
      return { dir: { input: "src", output: "out" }, pathPrefix: "/docs/" };
    }`);
  const build = (...args) => execFileSync(process.execPath, [join(HERE, "node_modules/@11ty/eleventy/cmd.cjs"), "--quiet", ...args], { cwd: scratch, encoding: "utf8" });
  assert.doesNotMatch(build("--dryrun"), /\[knarr\]/);
  assert.equal(JSON.parse(build("--to=json")).length, 5);
  assert.ok(!existsSync(join(scratch, "out")), "nothing was written, so there is nothing to search");
  assert.match(build(), /\[knarr\] 3 pages indexed, the search field put into 5/);
  assert.match(build(), /\[knarr\] 3 pages indexed, the search field put into 5/, "Eleventy writes its pages anew");
  assert.match(readFileSync(join(scratch, "out/guide/mooring/index.html"), "utf8"), /<header>Harbour<knarr-search src="\.\.\/\.\.\/knarr\/search\/"/);
  assert.match(readFileSync(join(scratch, "out/404.html"), "utf8"), /<knarr-search src="\/docs\/knarr\/search\/" base="\/docs\/"/);
  await follow(join(scratch, "out"), "guide/weather/index.html", "bowline", /\/docs\/guide\/mooring\//);
});

test("add: one command for a folder of pages", async () => {
  const site = siteAt("added");
  const add = (...args) => spawnSync(process.execPath, [ENTRY, "add", ...args], { encoding: "utf8" });
  const { status, stdout, stderr } = add(site, "--exclude", "blog/**");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /7 pages have the search field now\nTo see it: npx http-server .*added \(.*opened from disk\)\n$/);
  assert.match(add(site, "--exclude", "blog/**").stdout, /7 pages have the search field already\n/, "a second time");
  assert.ok(!(await found(join(site, "knarr/search"), "news harbour")).some((url) => url.startsWith("blog/")));
  assert.equal(add(site, "--quiet").stdout, "", "quiet is quiet, and a second time changes nothing");
  await follow(site, "index.html", "timeoutMs", /\/docs\/guide\/settings\//);

  assert.match(add("--help").stdout, /Usage: knarr add <SITE>/);
  const refused = (args, code, exit) => {
    const { status, stderr } = add(...args);
    assert.match(stderr, new RegExp(`^error\\[${code}\\]: `));
    assert.equal(status, exit);
  };
  const other = siteAt("added-answers");
  assert.equal(add(other, "--answers", "--attribute", "facets=kind, \"part\"", "--attribute=related", "--quiet").status, 0);
  assert.match(readFileSync(join(other, "guide/settings/index.html"), "utf8"), /<knarr-search [^>]* answer facets="kind, &#34;part&#34;" related>/);
  assert.ok(existsSync(join(other, "knarr/index.js")) && !existsSync(join(site, "knarr/index.js")));
  refused([], "INVALID_ARGUMENT", 2);
  refused(["--quiet", site], "INVALID_ARGUMENT", 2);
  refused([join(scratch, "nowhere")], "NOT_FOUND", 1);
  refused([site, "--frobnicate"], "INVALID_ARGUMENT", 2);
  for (const wrong of [["--attribute"], ["--attribute", "src=/x/"], ["--attribute", "on click"], ["--attribute=onclick ="]]) refused([site, ...wrong], "INVALID_ARGUMENT", 2);
});

// As React does it: what stands in the page that it did not write is removed, and places are drawn anew.
const FRAMEWORK = `<script type="module">
  const root = document.getElementById("__next");
  const draw = () => {
    const header = document.createElement("header");
    header.innerHTML = "<div class='blur' style='position:absolute;height:40px'></div><nav style='display:flex'><a href='/docs/'>Harbour</a></nav>";
    Object.defineProperty(header, "__reactFiber$x", { value: {} });
    root.replaceChildren(header);
  };
  globalThis.draw = draw;
  document.addEventListener("keydown", (event) => { if (event.ctrlKey && event.key === "k") globalThis.own = true; });
  if (root.textContent.includes("knarr")) console.error("hydration: what is this?");
  addEventListener("load", () => setTimeout(draw, 200));
</script>`;

test("add: where a framework makes the page its own, the field comes after it, and stays", async () => {
  const site = join(scratch, "hydrated");
  const body = (text) => `<div id="__next"><header><nav>Harbour</nav></header><main>${text}</main></div>${FRAMEWORK}`;
  mkdirSync(join(site, "guide"), { recursive: true });
  for (const [name, text] of [["index", "How to come in."], ["guide/mooring", "Make the loop with a bowline."], ["guide/weather", "Wind and rain."]]) {
    writeFileSync(join(site, `${name}.html`), `<!doctype html><html lang="en"><head><title>${name}</title></head><body>${body(`<h1>${name}</h1><p>${text}</p>`)}</body></html>`);
  }
  const placeholder = "Häfen 🛶 </script>";
  const add = () => execFileSync(process.execPath, [ENTRY, "add", site, `--attribute=placeholder=${placeholder}`], { encoding: "utf8" });
  assert.match(add(), /3 pages have the search field now\n/);
  assert.match(add(), /3 pages have the search field already\n/);
  const server = await serve({ "/docs/": site }, { policy: false });
  const browser = await launch();
  try {
    const page = await openPage(browser, `${server.origin}/docs/guide/weather.html`);
    const field = page.locator("#__next header > nav > knarr-search");
    await field.waitFor();
    assert.equal(await field.getAttribute("placeholder"), placeholder);
    // By the framework's router: the address is another, and the header is drawn anew.
    await page.evaluate(() => (history.pushState({}, "", "/docs/"), globalThis.draw()));
    await field.waitFor();
    await page.keyboard.press("Control+k");
    await field.getByRole("combobox").fill("bowline");
    await field.getByRole("option").first().waitFor();
    assert.equal(await page.evaluate(() => globalThis.own), undefined, "the site's own search is not opened besides");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/guide\/mooring\.html/);
    assert.deepEqual(page.complaints, []);
  } finally {
    await browser.close();
    await server.close();
  }
});

// As themes write them: a bar of flexible boxes, one of floats, a header that wide windows hide, the header of an article
// alone, a bar that stands over what comes first, a column at the side,
// a page that something stands over until it is read, and a page without any.
const BARS = {
  flexible: ["<header><nav class=row><a href=./>Harbour</a><ul class=row><li>Docs</li><li>Log</li></ul></nav></header>", ".row{display:flex;justify-content:space-between;align-items:center;margin:0}.row .row{gap:1rem}nav{max-width:1000px;margin:auto;height:60px}", "header > nav"],
  floats: ["<header class=site><div class=box><a class=left href=./>Harbour</a><nav class=links><a href=./>Docs</a></nav></div></header>", ".box{max-width:900px;margin:auto;height:56px;line-height:56px}.left{float:left}.links{float:right}", ".box"],
  hidden: ["<main><aside>Menu</aside><header class=narrow>Harbour</header><p>Text</p></main>", ".narrow{display:none}aside{float:left}", "body"],
  article: ["<main><article><header><h1>Weather</h1></header><p>Text</p></article></main>", "", "body"],
  covered: ["<header><nav class=bar><a href=./>Harbour</a></nav></header><p>Text</p>", ".bar{position:fixed;display:grid;inset:0 0 auto;height:60px;background:#fff}body{margin:0}", "body"],
  column: ["<header class=side><a href=./>Harbour</a></header><main><p>Text</p></main>", ".side{float:left;width:220px;height:500px}", ".side"],
  veiled: ["<div class=veil></div><nav class=navbar><div class=row><a href=./>Harbour</a><a href=./>Docs</a></div></nav><p>Text</p>", ".veil{position:fixed;inset:0;z-index:9;pointer-events:auto}.row{display:flex;height:56px}", "nav > .row"],
  none: ["<main><p>Text</p></main>", "", "body"],
};

test("add: on themes that it does not know, the field is in the bar, or where it is seen", async () => {
  const site = join(scratch, "bars");
  mkdirSync(join(site, "guide"), { recursive: true });
  for (const [name, [body, style]] of Object.entries(BARS)) {
    writeFileSync(join(site, `guide/${name}.html`), `<!doctype html><html lang="en"><head><title>${name}</title><style>${style}</style></head><body>${body}</body></html>`);
  }
  assert.equal(spawnSync(process.execPath, [ENTRY, "add", site, "--quiet"]).status, 0);
  const server = await serve({ "/docs/": site }, { policy: false });
  const browser = await launch();
  try {
    for (const [name, [, , parent]] of Object.entries(BARS)) {
      const page = await openPage(browser, `${server.origin}/docs/guide/${name}.html`);
      for (const width of [1200, 390]) {
        await page.setViewportSize({ width, height: 700 });
        await page.reload();
        await page.locator("knarr-search button.trigger").waitFor();
        const seen = await page.evaluate(() => {
          const field = document.querySelector("knarr-search");
          const { left, right, top, width, height } = field.getBoundingClientRect();
          document.querySelector(".veil")?.remove();
          const isSeen = document.elementFromPoint(left + width / 2, top + height / 2) === field && left >= 0 && right <= innerWidth;
          return [isSeen, top < 60 && height >= 44, document.documentElement.scrollWidth <= innerWidth];
        });
        assert.deepEqual(seen, [true, true, true], `${name}, ${width}`);
        if (width > 480) assert.equal(await page.locator(`${parent} > knarr-search`).count(), 1, name);
      }
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
});

test("rustdoc: the field is above the heading, and rustdoc's own search stays", async () => {
  const crate = join(scratch, "crate");
  mkdirSync(crate);
  writeFileSync(join(crate, "lib.rs"), "//! Boats.\n\n/// Makes the boat fast with a bowline.\npub fn moor() {}\n\n/// Weighs the anchor.\npub fn weigh() {}\n");
  execFileSync("rustdoc", ["lib.rs", "--crate-name", "harbour", "--edition", "2024", "--out-dir", "doc"], { cwd: crate });
  execFileSync(process.execPath, [ENTRY, "add", "doc", "--quiet"], { cwd: crate });
  assert.match(readFileSync(join(crate, "doc/harbour/fn.moor.html"), "utf8"), /<\/knarr-search><section id="main-content"/);
  await follow(join(crate, "doc"), "harbour/fn.weigh.html", "bowline", /\/docs\/harbour\/fn\.moor\.html/);
});

// mdbook.json is what mdBook 0.5.4 wrote.
test("mdbook: a renderer beside the pages', told on standard input", async () => {
  const book = join(scratch, "book");
  mkdirSync(join(book, "book/html"), { recursive: true });
  mkdirSync(join(book, "book/knarr"));
  const page = (title, text) => `<!doctype html><html lang="en"><head><title>${title} - Harbour</title></head><body><div class="right-buttons">
    <a href="print.html">Print</a></div><main><h1>${title}</h1><p>${text}</p></main><script src="searcher-c2a407aa.js"></script><script src="book.js"></script></body></html>`;
  writeFileSync(join(book, "book/html/index.html"), page("Weather", "A barometer that falls announces wind."));
  writeFileSync(join(book, "book/html/mooring.html"), page("Mooring", "A bowline around the bollard."));
  writeFileSync(join(book, "book/html/book.js"), "");
  const told = JSON.parse(readFileSync(join(HERE, "mdbook.json"), "utf8"));
  const render = (input) => spawnSync(process.execPath, [ENTRY, "mdbook"], { input, encoding: "utf8", cwd: join(book, "book/knarr") });
  const at = (destination) => JSON.stringify({ ...told, root: book, destination });
  const { status, stdout, stderr } = render(at(join(book, "book/knarr")));
  assert.equal(status, 0, stderr);
  assert.match(stdout, /2 pages indexed, the search field put into 2/);
  const text = readFileSync(join(book, "book/html/mooring.html"), "utf8");
  assert.match(text, /<div class="right-buttons">\s*<knarr-search .*<\/knarr-search><a href/);
  assert.ok(!text.includes("searcher") && text.includes("book.js"), "the book's own search would take the keys");
  await follow(join(book, "book/html"), "index.html", "bowline", /\/docs\/mooring\.html/);

  for (const [input, message] of [["", /standard input/], ["{}", /no folder/], [at(join(scratch, "other/knarr")), /\[output\.html\]/]]) {
    const refused = render(input);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^error\[(INVALID_ARGUMENT|NOT_FOUND)\]: /);
    assert.match(refused.stderr, message);
  }
});

test("docusaurus: each language is indexed as a site of its own, and the pages stay as they are", async () => {
  const knarr = await plugin("docusaurus");
  const site = siteAt("docusaurus");
  const i18n = { defaultLocale: "en", currentLocale: "en", locales: ["en", "de"], localeConfigs: {} };
  const { postBuild, injectHtmlTags, contentLoaded, configureWebpack, getThemePath } = knarr({ baseUrl: "/docs/", outDir: site, i18n }, { id: "default", exclude: "blog/**" });
  assert.equal(injectHtmlTags().headTags[0].attributes.src, "/docs/knarr/knarr-search.js");
  contentLoaded({ actions: { setGlobalData: (data) => assert.deepEqual(data, { bundle: "/docs/knarr/search/", base: "/docs/", attributes: {} }) } });
  assert.ok(existsSync(join(getThemePath(), "SearchBar/index.js")));
  assert.deepEqual(configureWebpack({}, true), {});
  assert.ok(configureWebpack({}, false).devServer.static.every(({ publicPath }) => publicPath.startsWith("/docs/knarr/")));
  const before = readFileSync(join(site, "index.html"), "utf8");
  await postBuild({ outDir: site });
  assert.equal(readFileSync(join(site, "index.html"), "utf8"), before);
  const urls = await found(join(site, "knarr/search"), "timeoutMs", { lang: "*", version: "2.0" });
  assert.equal(urls[0], "guide/settings/");
  assert.ok(!urls.some((url) => /^(de|blog)\//.test(url)), urls.join());

  assert.ok(!existsSync(join(site, "knarr/index.js")));
  const answers = knarr({ baseUrl: "/docs/", outDir: site, i18n }, { answers: true });
  answers.contentLoaded({ actions: { setGlobalData: (data) => assert.deepEqual(data.attributes, { answer: "" }) } });
  await answers.postBuild({ outDir: site });
  assert.ok(existsSync(join(site, "knarr/index.js")));

  const german = knarr({ baseUrl: "/docs/de/", outDir: join(site, "de"), i18n: { ...i18n, currentLocale: "de" } });
  await german.postBuild({ outDir: join(site, "de") });
  assert.equal((await found(join(site, "de/knarr/search"), "timeoutMs"))[0], "guide/settings/");
});

test("starlight: its own search is off, and the index is made after the pages", async () => {
  const knarr = await plugin("starlight");
  const site = siteAt("starlight");
  const told = {};
  const { hooks } = knarr({ exclude: "blog/**" });
  hooks["config:setup"]({
    config: { components: { Header: "./Header.astro" } },
    updateConfig: (config) => Object.assign(told, config),
    addIntegration: (integration) => Object.assign(told, { integration }),
  });
  assert.equal(told.pagefind, false);
  assert.deepEqual(told.components, { Header: "./Header.astro", Search: "knarr/starlight/Search.astro" });
  const after = told.integration.hooks;
  after["astro:config:done"]({ config: { base: "/docs", outDir: pathToFileURL(`${site}/`) } });
  const defined = (options) => {
    let told;
    const plugin = knarr(options);
    plugin.hooks["config:setup"]({ config: {}, updateConfig: () => {}, addIntegration: ({ hooks }) => hooks["astro:config:setup"]({ updateConfig: (config) => (told = config.vite.define) }) });
    return told;
  };
  assert.deepEqual([defined(), defined({ answers: true, attributes: { facets: "kind", related: false } })], [{ __KNARR_ATTRIBUTES__: "{}" }, { __KNARR_ATTRIBUTES__: '{"answer":"","facets":"kind"}' }]);
  const lines = [];
  await after["astro:build:done"]({ dir: pathToFileURL(`${site}/`), logger: { info: (line) => lines.push(line) } });
  assert.match(lines.join(), /^\d pages indexed$/);
  assert.equal((await found(join(site, "knarr/search"), "timeoutMs"))[0], "guide/settings/");
});

test("astro: the page for what is not there names the site's root", async () => {
  const site = siteAt("astro");
  writeFileSync(join(site, "404.html"), "<html lang=en><head><title>Lost</title></head><body><header></header><h1>Lost</h1></body></html>");
  const { hooks } = (await plugin("astro"))();
  hooks["astro:config:done"]({ config: { base: "/docs" } });
  await hooks["astro:build:done"]({ dir: pathToFileURL(`${site}/`), logger: { info() {} } });
  assert.match(readFileSync(join(site, "404.html"), "utf8"), /<knarr-search src="\/docs\/knarr\/search\/" base="\/docs\/">/);
  assert.match(readFileSync(join(site, "guide/settings/index.html"), "utf8"), /<knarr-search src="\.\.\/\.\.\/knarr\/search\/"/);
});

test("astro: a site without a page that was written at build is told why it has no index", async () => {
  const site = join(scratch, "astro-server");
  mkdirSync(join(site, "_astro"), { recursive: true });
  const { hooks } = (await plugin("astro"))();
  hooks["astro:config:done"]({ config: { base: "/" } });
  const built = hooks["astro:build:done"]({ dir: pathToFileURL(`${site}/`), logger: { info() {} } });
  await assert.rejects(built, { name: "KnarrError", code: "FAILED_PRECONDITION", message: /^nothing to index in .*export const prerender = true/ });
});

test("vitepress: addresses are spelled as the site's own, and one page is one", async () => {
  const site = join(scratch, "vitepress-clean");
  mkdirSync(site);
  writeFileSync(join(site, "tea.html"), "<html lang=en><title>Tea</title><body><main><h1>Tea</h1><p>Tea grows.");
  for (const [cleanUrls, address] of [[true, "tea"], [false, "tea.html"]]) {
    const lines = [];
    const vitepress = { outDir: site, cleanUrls, site: { base: "/", head: [] }, logger: { info: (line) => lines.push(line), warn() {} } };
    (await plugin("vitepress"))().configResolved({ vitepress });
    await vitepress.buildEnd();
    assert.deepEqual(lines, ["[knarr] 1 page indexed"]);
    assert.deepEqual(await found(join(site, "knarr/search"), "tea"), [address]);
  }
});

test("vitepress: the theme's search is replaced in what Vite builds, and the index is made once", async () => {
  const knarr = await plugin("vitepress");
  const root = join(scratch, "vitepress");
  mkdirSync(root);
  for (const [name, text] of Object.entries({
    "index.html": `<script type="module" src="./main.js"></script>`,
    "main.js": `import Search from "./VPNavBarSearch.vue"; globalThis.field = Search.setup()();`,
    "vitepress.js": `export const useData = () => ({ lang: { value: "de" } });`,
    "vue.js": `export const h = (...all) => all;`,
  })) writeFileSync(join(root, name), text);
  const lines = [];
  const site = siteAt("vitepress-out");
  let ended = 0;
  const vitepress = {
    configPath: join(root, "main.js"), outDir: site, site: { base: "/docs/", head: [] }, buildEnd: () => ended++,
    logger: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
  };
  const search = knarr({ exclude: ["blog/**"] });
  // Twice, as VitePress does for the browser and for the server.
  for (const outDir of ["client", "server"]) {
    const alias = { vue: join(root, "vue.js"), vitepress: join(root, "vitepress.js") };
    await buildVite({ root, configFile: false, logLevel: "error", resolve: { alias }, plugins: [search], build: { outDir, minify: false, modulePreload: { polyfill: false } }, vitepress });
  }
  assert.deepEqual(vitepress.site.head.map(([tag]) => tag), ["script", "style"]);
  assert.equal(vitepress.site.head[0][1].src, "/docs/knarr/knarr-search.js");
  const [chunk] = readdirSync(join(root, "client/assets"));
  await import(pathToFileURL(join(root, "client/assets", chunk)).href);
  assert.deepEqual(globalThis.field[2], [["knarr-search", { from: "/docs/knarr/search/", base: "/docs/", lang: "de" }]]);
  await vitepress.buildEnd(vitepress);
  assert.equal(ended, 1, "the site's own hook runs too");
  assert.match(lines.join(), /^\[knarr\] \d pages indexed$/);
  assert.equal((await found(join(site, "knarr/search"), "timeoutMs"))[0], "guide/settings/");
  await assert.rejects(buildVite({ root, configFile: false, logLevel: "silent", plugins: [knarr()] }), /knarr\/vitepress is a plugin for VitePress/);

  // A theme that has no such component is told what to write.
  const bare = { ...vitepress, site: { base: "/", head: [] }, buildEnd: undefined };
  const answers = knarr({ answers: true });
  answers.configResolved({ vitepress: bare });
  assert.match(answers.load("\0knarr-field"), /lang: lang\.value, \.\.\.\{"answer":""\} \}/);
  bare.site.head.length = 0;
  knarr().configResolved({ vitepress: bare });
  await bare.buildEnd(bare);
  assert.match(lines.at(-1), /put <knarr-search from="\/knarr\/search\/" base="\/"><\/knarr-search> into its layout/);
});

test("a development server has the element's files and the last build's index, and nothing else", async () => {
  const { serveSearch } = await import(pathToFileURL(join(PACKAGE, "plugins/dev.mjs")).href);
  const built = join(scratch, "built");
  mkdirSync(join(built, "search"), { recursive: true });
  writeFileSync(join(built, "search/index.knarr"), "index");
  writeFileSync(join(built, "secret"), "secret");
  let answer = serveSearch("/docs/knarr/", built);
  const server = createServer((request, response) => answer(request, response, () => response.writeHead(204).end()));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ask = async (path) => {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  try {
    const [status, type, script] = await ask("/docs/knarr/knarr-search.js");
    assert.deepEqual([status, type], [200, "text/javascript"]);
    assert.match(script, /knarr-search/);
    assert.deepEqual((await ask("/docs/knarr/knarr_core_first.wasm")).slice(0, 2), [200, "application/wasm"]);
    assert.deepEqual(await ask("/docs/knarr/search/index.knarr?0-9"), [200, "application/octet-stream", "index"]);
    for (const path of ["search/", "search/a.pack", "search/..%2fsecret", "search/.hidden", "secret", "knarr_full_bg.wasm", "package.json", ""]) {
      assert.equal((await ask(`/docs/knarr/${path}`))[0], 404, path);
    }
    assert.equal((await ask("/docs/guide/"))[0], 204, "the site's own");
    answer = serveSearch("/docs/knarr/", built, { answers: true });
    assert.equal((await ask("/docs/knarr/knarr_full_bg.wasm"))[0], 200);
  } finally {
    server.close();
  }
});

test("the components of docs/GENERATORS.md compile", () => {
  const page = readFileSync(join(HERE, "../../docs/GENERATORS.md"), "utf8");
  const block = (language) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(page)[1];
  const { descriptor, errors } = parse(block("vue"));
  assert.deepEqual(errors, []);
  const compilerOptions = { isCustomElement: (tag) => tag === "knarr-search" };
  const { code, errors: wrong } = compileTemplate({ source: descriptor.template.content, filename: "Search.vue", id: "x", compilerOptions });
  assert.deepEqual(wrong, []);
  assert.match(code, /"knarr-search"/);
  assert.match(compileSvelte(block("svelte"), { generate: "client" }).js.code, /knarr-search/);
});
