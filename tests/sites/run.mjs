/**
 * `cargo xtask test sites`: the packed package in every toolchain of the matrix in docs/TOOLCHAINS.md.
 *
 * Each site is built twice, with the search and without it, opened in Chromium and searched; the element must be styled,
 * and ten elements of the page must look the same in both. `SITES` names some, separated by commas; all run without it.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { launch, openPage } from "../web/browser.mjs";
import { LARGE, prepare, SMALL } from "../web/bundles.mjs";
import { serve } from "../web/server.mjs";
import { HERE, install, isWanted, KNARR, MODULES, NODE22, program } from "./tools.mjs";

/** The one line of Rollup, esbuild and `bun build`, which leave `new URL(…, import.meta.url)` as it is. */
const copyAssets = (out) => {
  for (const name of readdirSync(`${KNARR}/dist`)) {
    if (/\.wasm$|worker\.js$/.test(name)) copyFileSync(`${KNARR}/dist/${name}`, `${out}/${name}`);
  }
};

/** What no bundler made: the page and its style. */
const copyPage = (root, out) => {
  copyFileSync(`${root}/index.html`, `${out}/index.html`);
  copyFileSync(`${HERE}site.css`, `${out}/site.css`);
};

/**
 * The sites. `build`: programs with their arguments, run in the site's folder, which leave the site in `out/`; `after`:
 * what follows; `folder` where it is not the name; `dev`: a server to open instead of the files, of the folder `root`, which
 * with `reloads` compiles what is imported later once somebody asks for it, and loads the page anew; `inside`: wants
 * packages in its own folder; `newer`: needs Node 22; `own`: the site's own output is indexed, and a result for "timeoutMs" followed from one page to
 * another, with `client` by the site's router.
 */
const SITES = [
  { name: "vite5", build: ["vite build"] },
  { name: "vite7", build: ["vite build"] },
  { name: "vite8", build: ["vite build"] },
  { name: "vite5 dev", folder: "vite5", dev: "vite --port" },
  { name: "vite7 dev", folder: "vite7", dev: "vite --port" },
  { name: "vite8 dev", folder: "vite8", dev: "vite --port" },
  { name: "webpack", build: ["node build.cjs"], after: copyPage },
  { name: "rsbuild", build: ["rsbuild build"] },
  { name: "rsbuild dev", folder: "rsbuild", dev: "rsbuild dev --port", reloads: true },
  { name: "rollup", build: ["rollup app.js --dir out --format es --plugin node-resolve"], after: copyPage, assets: true },
  { name: "esbuild", build: ["esbuild app.js --bundle --format=esm --outdir=out"], after: copyPage, assets: true },
  { name: "bun build", folder: "esbuild", build: ["bun build app.js --outdir out"], after: copyPage, assets: true },
  { name: "parcel", build: ["parcel build index.html --dist-dir out --no-cache --no-source-maps"] },
  { name: "next", build: ["next build"], own: { from: "/", to: "/guide/settings#timeout", client: true } },
  { name: "next webpack", folder: "next", build: ["next build --webpack"] },
  { name: "sveltekit", build: ["vite build"] },
  { name: "nuxt", build: ["nuxt generate"], newer: true },
  { name: "nuxt dev", folder: "nuxt", dev: "nuxt dev --port", newer: true },
  { name: "astro", build: ["astro build"], newer: true },
  { name: "astro dev", folder: "astro", dev: "astro dev --port", newer: true },
  { name: "angular", build: ["ng build"], inside: true, newer: true },
  { name: "angular dev", folder: "angular", dev: "ng serve --port", inside: true, newer: true },
  { name: "vitepress", build: ["vitepress build docs"], own: { from: "/", to: "/guide/settings#timeout", client: true } },
  { name: "vitepress dev", folder: "vitepress", dev: "vitepress dev docs --port", root: "docs" },
  { name: "docusaurus", build: ["docusaurus build --out-dir out"], own: { from: "/docs/intro", to: "/docs/guide/settings#timeout" } },
];

const ELEMENTS = ["h1", "p", "a", "code", "button", "input", "pre", "li", "blockquote", "td"];

prepare();
install();

