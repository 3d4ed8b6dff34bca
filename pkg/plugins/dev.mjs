/** What a development server answers: the element's files, and the index that the last build of the site left. */

import { readFile } from "node:fs";
import { join } from "node:path";
import { DIST, elementFiles } from "../bin/init.mjs";

const TYPES = { js: "text/javascript", wasm: "application/wasm" };

/** Middleware for addresses that begin with `prefix`; `built` is the folder that holds `search/` after a build. With `answers` it has the full engine. */
export function serveSearch(prefix, built, options) {
  const files = new Set(elementFiles(options));
  return (request, response, next) => {
    // Astro's server has taken the base off what it passes on.
    const path = (request.originalUrl ?? request.url).replace(/[?#].*/, "");
    if (!path.startsWith(prefix)) return void next();
    const name = path.slice(prefix.length);
    const folder = files.has(name) ? DIST : /^search\/\w[\w.-]*$/.test(name) ? built : undefined;
    const answer = (status, type, body) => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-cache" });
      response.end(body);
    };
    const missing = () => answer(404, "text/plain", "not built yet");
    if (folder === undefined) return missing();
    readFile(join(folder, name), (error, bytes) => {
      if (error) missing();
      else answer(200, TYPES[name.split(".").at(-1)] ?? "application/octet-stream", bytes);
    });
  };
}
