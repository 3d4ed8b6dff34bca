/** A thread of the command line: the first runs the command, the others what it hands to them (the wasi-threads proposal). */

import { parentPort, workerData } from "node:worker_threads";
import { listing } from "./directories.mjs";

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

const { module, memory, settings, last, task } = workerData;
const WASI = await systemInterface();
// Of the first thread the code is returned; another that exits ends the command.
const wasi = new WASI({ version: "preview1", ...settings, returnOnExit: task === undefined });
const spawn = (argument) => {
  const id = Atomics.add(last, 0, 1) + 1;
  parentPort.postMessage({ task: { id, argument } });
  return id;
};
const { wasi_snapshot_preview1: calls, ...others } = wasi.getImportObject();
const imports = { ...others, wasi_snapshot_preview1: listing(calls, memory, settings.preopens) };
const instance = await WebAssembly.instantiate(module, { env: { memory }, wasi: { "thread-spawn": spawn }, ...imports });
if (task === undefined) parentPort.postMessage({ code: wasi.start(instance) });
else {
  // It has begun already, elsewhere: of this thread, the system needs the memory only.
  wasi.initialize({ exports: { memory } });
  instance.exports.wasi_thread_start(task.id, task.argument);
}
