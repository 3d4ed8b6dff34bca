// Minifies the scripts and style sheets named on the command line, in place. Called by `cargo xtask wasm`.
// The API and not the command: what `node_modules/esbuild/bin/esbuild` is depends on how npm installed it.
import { buildSync } from "esbuild";

const [outdir, ...entryPoints] = process.argv.slice(2);
buildSync({
  entryPoints,
  outdir,
  allowOverwrite: true,
  minify: true,
  format: "esm",
  target: "es2022",
  logLevel: "warning",
});
