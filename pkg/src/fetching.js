/** How files of a bundle are fetched; and what is needed first, asked for before anybody can read it. */

import { isAddress } from "./given.js";

/** The one name in a bundle that is not a content hash: a newer build may be there. */
const HEAD = { cache: "no-cache" };

/** Heads on their way, by address. */
const heads = new Map();

/** What the engine's modules fetch with. A head that is on its way is given once. */
export function fetchFile(address, init) {
  const early = heads.get(address);
  heads.delete(address);
  return early ?? request(address, init);
}

/** The bytes of a `file:` address where they can be read from disk, which Node's `fetch` does not do; else undefined. */
export function fromDisk(address) {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  return fs && String(address).startsWith("file:") ? fs.readFile(new URL(address)) : undefined;
}

/** `fetch`, and the same answers for files on disk. A file is read whole: the engine takes the bytes that it needs. */
function request(address, init) {
  const missing = (error) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    return new Response(null, { status: 404 });
  };
  return fromDisk(address)?.then((bytes) => new Response(bytes), missing) ?? fetch(address, init);
}

/** Asks for a head while the module that reads it loads; `bytes` when somebody has it already. */
export function announce(address, bytes) {
  if (heads.has(address)) return;
  const head = bytes ? Promise.resolve(new Response(bytes)) : request(address, HEAD);
  head.catch(() => {}); // Whoever opens the bundle is told.
  heads.set(address, head);
}

/**
 * The bytes of head and module, fetched while a worker starts. What is not had this way stays undefined: the worker
 * fetches it itself, and says what is wrong.
 *
 * @param {{ head?: string, wasm: { engine?: unknown } }} location what `locate` returned
 * @param {() => URL} beside the module's address when none was given
 * @param {AbortSignal} [signal] ends the fetches; what the caller's abort means is told by the call that follows
 */
export async function ahead({ head, wasm }, beside, signal) {
  const source = wasm.engine ?? beside();
  const [first, module] = await Promise.all([
    head && bytesOf(head, { ...HEAD, signal }),
    isAddress(source) && bytesOf(source, { signal }),
  ]);
  // Servers answer unknown addresses with a page.
  const isModule = module && MAGIC.every((byte, at) => new Uint8Array(module)[at] === byte);
  return { first, module: isModule ? module : undefined };
}

/** What every WebAssembly module begins with. */
const MAGIC = [0, 0x61, 0x73, 0x6d];

async function bytesOf(address, init) {
  try {
    const response = await request(address, init);
    return response.ok ? await response.arrayBuffer() : undefined;
  } catch {
    return undefined;
  }
}
