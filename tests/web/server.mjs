/** A static file server for tests: byte ranges, a strict content security policy, and faults that a test switches on. */

import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { Transform } from "node:stream";

const TYPES = {
  ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json",
  ".mjs": "text/javascript", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

/** What a page needs for Knarr and nothing more: no inline script, no style, no eval. */
export const KNARR_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self'; connect-src 'self'; worker-src 'self'";

/** The same for a page that has a style sheet of its own. */
const POLICY = `${KNARR_POLICY}; style-src 'self'`;

/**
 * Starts a server for `mounts`, URL prefixes to folders; the longest prefix wins.
 *
 * `faults` of the returned server, all off: `ranges` false answers whole files; `delay` milliseconds before each answer, or a function from path to them;
 * `flip` a predicate on paths whose answers get one bit flipped; `status` a function from path to a status to fail with;
 * `stall` a predicate on paths that are never answered; `query` what becomes of addresses with a query: `refused` with a
 * 403, `reset` without an answer, answered with a `page`, the `whole` file, or a range that is `shifted` or `cut`;
 * `several` what becomes of requests for several ranges: `whole`, `refused` with a 416, answered with the `first`, or `cut`;
 * `control` the `Cache-Control` in place of `no-store`, null for none; `etag` an `ETag` for everything.
 * `policy` is the pages' content security policy; false for none. `clean` answers `guide/start` with `guide/start.html` or
 * `guide/start/index.html`, as hosts do. `shared` lets other origins read everything.
 * `requests` lists what was asked for, as `{ path, search, range, at, aborted }`; `at` in milliseconds.
 */
export async function serve(mounts, { policy = POLICY, clean = false, shared = false } = {}) {
  const state = { faults: {}, requests: [], clean, shared };
  const server = createServer(async (request, response) => {
    try {
      await answer(state, mounts, policy, request, response);
    } catch {
      if (!response.headersSent) response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    origin: `http://127.0.0.1:${server.address().port}`,
    reset() {
      state.faults = {};
      state.requests.length = 0;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

async function answer(state, mounts, policy, request, response) {
  const { pathname, search } = new URL(request.url, "http://localhost");
  const path = decodeURIComponent(pathname);
  const { faults } = state;
  const minded = search && faults.query;
  const range = minded === "whole" ? undefined : request.headers.range;
  const noted = { path, search, range, at: performance.now(), aborted: false };
  state.requests.push(noted);
  response.on("close", () => (noted.aborted = !response.writableFinished));
  const delay = typeof faults.delay === "function" ? faults.delay(path) : faults.delay;
  if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
  if (faults.stall?.(path)) return; // No answer, until the server is closed.
  const status = faults.status?.(path);
  if (status !== undefined) {
    response.writeHead(status).end();
    return;
  }
  if (minded === "reset") return void response.destroy();
  if (minded === "refused" || minded === "page") {
    response.writeHead(minded === "page" ? 200 : 403, { "content-type": TYPES[".html"] }).end("<!doctype html>".padEnd(100_000));
    return;
  }
  const file = await existing(locate(mounts, path), state.clean);
  const { size } = await stat(file);
  const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
  if (faults.ranges !== false) headers["accept-ranges"] = "bytes";
  if (faults.control !== null) headers["cache-control"] = faults.control ?? "no-store";
  if (faults.etag) headers.etag = faults.etag;
  if (state.shared) headers["access-control-allow-origin"] = "*";
  if (policy) headers["content-security-policy"] = policy;
  const parts = faults.ranges === false || !range?.includes(",") ? [] : range.replace("bytes=", "").split(",");
  if (parts.length > 0 && faults.several === "refused") return void response.writeHead(416, { "content-range": `bytes */${size}` }).end();
  if (parts.length > 0 && faults.several !== "first" && faults.several !== "whole") {
    const body = multipart(await readFile(file), parts, size);
    const length = faults.several === "cut" ? body.length >> 1 : body.length;
    response.writeHead(206, { ...headers, "content-type": `multipart/byteranges; boundary=${BOUNDARY}`, "content-length": length });
    if (faults.flip?.(path)) body[length >> 1] ^= 4;
    return void response.end(body.subarray(0, length));
  }
  let [start, end] = faults.ranges === false ? [] : parseRange(faults.several === "first" && parts.length > 0 ? `bytes=${parts[0]}` : range, size);
  if (minded === "shifted") [start, end] = [0, end - start];
  if (minded === "cut") end = (start + end) >> 1;
  if (start === undefined) {
    response.writeHead(200, { ...headers, "content-length": size });
  } else if (start >= size) {
    response.writeHead(416, { "content-range": `bytes */${size}` }).end();
    return;
  } else {
    response.writeHead(206, {
      ...headers, "content-length": end - start + 1, "content-range": `bytes ${start}-${end}/${size}`,
    });
  }
  const body = createReadStream(file, start === undefined ? {} : { start, end });
  await pipeline(faults.flip?.(path) ? [body, flipper(), response] : [body, response]);
}

const BOUNDARY = "part of a file";

/** Several ranges of a file as one body (RFC 9110 §14.6). */
function multipart(file, ranges, size) {
  const parts = ranges.flatMap((range) => {
    const [start, end] = range.trim().split("-").map(Number);
    const head = `--${BOUNDARY}\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ${start}-${end}/${size}\r\n\r\n`;
    return [Buffer.from(head), file.subarray(start, end + 1), Buffer.from("\r\n")];
  });
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

async function existing(file, clean) {
  if (!clean || extname(file) !== "") return file;
  for (const candidate of [`${file}.html`, join(file, "index.html")]) {
    if (await stat(candidate).then((found) => found.isFile(), () => false)) return candidate;
  }
  return file;
}

function locate(mounts, path) {
  const prefix = Object.keys(mounts).filter((mount) => path.startsWith(mount)).sort((a, b) => b.length - a.length)[0];
  if (prefix === undefined) throw new Error(`no mount for ${path}`);
  const below = normalize(path.slice(prefix.length) || ".");
  if (below.startsWith("..")) throw new Error(`${path} leaves its folder`);
  return join(mounts[prefix], path.endsWith("/") ? join(below, "index.html") : below);
}

function parseRange(range, size) {
  const match = /^bytes=(\d+)-(\d*)$/.exec(range ?? "");
  if (match === null) return [];
  return [Number(match[1]), Math.min(match[2] === "" ? size - 1 : Number(match[2]), size - 1)];
}

/** Flips the lowest bit of the middle byte of the first chunk: damage that no length or magic number shows. */
function flipper() {
  let done = false;
  return new Transform({
    transform(chunk, _, next) {
      if (!done && chunk.length > 0) {
        done = true;
        chunk[chunk.length >> 1] ^= 1;
      }
      next(null, chunk);
    },
  });
}
