// Minifies the scripts and style sheets named on the command line, in place, and puts into the entries what they import:
// a page then fetches one script where it would fetch one after the other. Called by `cargo xtask wasm`.
// The API and not the command: what `node_modules/esbuild/bin/esbuild` is depends on how npm installed it.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

const [outdir, ...files] = process.argv.slice(2);
// Modules are UTF-8 whatever the host says: letters need no escapes, which are half of a text in Greek.
const options = { outdir, allowOverwrite: true, minify: true, charset: "utf8", format: "esm", target: "es2022", logLevel: "warning" };

/** What a page starts with. `direct.js` is not among them: its modules stay apart for those who bundle. */
const PAGE = ["index.js", "core.js", "knarr-search.js"];
/** What is loaded for a server instead of a bundle, for several bundles, or for attributes of the element. */
const REMOTE = ["remote.js", "qdrant.js", "several.js", "element-more.js"];
/** What a worker starts with: all it needs. */
const WORKER = ["worker.js", "core-worker.js"];

/** The element's style sheet, and the script that has it as text. */
const STYLE = "knarr-search.css";
const STYLE_SCRIPT = "element-style.js";

const named = (names) => files.filter((file) => names.includes(basename(file)));
// The engine is loaded where there is no worker.
const external = ["./full-engine.js", "./core-engine.js", "./core.js", "./index.js", "./remote.js", "./qdrant.js", "./element-marks.js", "./element-more.js", "./several.js", "./strings-*.js"];
buildSync({ ...options, entryPoints: named([STYLE]) });
for (const file of named([STYLE_SCRIPT])) {
  const sheet = readFileSync(join(outdir, STYLE), "utf8").trim().replaceAll(", ", ","); // The values of tokens are left as they are written.
  writeFileSync(file, `export default ${JSON.stringify(sheet)};\n`);
}
buildSync({ ...options, entryPoints: named([...PAGE, ...REMOTE]), bundle: true, external });
buildSync({ ...options, entryPoints: named(WORKER), bundle: true });
const entries = [...PAGE, ...REMOTE, ...WORKER, STYLE];
buildSync({ ...options, entryPoints: files.filter((file) => !entries.includes(basename(file))) });

// Most sites have no use for the element's full engine: bundlers that heed a comment leave it. Minifying takes comments away.
for (const file of named(["knarr-search.js"])) {
  const script = readFileSync(file, "utf8");
  writeFileSync(file, script.replace('import("./index.js")', 'import(/*webpackIgnore:true*//*@vite-ignore*/"./index.js")'));
}
