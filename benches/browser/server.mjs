/**
 * A static file server as a good host is one: byte ranges, several in one response as nginx sends them, brotli for what is worth it, and the headers that let a page
 * measure its memory.
 */

import { readFile, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const TYPES = {
  ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json",
  ".mjs": "text/javascript", ".wasm": "application/wasm",
};

const compress = promisify(brotliCompress);

/**
 * Serves `mounts`, URL prefixes to folders, the longest prefix first; every answer waits `latency` milliseconds, so that
 * requests made together are seen to be together. With `cache` the answers may be kept, as docs/HOSTING.md has it, or
 * with the headers of the host that it names; else nothing may. Answers `{ origin, requests, connections, close }`; `requests` are on the server's clock,
 * `{ url, range, start, end, bytes, aborted }`, `bytes` those of the body, also of one that nobody took.
 */
export async function serve(mounts, { latency = 0, cache = false } = {}) {
  const compressed = new Map();
  const requests = [];
  const state = { requests, connections: 0, cache };
  const server = createServer(async (request, response) => {
    const noted = { url: request.url, range: request.headers.range, start: performance.now(), end: undefined, bytes: 0, aborted: false };
    requests.push(noted);
    response.on("close", () => {
      noted.end = performance.now();
      noted.aborted = !response.writableFinished;
    });
    try {
      if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
      await answer(mounts, compressed, state, noted, request, response);
    } catch {
      if (!response.headersSent) response.writeHead(404);
      response.end();
    }
  });
  server.on("connection", () => state.connections++);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

async function answer(mounts, compressed, state, noted, request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const file = locate(mounts, path);
  const { size } = await stat(file);
  const type = TYPES[extname(file)];
  const host = HOSTS[state.cache === true ? "recommended" : state.cache || "nothing"](file);
  const headers = {
    "content-type": type ?? "application/octet-stream", ...host, "accept-ranges": "bytes",
    "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp",
  };
  if (host.etag && request.headers["if-none-match"] === host.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const several = /^bytes=(\d+-\d+(?:,\d+-\d+)+)$/.exec(request.headers.range ?? "");
  if (several !== null) {
    const body = multipart(await readFile(file), several[1].split(","), headers["content-type"]);
    noted.bytes = body.length;
    response.writeHead(206, { ...headers, "content-type": `multipart/byteranges; boundary=${BOUNDARY}`, "content-length": body.length }).end(body);
    return;
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  if (range !== null) {
    const [start, end] = [Number(range[1]), Math.min(range[2] === "" ? size - 1 : Number(range[2]), size - 1)];
    if (start >= size) {
      response.writeHead(416, { "content-range": `bytes */${size}` }).end();
      return;
    }
    const part = { "content-length": end - start + 1, "content-range": `bytes ${start}-${end}/${size}` };
    noted.bytes = end - start + 1;
    response.writeHead(206, { ...headers, ...part });
    await pipeline(createReadStream(file, { start, end }), response);
  } else if (type !== undefined && /\bbr\b/.test(request.headers["accept-encoding"] ?? "")) {
    if (!compressed.has(file)) compressed.set(file, squeeze(file));
    const body = await compressed.get(file);
    noted.bytes = body.length;
    response.writeHead(200, { ...headers, "content-encoding": "br", "content-length": body.length }).end(body);
  } else {
    noted.bytes = size;
    response.writeHead(200, { ...headers, "content-length": size });
    await pipeline(createReadStream(file), response);
  }
}

const BOUNDARY = "00000000000000000001";

/** Ranges of a file as one body, byte for byte as long as nginx's. */
function multipart(file, ranges, type) {
  const parts = ranges.flatMap((range) => {
    const [start, end] = range.split("-").map(Number);
    const head = `\r\n--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Range: bytes ${start}-${end}/${file.length}\r\n\r\n`;
    return [Buffer.from(head), file.subarray(start, end + 1)];
  });
  return Buffer.concat([...parts, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** When everything was published: an hour ago. Browsers keep a tenth of that time what says nothing else. */
const PUBLISHED = new Date(Date.now() - 3_600_000).toUTCString();
const version = { etag: '"1"', "last-modified": PUBLISHED };

/** Headers of hosts, for a file. */
const HOSTS = {
  /** What docs/HOSTING.md recommends: packs for ever, the head never unasked, scripts and modules for an hour. */
  recommended: (file) => ({ ...version, "cache-control": kept(file) }),
  /** GitHub Pages. */
  short: () => ({ ...version, "cache-control": "max-age=600" }),
  /** nginx, Apache and most others that nobody has told anything. */
  versions: () => version,
  /** A host that sends none. */
  none: () => ({}),
  nothing: () => ({ "cache-control": "no-store" }),
};

function kept(file) {
  if (file.endsWith(".pack")) return "public, max-age=31536000, immutable";
  return file.endsWith(".knarr") ? "no-cache" : "public, max-age=3600";
}

async function squeeze(file) {
  const bytes = await readFile(file);
  return compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
}

function locate(mounts, path) {
  const prefix = Object.keys(mounts).filter((mount) => path.startsWith(mount)).sort((a, b) => b.length - a.length)[0];
  if (prefix === undefined) throw new Error(`no mount for ${path}`);
  const below = normalize(path.slice(prefix.length) || ".");
  if (below.startsWith("..")) throw new Error(`${path} leaves its folder`);
  return join(mounts[prefix], path.endsWith("/") ? join(below, "index.html") : below);
}
