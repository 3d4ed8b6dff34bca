/** Runs the command line in this process, or the native one where it is installed. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parse } from "node:path";
import { brotliDecompressSync } from "node:zlib";

const MODULE = new URL("knarr.wasm.br", import.meta.url);

/** The native command line: `KNARR_NATIVE`, or the package for this platform. About as fast, but with every core and the network. */
function native() {
  if (process.env.KNARR_NATIVE) return process.env.KNARR_NATIVE;
  try {
    return createRequire(import.meta.url).resolve(`@knarr/cli-${process.platform}-${process.arch}/knarr`);
  } catch {
    return undefined;
  }
}

/** Node calls its WASI experimental on every run; the reader of a build's output can do nothing about it. */
async function systemInterface() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes("WASI")) emitWarning.call(process, warning, ...rest);
  };
  try {
    return (await import("node:wasi")).WASI;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Paths as the module sees them: `C:\docs` is `/C:/docs`, since it knows one root only. */
export function inside(path) {
  return process.platform === "win32" ? path.replace(/^([A-Za-z]:)/, "/$1").replaceAll("\\", "/") : path;
}

/** The folders that the module may open: the whole file system, as any command. */
function folders() {
  if (process.platform !== "win32") return { "/": "/" };
  const drives = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => `${letter}:`).filter((drive) => existsSync(`${drive}\\`));
  return Object.fromEntries(drives.map((drive) => [`/${drive}`, `${drive}\\`]));
}

/** Runs a command and returns its exit code. */
export async function run(args) {
  const program = native();
  if (program !== undefined) {
    const { status, error } = spawnSync(program, args, { stdio: "inherit" });
    if (error) throw error;
    return status ?? 1;
  }
  const WASI = await systemInterface();
  const isPath = (arg) => process.platform === "win32" && parse(arg).root !== "";
  const wasi = new WASI({
    version: "preview1",
    args: ["knarr", ...args.map((arg) => (isPath(arg) ? inside(arg) : arg))],
    env: { ...process.env, PWD: inside(process.cwd()) },
    preopens: folders(),
    returnOnExit: true,
  });
  const module = await WebAssembly.compile(brotliDecompressSync(readFileSync(MODULE)));
  return wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
}
