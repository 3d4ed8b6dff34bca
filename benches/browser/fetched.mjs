/** What a first question fetches of a bundle, asked in Node with the package's core: the same parts as in a browser. */

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "./server.mjs";

/** For each query, asked of a bundle that is opened anew, its requests: `{ file, from, to, bytes }`, the head without from and to. */
export async function fetched(dist, bundle, queries) {
  const { Knarr } = await import(pathToFileURL(join(resolve(dist), "core.js")));
  const server = await serve({ "/bundle": bundle });
  const all = [];
  try {
    for (const query of queries) {
      const seen = server.requests.length;
      const knarr = await Knarr.open(`${server.origin}/bundle/`, { worker: false });
      await knarr.find(query, { limit: 10 });
      knarr.close();
      all.push(server.requests.slice(seen).map(({ url, range, bytes }) => {
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
        const { pathname } = new URL(url, server.origin);
        return { file: pathname.slice("/bundle/".length), from: from && Number(from), to: to && Number(to), bytes };
      }));
    }
  } finally {
    await server.close();
  }
  return all;
}

/** `n` of the values, evenly spaced from the first. */
export function evenly(values, n) {
  const step = Math.max(1, Math.floor(values.length / n));
  return values.filter((_, at) => at % step === 0).slice(0, n);
}