function build(site, withSearch) {
  const root = `${HERE}${site.folder ?? site.name}`;
  for (const name of ["out", ".next", ".nuxt", ".svelte-kit", ".docusaurus", "dist"]) rmSync(`${root}/${name}`, { recursive: true, force: true });
  if (site.inside) cpSync(KNARR, `${root}/node_modules/knarr`, { recursive: true });
  if (withSearch) copyFileSync(`${HERE}search.js`, `${root}/search.gen.js`);
  else writeFileSync(`${root}/search.gen.js`, "export {};\n");
  for (const line of site.build ?? []) {
    const [name, args, options] = program(site, line);
    try {
      execFileSync(name, args, { ...options, stdio: "pipe", timeout: 600_000 });
    } catch (error) {
      throw new Error(`${site.name}: ${line}\n${error.stdout ?? ""}${error.stderr ?? error.message}`.slice(-4000));
    }
  }
  const out = `${root}/out`;
  site.after?.(root, out);
  if (site.assets && withSearch) copyAssets(out);
  const kept = `${HERE}out/${site.name.replace(" ", "-")}-${withSearch ? "with" : "without"}`;
  if (site.dev) return root;
  rmSync(kept, { recursive: true, force: true });
  cpSync(out, kept, { recursive: true });
  return kept;
}

