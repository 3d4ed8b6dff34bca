/** The package as npm and Node see it: contents, types, import without a browser, and the engine without a worker. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { DIST, LARGE, PACKAGE, SMALL } from "./bundles.mjs";
import { serve } from "./server.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const entry = (name) => pathToFileURL(`${DIST}/${name}`).href;

let server;

before(async () => {
  server = await serve({ "/search/": LARGE });
});

after(() => server?.close());

test("importing touches no global", () => {
  // Every read of a browser's global throws, and nothing may be added: what a server-side render has to survive.
  const script = `
    for (const name of ["window", "self", "document", "navigator", "location", "Worker", "WebAssembly", "fetch", "localStorage"]) {
      Object.defineProperty(globalThis, name, { get() { throw new Error("read " + name); }, configurable: true });
    }
    const before = Object.getOwnPropertyNames(globalThis).join();
    const { Knarr, KnarrError } = await import(${JSON.stringify(entry("index.js"))});
    const direct = await import(${JSON.stringify(entry("direct.js"))});
    const { KnarrSearch } = await import(${JSON.stringify(entry("knarr-search.js"))});
    if (typeof Knarr.open !== "function" || typeof direct.Knarr.open !== "function") throw new Error("no class");
    if (Object.getOwnPropertyNames(globalThis).join() !== before) throw new Error("a global was added");
    if (!(new KnarrError("IO", "x") instanceof Error) || typeof KnarrSearch !== "function") throw new Error("no class");
  `;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
});

for (const file of ["index.js", "direct.js"]) {
  test(`${file} answers in Node, where there is no worker`, async () => {
    const { Knarr, KnarrError } = await import(entry(file));
    const knarr = await Knarr.open(`${server.origin}/search/`);
    const { resources } = await knarr.find("bowline");
    assert.equal(resources[0].title, "Mooring a boat");
    assert.equal((await knarr.grep("viking://resources/harbour", "bowline")).count, 2);
    assert.equal((await knarr.glob("*/weather.html", "viking://resources/harbour")).count, 2);
    knarr.close();
    await assert.rejects(Knarr.open("/search/"), (error) => error instanceof KnarrError && error.code === "INVALID_ARGUMENT");
  });
}

for (const file of ["index.js", "direct.js"]) {
  test(`${file} opens a bundle on disk in Node, one file or a folder of packs`, async () => {
    const { Knarr } = await import(entry(file));
    const answers = async (source) => {
      const knarr = await Knarr.open(source);
      const { resources } = await knarr.find("bowline");
      const { count } = await knarr.grep("viking://resources/harbour", "bowline");
      knarr.close();
      return [resources[0].title, resources[0].excerpt.text.length > 0, count];
    };
    const expected = ["Mooring a boat", true, 2];
    for (const path of [SMALL, LARGE, `${LARGE}/`, `${LARGE}/index.knarr`]) {
      assert.deepEqual(await answers(pathToFileURL(path)), expected, path);
      assert.deepEqual(await answers(pathToFileURL(path).href), expected, path);
    }
    const refused = async (source, code, message) => {
      await assert.rejects(Knarr.open(source), (error) => error.code === code && message.test(error.message));
    };
    await refused(pathToFileURL(`${LARGE}/nothing/`), "BUNDLE_MISSING", /nothing\/index\.knarr is not there/);
    await refused(LARGE, "INVALID_ARGUMENT", /pathToFileURL/);
    await refused("./search", "INVALID_ARGUMENT", /pathToFileURL/);
  });
}

test("bytes and addresses of another realm are taken, as test runners and frames make them", async () => {
  const { Knarr } = await import(entry("direct.js"));
  const bytes = await readFile(SMALL);
  const { view, buffer } = runInNewContext("({ view: Uint8Array.from(bytes), buffer: Uint8Array.from(bytes).buffer })", { bytes });
  assert.ok(!(view instanceof Uint8Array) && !(buffer instanceof ArrayBuffer));
  for (const source of [view, buffer, new DataView(buffer)]) {
    const knarr = await Knarr.open(source);
    assert.equal((await knarr.find("barometer")).resources[0].title, "Reading the weather");
    knarr.close();
  }
});

test("bundle and modules may be given as bytes", async () => {
  const { Knarr } = await import(`${entry("direct.js")}?bytes`);
  const knarr = await Knarr.open(await readFile(SMALL), {
    wasmUrl: await readFile(`${DIST}/knarr_full_bg.wasm`),
    patternsWasmUrl: await WebAssembly.compile(await readFile(`${DIST}/knarr_patterns_bg.wasm`)),
  });
  assert.equal((await knarr.find("barometer")).resources[0].title, "Reading the weather");
  assert.ok((await knarr.grep("viking://", "gale")).count > 0);
  knarr.close();
});

test("something else in the place of a module is told as that, in the words of every engine", async () => {
  const { Module } = await import(entry("module.js"));
  const told = (reason) => {
    const module = new Module({}, async () => Promise.reject(new WebAssembly.CompileError(reason)), "engine", () => new URL("https://x.org/a.wasm"));
    return module.load({}).then(() => "", ({ message }) => message);
  };
  for (const reason of [
    "WebAssembly.instantiate(): expected magic word 00 61 73 6d, found 3c 21 64 6f @+0",
    "wasm validation error: at offset 4: failed to match magic number",
    "WebAssembly.Module doesn't parse at byte 0: module doesn't start with '\\0asm'",
  ]) assert.match(await told(reason), /a\.wasm could.*such as a page.*optimizeDeps: \{ exclude: \["knarr"\] \}.*wasmUrl/);
  assert.doesNotMatch(await told("out of memory"), /optimizeDeps/);
});

