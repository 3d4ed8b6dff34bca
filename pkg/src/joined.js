/** Ranges of one file in one request, for bundles that say that their host answers several in one response. */

import { keep, kept } from "./kept.js";

/** Folders whose host answers several ranges with anything else: theirs are asked for one by one. */
const single = new Set();

/** The ranges of a file that are asked for in this turn, by address. */
const asking = new Map();

/** Bytes among which the head of a part of a response ends. */
const PART_HEAD = 1000;

/** From other origins such a request takes another, which asks whether it may be made. */
const isNear = (address) => globalThis.location === undefined || new URL(address, location.href).origin === location.origin;

/**
 * The answer for a range, given as `alone` takes it: the address, what `fetch` takes, and the match of `from-to`. Those
 * that one call asks for together become one request; what it does not bring, `alone` does.
 */
export function joined(address, init, range, alone) {
  if (!isNear(address)) return alone(address, init, range);
  return new Promise((resolve, reject) => {
    const all = asking.get(address);
    const ask = { init, range, resolve, reject };
    if (all?.[0].init.signal === init.signal) return void all.push(ask);
    const begun = [ask];
    asking.set(address, begun);
    queueMicrotask(() => {
      if (asking.get(address) === begun) asking.delete(address);
      fetchAll(address, begun, alone).catch((error) => begun.forEach(({ reject }) => reject(error)));
    });
  });
}

async function fetchAll(address, asks, alone) {
  const had = await Promise.all(asks.map(({ range: [span] }) => kept(address, span)));
  const lacking = asks.filter((_, at) => !had[at]);
  const parts = lacking.length > 1 ? await several(address, lacking) : [];
  asks.forEach(({ init, range, resolve, reject }, at) => {
    const own = had[at] ?? cut(parts, address, range);
    own ? resolve(own) : alone(address, init, range).then(resolve, reject);
  });
}

/** The parts of the file in a response to all of `asks`; none where the host has no such response. */
async function several(address, asks) {
  const folder = address.slice(0, address.lastIndexOf("/"));
  if (single.has(folder)) return [];
  const headers = { Range: `bytes=${asks.map(({ range: [span] }) => span).join(",")}` };
  const response = await fetch(address, { signal: asks[0].init.signal, headers }).catch(() => undefined);
  if (!response) return []; // Whoever asks alone is told what is wrong.
  if (response.status !== 206 || !/^multipart\/byteranges/i.test(response.headers.get("Content-Type"))) {
    single.add(folder);
    response.body?.cancel().catch(() => {}); // It may be the whole file.
    return [];
  }
  const bytes = new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
  const isKept = !/no-store/.test(response.headers.get("Cache-Control"));
  return [...partsOf(bytes)].map((part) => ({ ...part, isKept }));
}

/** The parts of a `multipart/byteranges` body: where each begins in its file, and its bytes. What is cut off is left out. */
function* partsOf(bytes) {
  const latin = new TextDecoder("latin1");
  for (let at = 0; ; ) {
    const head = /^[^]*?\ncontent-range: *bytes (\d+)-(\d+)[^]*?\r\n\r\n/i.exec(latin.decode(bytes.subarray(at, at + PART_HEAD)));
    if (!head) return;
    const [from, to] = [Number(head[1]), Number(head[2])];
    const start = at + head[0].length;
    at = start + to - from + 1;
    if (!(at > start && at <= bytes.length)) return;
    yield { from, bytes: bytes.subarray(start, at) };
  }
}

/** A range as the answer to a request of its own, kept as browsers keep such: they keep no response of several. */
function cut(parts, address, [span, first, last]) {
  const [from, to] = [Number(first), Number(last)];
  const part = parts.find((part) => part.from <= from && to < part.from + part.bytes.length);
  if (!part) return undefined;
  const bytes = part.bytes.slice(from - part.from, to - part.from + 1);
  const response = new Response(bytes, { status: 206, headers: { "Content-Range": `bytes ${span}/*` } });
  if (part.isKept) keep(address, span, bytes.buffer, response);
  return response;
}
