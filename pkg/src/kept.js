/**
 * Parts of bundles, kept from page to page where the host's headers do not make the browser's own cache keep them. The
 * address of a part has the hash of its pack's content, so that nothing kept is ever out of date.
 */

const NAME = "knarr-parts";

/** How many parts are kept; the oldest leave. Most have a few kB, and 64 where a host knows no ranges. */
const MOST = 400;

/** How large a part may be, in bytes. */
export const LARGEST = 100_000;

/** Seconds for which the browser's own cache has to keep a part to be enough. */
const LONG = 86_400;

/** Puts between two counts of what is there. */
const BATCH = 40;

/** Milliseconds for which a part waits for its storage. */
const PATIENCE_MS = 1000;

/** What is kept can be read, or be written; undefined until asked for, and what they resolve to where nothing can. */
let reading;
let writing;
let puts = 0;

/** Addresses that were answered from here since a bundle was last opened. */
const given = new Set();

/** True when one of them was asked for again: what is kept may be damaged, and what is fetched takes its place. */
let isDoubted = false;

/** A bundle is opened: it has been given nothing yet. */
export function opening() {
  given.clear();
  isDoubted = false;
}

/** Resolves with undefined in place of failing: in private windows, in sandboxes, without space, or without an answer. */
async function safely(work) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  try {
    return await Promise.race([work(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** The parts, which nobody makes before one is to be kept: where headers are as they should be, there is nothing to ask. */
const toRead = () => (reading ??= safely(async () => (await caches.has(NAME)) && caches.open(NAME)));
const toWrite = () => (writing ??= safely(() => caches.open(NAME)));

/** Only browsers keep anything: programs that run JavaScript have disks of other people's. */
const isPossible = () => globalThis.isSecureContext === true;

/** Whether the browser's own cache keeps ranges of files: Chromium's does; Firefox and WebKit ask the host each time. */
const keepsRanges = () => globalThis.navigator?.userAgentData !== undefined;

/** The answer for a range of a file, from its own address or as the whole file; undefined where neither is kept. */
export async function kept(address, span) {
  const own = `${address}?${span}`;
  if (!isPossible()) return undefined;
  if (given.has(own)) isDoubted = true; // Who asks for one again could make nothing of it.
  if (isDoubted) return undefined;
  const parts = await toRead();
  if (!parts) return undefined;
  const [part, whole] = (await safely(() => Promise.all([parts.match(own), parts.match(address)]))) ?? [];
  const bytes = (part ?? whole) && (await safely(() => (part ?? whole).arrayBuffer()));
  if (!bytes) return undefined;
  given.add(own);
  return new Response(bytes, { status: part ? 206 : 200 });
}

/** Keeps what a host answered, unless the browser does it anyway, or the host forbids it. Nobody waits for this. */
export function keep(address, span, bytes, { status, headers }) {
  const control = headers.get("Cache-Control") ?? "";
  const isLong = !control.includes("no-cache") && Number(/max-age=(\d+)/.exec(control)?.[1]) >= LONG;
  // Chromium keeps no range of a file without a version of that file.
  const isVersioned = /^"/.test(headers.get("ETag")) || headers.has("Last-Modified");
  const isKept = isLong && (status === 200 || (isVersioned && keepsRanges()));
  if (isKept || control.includes("no-store") || bytes.byteLength > LARGEST || !isPossible()) return;
  const copy = new Response(bytes);
  safely(async () => {
    const parts = await toWrite();
    reading = writing; // There may have been none before.
    await parts.put(status === 206 ? `${address}?${span}` : address, copy);
    if (puts++ % BATCH === 0) await forget(parts);
  });
}

/** Removes the oldest parts above the bound. */
async function forget(parts) {
  const all = await parts.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST)).map((request) => parts.delete(request)));
}
