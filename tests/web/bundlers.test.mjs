/** The package through bundlers: what they make is served and searched. */

import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import * as esbuild from "esbuild";
import * as vite from "vite";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE, PACKAGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const OUT = fileURLToPath(new URL("out/bundlers", import.meta.url));
const HTML = '<!doctype html><html lang="en"><title>App</title><script type="module" src="./app.js"></script></html>';

/** An application that searches and greps, and says in its title how that went. */
const app = (imports, options) => `
  import { Knarr } from "knarr";
  ${imports}
  const knarr = await Knarr.open("/search/", { ${options} });
  const { resources } = await knarr.find("bowline");
  const { count } = await knarr.grep("viking://resources/harbour", "bowline");
  document.title = resources[0].title + " " + count;
`;

let browser;

before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  // Installed as npm would, without a registry: what the package's exports name is what bundlers see.
  mkdirSync(`${OUT}/node_modules/knarr`, { recursive: true });
  cpSync(DIST, `${OUT}/node_modules/knarr/dist`, { recursive: true });
  copyFileSync(`${PACKAGE}/package.json`, `${OUT}/node_modules/knarr/package.json`);
  browser = await launch();
});

after(() => browser?.close());

async function searches(folder) {
  const server = await serve({ "/": folder, "/search/": LARGE });
  const page = await openPage(browser, `${server.origin}/`);
  try {
    await page.waitForFunction(() => document.title !== "App", undefined, { timeout: 30_000 });
    assert.equal(await page.title(), "Mooring a boat 2");
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

test("esbuild builds it with the worker as a second entry and the modules beside it", async () => {
  const root = source("esbuild", app("", 'worker: () => new Worker("/worker.js", { type: "module" })'));
  await esbuild.build({
    entryPoints: { app: `${root}/app.js`, worker: "knarr/worker" },
    absWorkingDir: root, outdir: "dist", bundle: true, format: "esm", splitting: true, minify: true, logLevel: "error",
  });
  for (const file of ["knarr_full_bg.wasm", "knarr_patterns_bg.wasm"]) copyFileSync(`${DIST}/${file}`, `${root}/dist/${file}`);
  copyFileSync(`${root}/index.html`, `${root}/dist/index.html`);
  await searches(`${root}/dist`);
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
  copyFileSync(`${root}/index.html`, `${root}/dist/index.html`);
  await searches(`${root}/dist`);
});