test("calls in flight do not disturb each other", async () => {
  const { Knarr } = await import(entry("direct.js"));
  const knarr = await Knarr.open(`${server.origin}/search/`);
  const queries = ["bowline", "barometer", "mayday", "calculateBerthFee", "气压计", "Fulmar", "springs", "fog"];
  const together = await Promise.all(queries.map((query) => knarr.find(query)));
  for (const [i, query] of queries.entries()) assert.deepEqual(together[i], await knarr.find(query), query);
  knarr.close();
});

test("a trap is an error of its call, and the next call runs in a fresh instance", async () => {
  const { Knarr } = await import(entry("direct.js"));
  const { Task } = await import(entry("knarr_full.js"));
  const knarr = await Knarr.open(`${server.origin}/search/`);
  const expected = await knarr.find("bowline");
  const { poll } = Task.prototype;
  let armed = true;
  Task.prototype.poll = function (wake) {
    if (!armed) return poll.call(this, wake);
    armed = false;
    throw new WebAssembly.RuntimeError("unreachable");
  };
  try {
    const other = knarr.find("barometer");
    const outcomes = await Promise.allSettled([other, knarr.find("mayday")]);
    assert.ok(outcomes.every(({ status, reason }) => status === "fulfilled" || reason.code === "INTERNAL"));
    assert.match(outcomes.find(({ status }) => status === "rejected").reason.message, /unreachable/);
    assert.deepEqual(await knarr.find("bowline"), expected);
  } finally {
    Task.prototype.poll = poll;
    knarr.close();
  }
});

test("a query is the same composed or decomposed", async () => {
  const { Knarr } = await import(entry("direct.js"));
  const knarr = await Knarr.open(`${server.origin}/search/`);
  const [composed, decomposed] = await Promise.all(["Jos\u00e9", "Jose\u0301"].map((query) => knarr.find(query)));
  assert.equal(composed.resources[0].title, "Using the radio");
  assert.deepEqual(decomposed, composed);
  knarr.close();
});

test("the types fit the use, and misuse is a type error", () => {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "--project", "tsconfig.json"], { cwd: HERE, stdio: "inherit" });
});

test("npm packs what the exports name, and nothing else", async () => {
  const manifest = JSON.parse(await readFile(`${PACKAGE}/package.json`, "utf8"));
  const report = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: PACKAGE, stdio: ["ignore", "pipe", "ignore"] });
  const [packed] = Object.values(JSON.parse(report));
  const files = packed.files.map(({ path }) => path).sort();
  const named = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
  for (const target of named) assert.ok(files.includes(target.replace(/^\.\//, "")), `${target} is packed`);
  assert.deepEqual(files.filter((file) => !/^dist\/[\w-]+(\.d)?\.(js|ts|wasm|css)$/.test(file)), [
    "LICENSE-APACHE", "LICENSE-MIT", "README.md",
    "bin/add.mjs", "bin/attributes.mjs", "bin/build.mjs", "bin/directories.mjs", "bin/init.mjs", "bin/knarr.mjs", "bin/knarr.wasm.br", "bin/mdbook.mjs", "bin/pages.mjs", "bin/paths.mjs", "bin/places.json", "bin/run.mjs", "bin/thread.mjs", "bin/watch.mjs",
    "core.js",
    "development/core.jsx", "development/direct.jsx", "development/element.jsx", "development/index.jsx", "development/qdrant.jsx", "development/remote.jsx",
    "direct.js", "element.js", "package.json",
    "plugins/Search.astro", "plugins/astro.mjs", "plugins/dev.mjs", "plugins/docusaurus-theme/SearchBar/index.js", "plugins/docusaurus.mjs", "plugins/eleventy.mjs",
    "plugins/starlight.mjs", "plugins/vitepress.mjs", "qdrant.js", "remote.js", "several.js",
  ]);
});

test("a development server of Vite does not bundle the package before serving it, which would lose the modules", async () => {
  // Vite does that to packages whose entry ends in one of these; never to JSX.
  const { exports } = JSON.parse(await readFile(`${PACKAGE}/package.json`, "utf8"));
  for (const name of [".", "./core", "./direct", "./element", "./qdrant", "./remote"]) {
    const { development, node, default: target } = exports[name];
    assert.doesNotMatch(development, /\.[cm]?[jt]s$/);
    // Names of its own: of `export * from` bun build, which asks for development, leaves out that the module is run.
    const names = Object.keys(await import(new URL(`../../pkg/${target}`, import.meta.url)));
    const same = `import * as entry from ".${target}";\nexport const { ${names.join(", ")} } = entry;\n`;
    assert.equal(await readFile(`${PACKAGE}/${development}`, "utf8"), same, "the same module as elsewhere");
    assert.equal(node, target, "Node, which does not know JSX, takes the script with --conditions=development too");
    assert.deepEqual(Object.keys(exports[name]), ["types", "node", "development", "default"], "the first that fits is taken");
  }
});

test("the package is as publint would have it", () => {
  const report = execFileSync(process.execPath, ["node_modules/publint/src/cli.js", PACKAGE, "--strict"], { cwd: HERE, stdio: "pipe" });
  assert.match(String(report), /All good/);
});

test("scripts and style sheets are of a size to read", () => {
  const folders = ["pkg/src", "pkg/bin", "pkg/plugins", "www", "examples/extension", "examples/extension/src", "tests/web", "benches", "benches/sites"];
  for (const folder of folders) {
    const at = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
    for (const name of readdirSync(at).filter((name) => /\.(m?js|css)$/.test(name))) {
      const lines = readFileSync(at + name, "utf8").split("\n").length - 1;
      assert.ok(lines <= 600, `${folder}/${name} has ${lines} lines`);
    }
  }
});