/** A server of the built files, or the tool's own, with the bundle where the page looks for it. */
async function open(site, folder) {
  if (!site.dev) return serve({ "/": folder, "/search/": SMALL_FOLDER }, { policy: false });
  cpSync(SMALL_FOLDER, `${folder}/${site.root ?? "."}/public/search`, { recursive: true });
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const [name, args, options] = program(site, `${site.dev} ${port}`);
  const child = spawn(name, args, { ...options, stdio: "ignore", detached: true });
  const origin = `http://localhost:${port}`;
  for (let i = 0; i < 240; i++) {
    if (await fetch(origin).then(({ ok }) => ok, () => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return { origin, close: () => process.kill(-child.pid) }; // The server and what it started.
}

const SMALL_FOLDER = `${HERE}out/search`;
mkdirSync(SMALL_FOLDER, { recursive: true });
copyFileSync(SMALL, `${SMALL_FOLDER}/index.knarr`);

/** All computed styles of ten elements of the page. */
const styles = (page) =>
  page.evaluate((names) => names.map((name) => {
    const computed = getComputedStyle(document.querySelector(`main:has(blockquote) ${name}`));
    return Object.fromEntries(Array.from(computed, (property) => [property, computed.getPropertyValue(property)]));
  }), ELEMENTS);

async function visit(browser, site, withSearch, look) {
  const server = await open(site, build(site, withSearch));
  const page = await openPage(browser, `${server.origin}/`);
  try {
    return await look(page, site);
  } finally {
    await page.context().close();
    await server.close();
  }
}

/** Searches as a reader does, and returns how the page's own elements look. */
async function search(page, { reloads }) {
  const found = page.waitForFunction(() => document.documentElement.dataset.answer, undefined, { timeout: 60_000 });
  const answer = await found.then((handle) => handle.jsonValue(), (error) => `${error.message}; the page says: ${page.complaints.join("; ")}`);
  assert.equal(answer, "Mooring a boat 2");
  const before = await styles(page);
  const trigger = page.locator("knarr-search button.trigger");
  assert.equal(await trigger.evaluate((button) => getComputedStyle(button).borderTopLeftRadius), "12px", "the element is styled");
  for (let left = reloads ? 2 : 1; left > 0; left--) {
    const anew = left > 1 && page.waitForEvent("load");
    await trigger.click();
    await page.getByRole("combobox").fill("bowline");
    await (anew || page.getByRole("option").first().waitFor());
  }
  assert.match(await page.getByRole("option").first().textContent(), /Mooring a boat/);
  const dialog = page.locator("knarr-search dialog .panel");
  assert.notEqual(await dialog.evaluate((panel) => getComputedStyle(panel).borderTopLeftRadius), "0px", "the dialog is styled");
  assert.deepEqual(page.complaints, []);
  return before;
}

/** Indexes what the site's generator wrote, and follows a result: to the address of the site's navigation, at its section. */
async function follow(browser, site) {
  const folder = `${HERE}out/${site.name}-with`;
  const own = `${HERE}out/${site.name}-own`;
  execFileSync(process.env.KNARR_BIN ?? `${HERE}../../target/debug/knarr`, ["build", folder, "--out", own, "--quiet"]);
  const server = await serve({ "/": folder, "/search/": SMALL_FOLDER, "/own/": own }, { policy: false, clean: true });
  const page = await openPage(browser, `${server.origin}${site.own.from}`);
  try {
    await page.waitForFunction(() => document.documentElement.dataset.answer, undefined, { timeout: 60_000 });
    await page.evaluate(() => {
      const search = document.querySelector("knarr-search") ?? document.body.appendChild(document.createElement("knarr-search"));
      search.setAttribute("base", "/");
      search.setAttribute("from", "/own/");
      search.show();
    });
    await page.evaluate(() => (globalThis.stayed = true));
    await page.getByRole("combobox").fill("timeoutMs");
    await page.getByRole("option", { name: /^Timeout/ }).first().click();
    await page.waitForURL(`${server.origin}${site.own.to}`);
    const section = page.locator(new URL(page.url()).hash);
    await section.waitFor();
    assert.equal(await page.evaluate(() => globalThis.stayed ?? false), site.own.client ?? false, "the site's router has gone there");
    await page.waitForTimeout(1_000); // What hydration has to complain of, it says late.
    assert.ok(await section.evaluate((element) => element.getBoundingClientRect().top < innerHeight && scrollY > 0), "the section is in view");
    const linked = await page.evaluate(() => [...document.querySelectorAll("a[href]")].some(
      (link) => link.pathname === location.pathname && !link.closest("knarr-search") && link.hash === "",
    ));
    assert.ok(linked, "the site's own navigation has this address");
    assert.deepEqual(page.complaints, []);
  } finally {
    await page.context().close();
    await server.close();
  }
}

for (const site of SITES.filter(({ name }) => isWanted(name))) {
  test(site.name, async () => {
    const browser = await launch();
    try {
      const withSearch = await visit(browser, site, true, search);
      const without = await visit(browser, site, false, async (page) => {
        await page.waitForLoadState("networkidle");
        return styles(page);
      });
      for (const [i, name] of ELEMENTS.entries()) assert.deepEqual(withSearch[i], without[i], `${name} looks the same`);
      if (site.own) await follow(browser, site);
    } finally {
      await browser.close();
    }
  });
}

if (isWanted("astro plugin")) {
  test("astro plugin: the integration indexes the site and puts the field into its pages", async () => {
    const site = { name: "astro plugin", folder: "astro", build: ["astro build --config plugin.config.mjs"], newer: true };
    const server = await serve({ "/": build(site, false) }, { policy: false });
    const browser = await launch();
    try {
      const page = await openPage(browser, `${server.origin}/`);
      const title = await page.locator("h1").first().textContent();
      await page.locator("knarr-search button.trigger").click();
      await page.getByRole("combobox").fill(title);
      await page.getByRole("option").first().waitFor();
      assert.deepEqual(page.complaints, []);
    } finally {
      await browser.close();
      await server.close();
    }
  });
}

/** Deno's package asks for all platforms' programs; the one for Linux is enough. */
const BINARIES = {
  node: process.execPath, node22: `${NODE22}/node`, deno: `${MODULES}/@deno/linux-x64-glibc/deno`, bun: `${MODULES}/.bin/bun`,
};

for (const [name, ...before] of [["node"], ["node22"], ["deno", "run", "--allow-all"], ["bun", "run"]].filter(([name]) => isWanted(name))) {
  test(`${name} opens a bundle by its address, from disk and from bytes`, async () => {
    const server = await serve({ "/search/": LARGE }, { policy: false });
    try {
      const binary = BINARIES[name];
      const child = spawn(binary, [...before, "open.mjs", `${server.origin}/search/`, SMALL, LARGE], { cwd: `${HERE}runtime`, stdio: "pipe" });
      let told = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (told += data));
      const status = await new Promise((resolve) => child.on("close", resolve));
      assert.equal(status, 0, told);
      assert.match(told, /opened/);
    } finally {
      await server.close();
    }
  });
}

const run = (line, folder, env) => {
  const [name, args, options] = program({ name: folder }, line);
  try {
    return String(execFileSync(name, args, { ...options, env: { ...options.env, ...env }, stdio: "pipe" }));
  } catch (error) {
    throw new Error(`${line}\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
  }
};

if (isWanted("vitest")) test("vitest with jsdom", () => run("vitest run", "vitest", { KNARR_BUNDLE: SMALL }));
if (isWanted("jest")) test("jest with jsdom", () => run("jest", "jest", { KNARR_BUNDLE: SMALL, NODE_OPTIONS: "--experimental-vm-modules" }));
