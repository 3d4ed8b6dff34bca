/** Runs the command line in this process, or the native one where it is installed. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import { argumentsInside, folders, inside } from "./paths.mjs";

const MODULE = new URL("knarr.wasm.br", import.meta.url);
const THREAD = new URL("thread.mjs", import.meta.url);

/** Pages of 64 KiB that the module's memory has and may have (.cargo/config.toml). */
const MEMORY = { initial: 16384, maximum: 65536, shared: true };

/** The version of this package: a native command line of another one would write another format. */
const { version: VERSION } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** The package that has the native command line for this machine, and its program. `xtask/native.mjs` makes such packages. */
const PLATFORM = `@knarr/cli-${process.platform}-${process.arch}`;
const PROGRAM = process.platform === "win32" ? "knarr.exe" : "knarr";

/** The native command line of the package for this platform, where that is installed. It has every core, and the network. */
function installed() {
  const { resolve } = createRequire(import.meta.url);
  let version, program;
  try {
    version = JSON.parse(readFileSync(resolve(`${PLATFORM}/package.json`), "utf8")).version;
    program = resolve(`${PLATFORM}/${PROGRAM}`);
  } catch {
    return undefined;
  }
  if (version === VERSION) return program;
  console.error(`${PLATFORM} ${version} is not used: this is knarr ${VERSION}; install the same version of both`);
  return undefined;
}

/** Runs a program; its exit code, or undefined where the system cannot start it. */
function start(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error) console.error(`${program} does not start (${error.code})`);
  return error ? undefined : (status ?? 1);
}

function refuse(code, message) {
  console.error(`error[${code}]: ${message}`);
  return 1;
}

/**
 * Runs the module on as many threads as it asks for, and returns its exit code. The command itself is one of them: this
 * one has to be free to start the others, and to see one fail for which the rest would wait forever.
 */
async function onThreads(module, settings) {
  const common = { module, settings, memory: new WebAssembly.Memory(MEMORY), last: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = [];
  const code = await new Promise((done) => {
    const begin = (task) => {
      // Streams of their own: else Node opens this process's, which makes pipes refuse what they have no room for.
      const thread = new Worker(THREAD, { workerData: { ...common, task }, stdout: true, stderr: true });
      threads.push(thread);
      thread.on("message", ({ code, task: next }) => (next ? begin(next) : done(code)));
      thread.on("error", (error) => (console.error(error), done(1)));
      thread.on("exit", (code) => code !== 0 && done(code));
    };
    begin();
  });
  await Promise.all(threads.map((thread) => thread.terminate()));
  return code;
}

/** Runs a command and returns its exit code: in the program that `KNARR_NATIVE` names, or the installed one, or here. */
export async function run(args) {
  if (process.env.KNARR_NATIVE) return start(process.env.KNARR_NATIVE, args) ?? 1;
  const program = installed();
  // A program for another C library does not start; this one does everywhere.
  const code = program && start(program, args);
  if (code !== undefined) return code;
  if (args[0] === "serve") return refuse("UNIMPLEMENTED", "knarr serve is in the native command line only (docs/PLATFORMS.md); here, npx http-server SITE serves a site");
  if (args[0] === "build" && args.includes("--watch") && !args.includes("--help")) return (await import("./watch.mjs")).watch(args);
  let bytes;
  try {
    bytes = brotliDecompressSync(readFileSync(MODULE));
  } catch (error) {
    const what = error.code === "ENOENT" ? "is missing" : `cannot be read (${error.code ?? error.message})`;
    return refuse("NOT_FOUND", `${fileURLToPath(MODULE)} ${what}: install the package anew (npm install --force knarr); in a checkout, cargo xtask wasm --release makes it`);
  }
  const given = argumentsInside(args);
  return onThreads(await WebAssembly.compile(bytes), {
    args: ["knarr", ...given],
    env: { RAYON_NUM_THREADS: String(availableParallelism()), ...process.env, PWD: inside(process.cwd()) },
    preopens: folders(given),
  });
}
