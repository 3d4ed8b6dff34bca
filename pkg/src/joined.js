/** Ranges of one file in one request, for bundles that say that their host answers several in one response. */

import { keep, kept, LARGEST } from "./kept.js";

/** Folders whose host answers several ranges with anything else: theirs are asked for one by one. */
const single = new Set();

/** Files of hosts that know no ranges, which would send the whole of it for each; by address. */
const wholes = new Map();

/** The ranges of a file that are asked for in this turn, by address. */
const asking = new Map();

/** Bytes among which the head of a part of a response ends. */
const PART_HEAD = 1000;

/** The head of a part, and all before it that belongs to none. */
const HEAD = /^[^]*?\ncontent-range:[ \t]*bytes[ \t]+(\d+)-(\d+)[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n/i;

/** Chromium sends an extension's own file whole, whatever the range. */
const isExtension = (address) => /^[a-z]+-extension:/.test(address);

/**
 * True where several ranges pay: from other origins they take another request, which asks whether they may be made, and
 * pages without HTTPS could not keep what comes, as browsers keep single ranges.
 */
function mayJoin(address) {
  if (globalThis.isSecureContext === false) return false;
  return globalThis.origin === undefined || new URL(address).origin === globalThis.origin || isExtension(address);
}

/**
 * The answer for a range, given as `alone` takes it: the address, what `fetch` takes, and the match of `from-to`. Those
 * that one call asks for together become one request; what it does not bring, `alone` does.
 */
export function joined(address, init, range, alone) {
  const [, from, to] = range.map(Number);
  // What is kept is small, and browsers keep a range of its own.
  if (!mayJoin(address) || (to - from >= LARGEST && !wholes.has(address))) return alone(address, init, range);
  return new Promise((resolve, reject) => {
    const all = asking.get(address);
    const ask = { init, range, resolve, reject };
    if (all && all[0].init.signal === init.signal) return void all.push(ask);
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
  const parts = lacking.length > 1 || wholes.has(address) || isExtension(address) ? await several(address, lacking) : [];
  asks.forEach(({ init, range, resolve, reject }, at) => {
    const own = had[at] ?? cut(parts, address, range);
    own ? resolve(own) : alone(address, init, range).then(resolve, reject);
  });
}

/** The parts of the file in a response to all of `asks`; those that it lacks are asked for alone. */
async function several(address, asks) {
  const folder = address.slice(0, address.lastIndexOf("/"));
  if (asks.length === 0) return [];
  if (wholes.has(address) || single.has(folder)) return wholes.get(address) ?? [];
  const { signal } = asks[0].init;
  const headers = isExtension(address) ? {} : { Range: `bytes=${asks.map(({ range: [span] }) => span).join(",")}` };
  const response = await fetch(address, { signal, headers }).catch(() => undefined);
  const parts = (response && (await partsOf(response, address).catch(() => undefined))) ?? [];
  const brought = asks.filter(({ range }) => partWith(parts, range)).length;
  // Servers that are out of breath may know several ranges later, and a caller that gave up has learnt nothing.
  const isBusy = response && (response.status === 429 || response.status >= 500);
  if (brought < Math.min(2, asks.length) && !isBusy && !signal?.aborted) single.add(folder);
  return parts;
}

/** The parts of the file in a response. */
async function partsOf(response, address) {
  const { status, headers } = response;
  const type = headers.get("Content-Type") ?? "";
  const isKept = !/no-store/i.test(headers.get("Cache-Control"));
  const bytes = async () => new Uint8Array(await response.arrayBuffer());
  if (status === 206 && /^multipart\/byteranges/i.test(type)) return [...multipart(await bytes())].map((part) => ({ ...part, isKept }));
  const one = status === 206 && /^bytes (\d+)-/.exec(headers.get("Content-Range"));
  if (one) return [{ from: Number(one[1]), bytes: await bytes(), isKept }];
  // A host with ranges, but not several, sends the whole, too, and is asked for single ones. Hosts that know no address
  // answer with a page.
  if (status === 200 && headers.get("Accept-Ranges") !== "bytes" && !/html/.test(type)) {
    const whole = [{ from: 0, bytes: await bytes(), isKept }];
    wholes.set(address, whole);
    return whole;
  }
  response.body?.cancel().catch(() => {});
  return [];
}

/** The parts of a `multipart/byteranges` body: where each begins in its file, and its bytes. What is cut off is left out. */
function* multipart(bytes) {
  const latin = new TextDecoder("latin1");
  for (let at = 0; ; ) {
    const head = HEAD.exec(latin.decode(bytes.subarray(at, at + PART_HEAD)));
    if (!head) return;
    const [from, to] = [Number(head[1]), Number(head[2])];
    const start = at + head[0].length;
    at = start + to - from + 1;
    if (!(at > start && at <= bytes.length)) return;
    yield { from, bytes: bytes.subarray(start, at) };
  }
}

const partWith = (parts, [, from, to]) => parts.find((part) => part.from <= from && to < part.from + part.bytes.length);

/** A range as the answer to a request of its own, kept as browsers keep such: they keep no response of several. */
function cut(parts, address, range) {
  const part = partWith(parts, range);
  if (!part) return undefined;
  const [span, from, to] = range;
  const bytes = part.bytes.slice(from - part.from, to - part.from + 1);
  const response = new Response(bytes, { status: 206, headers: { "Content-Range": `bytes ${span}/*` } });
  if (part.isKept) keep(address, span, bytes.buffer, response);
  return response;
}
