/** The package through bundlers: what they make is served and searched. */

import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import * as vite from "vite";
import webpack from "webpack";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE, PACKAGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const OUT = fileURLToPath(new URL("out/bundlers", import.meta.url));
const HTML = `<!doctype html><html lang="en"><title>App</title><script type="module" src="./app.js"></script>
  <knarr-search src="/search/" base="/"></knarr-search></html>`;

/** An application with both engines at once: it searches and greps, and says in its title how that went. */
const app = (imports = "", options = "") => `
  import { Knarr } from "knarr";
  import "knarr/element";
  ${imports}
  const knarr = await Knarr.open("/search/", { ${options} });
  const { resources } = await knarr.find("bowline");
  const { count } = await knarr.grep("viking://resources/harbour", "bowline");
  document.title = resources[0].title + " " + count;
`;

/** What stays beside the scripts of bundlers that leave `new URL(…, import.meta.url)` as it is: the README's one line. */
const copyAssets = (out) => {
  for (const file of readdirSync(DIST)) {
    if (/\.wasm$|worker\.js$/.test(file)) copyFileSync(`${DIST}/${file}`, `${out}/${file}`);
  }
};

let browser;

before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  // Installed as npm would, without a registry: what the package's exports name is what bundlers see.
  mkdirSync(`${OUT}/node_modules/knarr`, { recursive: true });
  cpSync(DIST, `${OUT}/node_modules/knarr/dist`, { recursive: true });
  for (const file of ["package.json", "core.js", "direct.js", "element.js", "qdrant.js", "remote.js"]) {
    copyFileSync(`${PACKAGE}/${file}`, `${OUT}/node_modules/knarr/${file}`);
  }
  browser = await launch();
});

after(() => browser?.close());

async function searches(folder) {
  const server = await serve({ "/": folder, "/search/": LARGE });
  const page = await openPage(browser, `${server.origin}/`);
  try {
    await page.waitForFunction(() => document.title !== "App", undefined, { timeout: 30_000 });
    assert.equal(await page.title(), "Mooring a boat 2");
    const trigger = page.locator("button.trigger");
    assert.equal(await trigger.evaluate((button) => getComputedStyle(button).borderTopLeftRadius), "12px");
    await trigger.click();
    await page.getByRole("combobox").fill("bowline");
    assert.match(await page.getByRole("option").first().textContent(), /Mooring a boat/);
    assert.deepEqual(page.complaints, []);
    return server.requests.map(({ path }) => path);
  } finally {
    await page.context().close();
    await server.close();
  }
}

function source(name, code) {
  const root = `${OUT}/${name}`;
  mkdirSync(root, { recursive: true });
  writeFileSync(`${root}/index.html`, HTML);
  writeFileSync(`${root}/app.js`, code);
  return root;
}

test("vite builds it with no configuration, worker and modules included", async () => {
  const root = source("vite", app("", "worker: true"));
  await vite.build({ root, logLevel: "error", build: { outDir: "dist", modulePreload: { polyfill: false } } });
  const paths = await searches(`${root}/dist`);
  assert.ok(paths.some((path) => /worker.*\.js$/.test(path)), "the worker is a file of its own");
});

