/** How files of a bundle are fetched; and what is needed first, asked for before anybody can read it. */

import { isAddress } from "./given.js";
import { joined } from "./joined.js";
import { keep, kept, LARGEST, opening } from "./kept.js";

/** The one name in a bundle that is not a content hash: a newer build may be there. */
const HEAD = { cache: "no-cache" };

/** Heads on their way, by address. */
const heads = new Map();

/**
 * What the engine's modules fetch with. A head that is on its way is given once; ranges of one file that are asked for in
 * one go share a request where `joins` is true.
 */
export function fetchFile(address, init, joins) {
  if (init.cache === HEAD.cache) opening();
  const early = heads.get(address);
  heads.delete(address);
  if (early) return early;
  const range = /(\d+)-(\d+)$/.exec(init.headers?.get?.("Range"));
  const isOnWeb = /^https?:/.test(address);
  if (!range || !(isOnWeb || joins)) return request(address, init);
  if (!joins) return ranged(address, init, range);
  return partFromDisk(address, range) ?? joined(address, init, range, isOnWeb ? ranged : request);
}

/** The signals of calls whose callers have given up. */
const left = new WeakSet();

/** Notes that nobody waits for a call any more: what is on its way arrives, and nothing more is asked for. */
export function leave(signal) {
  left.add(signal);
}

/**
 * Inflates raw deflate data of exactly `length` bytes: the browser's own code for it costs no download. Throws where there is none, rejects where the
 * data is other data.
 */
export function inflate(data, length) {
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  // What is wrong with the data is told by the reader.
  writer.write(data).catch(() => {});
  writer.close().catch(() => {});
  return filled(new Uint8Array(length), readable.getReader());
}

async function filled(bytes, reader) {
  let at = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (at + value.length > bytes.length) {
      reader.cancel();
      throw new Error("it is longer than it says");
    }
    bytes.set(value, at);
    at += value.length;
  }
  if (at < bytes.length) throw new Error("it is shorter than it says");
  return bytes;
}

/** Asked by the engine's modules before they ask for more. */
export function isLeft(signal) {
  return left.has(signal);
}

/** The bytes of a `file:` address where they can be read from disk, which Node's `fetch` does not do; else undefined. */
export function fromDisk(address) {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  return fs && String(address).startsWith("file:") ? fs.readFile(new URL(address)) : undefined;
}

/** A range of what `fromDisk` reads whole, as a host with ranges answers; undefined likewise. */
function partFromDisk(address, [span, from, to]) {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!fs || !address.startsWith("file:")) return undefined;
  const read = async () => {
    const file = await fs.open(new URL(address));
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(to - from + 1), 0, to - from + 1, Number(from));
      return new Response(buffer.subarray(0, bytesRead), { status: 206, headers: { "Content-Range": `bytes ${span}/*` } });
    } finally {
      await file.close();
    }
  };
  return read().catch(missing);
}

/** The answer for a file that is not there. */
function missing(error) {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return new Response(null, { status: 404 });
}

/** `fetch`, and the same answers for files on disk. A file is read whole: the engine takes the bytes that it needs. */
function request(address, init) {
  // Of files on disk and an extension's own Chromium sends the range with the status of the whole, so they are asked for whole.
  const plainly = /^(file|\w+-extension):/.test(address) ? { ...init, headers: {} } : init;
  return fromDisk(address)?.then((bytes) => new Response(bytes), missing) ?? fetch(address, plainly);
}

/** Folders whose host minds query strings, or sends whole files: their files are asked for at their plain addresses. */
const plain = new Set();

/**
 * A range of a file, at an address of its own: as long as Chromium's cache may keep them, it fetches ranges of one
 * address one after the other. A host that answers such an address with anything but the range is found out once.
 */
async function ranged(address, init, [span, from, to]) {
  const had = await kept(address, span);
  if (had) return had;
  const folder = address.slice(0, address.lastIndexOf("/"));
  const mayHaveOwn = !plain.has(folder);
  if (mayHaveOwn) {
    const response = await fetch(`${address}?${span}`, init).catch(() => undefined);
    const bytes = response?.ok && (await response.arrayBuffer().catch(() => undefined));
    if (bytes && isRange(response, bytes, from, to)) {
      keep(address, span, bytes, response);
      return new Response(bytes, response);
    }
    if (bytes && isWhole(response, bytes, to)) {
      plain.add(folder); // The file itself: its plain address is one thing for the cache to keep.
      return wholly(address, span, bytes, response);
    }
  }
  const response = await fetch(address, init);
  if (!response.ok) return response;
  if (mayHaveOwn) plain.add(folder);
  const bytes = await response.arrayBuffer();
  if (isWhole(response, bytes, to)) return wholly(address, span, bytes, response);
  if (isRange(response, bytes, from, to)) keep(address, span, bytes, response);
  return new Response(bytes, response);
}

/** A range of a file that came whole: the file, or of a large one what was asked for, since neither caches nor modules should hold it all. */
function wholly(address, span, bytes, response) {
  if (bytes.byteLength <= LARGEST) {
    keep(address, span, bytes, response);
    return new Response(bytes);
  }
  const [from, to] = span.split("-").map(Number);
  const part = bytes.slice(from, to + 1);
  keep(address, span, part, { status: 206, headers: response.headers });
  return new Response(part, { status: 206, headers: { "Content-Range": `bytes ${span}/*` } });
}

/** Another origin may hide where its range starts. */
function isRange({ status, headers }, bytes, from, to) {
  const starts = headers.get("Content-Range") ?? `bytes ${from}-`;
  return status === 206 && bytes.byteLength === to - from + 1 && starts.startsWith(`bytes ${from}-`);
}

/** Hosts that know no address answer with a page. */
function isWhole({ status, headers }, bytes, to) {
  return status === 200 && bytes.byteLength > to && !/html/.test(headers.get("Content-Type"));
}

/** Asks for a head while the module that reads it loads; `bytes` when somebody has it already. */
export function announce(address, bytes) {
  if (heads.has(address)) return;
  const head = bytes ? Promise.resolve(new Response(bytes)) : request(address, HEAD);
  heads.set(address, head);
  // Whoever opens the bundle is told, unless its module failed, too: the next opening asks anew.
  head.catch(() => heads.get(address) === head && heads.delete(address));
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
