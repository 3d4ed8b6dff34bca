// Minifies the scripts and style sheets named on the command line, in place, and puts into the entries what they import:
// a page then fetches one script where it would fetch one after the other. Called by `cargo xtask wasm`.
// The API and not the command: what `node_modules/esbuild/bin/esbuild` is depends on how npm installed it.
import { basename } from "node:path";
import { buildSync } from "esbuild";

const [outdir, ...files] = process.argv.slice(2);
const options = { outdir, allowOverwrite: true, minify: true, format: "esm", target: "es2022", logLevel: "warning" };

/** What a page or a worker starts with. `direct.js` is not among them: its modules stay apart for those who bundle. */
const ENTRIES = ["index.js", "core.js", "worker.js", "core-worker.js", "knarr-search.js"];
const isEntry = (file) => ENTRIES.includes(basename(file));

buildSync({
  ...options,
  entryPoints: files.filter(isEntry),
  bundle: true,
  // Loaded when they are needed, and the class of errors, which the page and its engine must share.
  external: ["./errors.js", "./full-engine.js", "./core-engine.js", "./core.js"],
});
buildSync({ ...options, entryPoints: files.filter((file) => !isEntry(file)) });