test("webpack builds it with no configuration, both engines' workers included", async () => {
  const root = source("webpack", app("", "worker: true"));
  const compiler = webpack({
    mode: "production", context: root, entry: { app: "./app.js" }, output: { path: `${root}/dist`, publicPath: "/" },
    performance: { hints: false }, optimization: { minimize: false },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  assert.equal(stats.toString({ all: false, errors: true, warnings: true }), "");
  copyFileSync(`${root}/index.html`, `${root}/dist/index.html`);
  const paths = await searches(`${root}/dist`);
  const modules = new Set(paths.filter((path) => path.endsWith(".wasm")));
  assert.equal(modules.size, 3, "two engines, and grep's module");
});

test("rollup builds it with the assets beside it", async () => {
  const root = source("rollup", app("", "worker: true"));
  const built = await rollup({ input: `${root}/app.js`, plugins: [nodeResolve()], logLevel: "silent" });
  await built.write({ dir: `${root}/dist`, format: "es" });
  await built.close();
  copyAssets(`${root}/dist`);
  copyFileSync(`${root}/index.html`, `${root}/dist/index.html`);
  await searches(`${root}/dist`);
});

test("esbuild builds it with the assets beside it, and with the worker as a second entry", async () => {
  for (const [name, options, entryPoints] of [
    ["esbuild", "worker: true", {}],
    ["esbuild-entry", 'worker: () => new Worker("/own.js", { type: "module" })', { own: "knarr/worker" }],
  ]) {
    const root = source(name, app("", options));
    await esbuild.build({
      entryPoints: { app: `${root}/app.js`, ...entryPoints },
      absWorkingDir: root, outdir: "dist", bundle: true, format: "esm", splitting: true, minify: true, logLevel: "error",
    });
    copyAssets(`${root}/dist`);
    copyFileSync(`${root}/index.html`, `${root}/dist/index.html`);
    await searches(`${root}/dist`);
  }
});

test("esbuild builds it without a worker, the modules imported as files", async () => {
  const root = source(
    "esbuild-direct",
    app(
      'import full from "knarr/knarr_full_bg.wasm"; import patterns from "knarr/knarr_patterns_bg.wasm";',
      "worker: false, wasmUrl: full, patternsWasmUrl: patterns",
    ),
  );
  await esbuild.build({
    entryPoints: [`${root}/app.js`], absWorkingDir: root, outdir: "dist", bundle: true, format: "esm", loader: { ".wasm": "file" },
    publicPath: "/", logLevel: "error",
  });
  copyAssets(`${root}/dist`); // The element's engine; the application's own was imported.
  copyFileSync(`${root}/index.html`, `${root}/dist/index.html`);
  await searches(`${root}/dist`);
});

test("esbuild's default, a classic script, is told what it lacks, and works with the places named", async () => {
  const say = (options) => `
    import { Knarr } from "knarr";
    import "knarr/element";
    import full from "knarr/knarr_full_bg.wasm";
    Knarr.open("/search/", { ${options} }).then((knarr) => knarr.find("bowline")).then(
      ({ resources }) => (document.title = resources[0].title),
      ({ name, code, message }) => (document.title = [name, code, message].join(" ")),
    );
  `;
  const lacks = /KnarrError (FAILED_PRECONDITION|UNAVAILABLE) .*bundled as a classic script: bundle it as a module \(esbuild: --format=esm/;
  for (const [name, options, told, warnings] of [
    ["none", "", lacks, 1],
    ["asked", "worker: true", lacks, 0],
    ["here", "worker: false", lacks, 0],
    ["named", 'worker: () => new Worker("/worker.js", { type: "module" })', /^Mooring a boat$/, 0],
    ["module", "worker: false, wasmUrl: full", /^Mooring a boat$/, 0],
  ]) {
    const root = source(`esbuild-classic-${name}`, say(options));
    await esbuild.build({ entryPoints: [`${root}/app.js`], absWorkingDir: root, outdir: "dist", bundle: true, loader: { ".wasm": "file" }, publicPath: "/", logLevel: "error" });
    copyAssets(`${root}/dist`);
    writeFileSync(`${root}/dist/index.html`, HTML.replace('type="module"', "defer"));
    const server = await serve({ "/": `${root}/dist`, "/search/": LARGE });
    const page = await openPage(browser, "about:blank");
    const warned = [];
    page.on("console", (message) => message.type() === "warning" && warned.push(message.text()));
    try {
      await page.goto(`${server.origin}/`);
      await page.waitForFunction(() => document.title !== "App", undefined, { timeout: 30_000 });
      assert.match(await page.title(), told, name);
      assert.equal(warned.length, warnings, `${name}: ${warned}`);
      await page.locator("button.trigger").click();
      await page.getByRole("combobox").fill("bowline");
      const details = page.locator("details p");
      await details.waitFor();
      assert.match(await details.textContent(), /bundled as a classic script/, "the element's owner is told, too");
    } finally {
      await page.context().close();
      await server.close();
    }
  }
});
