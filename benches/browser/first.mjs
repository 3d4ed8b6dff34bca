/** The first query on a fresh page, nothing cached: bytes, requests, dependent rounds. */

/**
 * Asks each query on a page of its own. `client` is `{ engine, ask }`: which addresses are the engine's own files, and
 * the function that runs in the page with the query, from importing the first script to having what is shown.
 *
 * Answers one row per query, `{ bytes, engineBytes, dataBytes, requests, dataRequests, rounds, dataRounds, ms }`.
 */
export async function firstQueries(browser, address, client, queries, progress) {
  const rows = [];
  for (const query of queries) {
    const page = await browser.openPage(address);
    const before = page.requests.length;
    const ms = await page.run(client.ask, query, client.options ?? {});
    const made = await settled(page, before);
    rows.push(row(made, client.engine, ms));
    await page.close();
    progress(`${rows.length} of ${queries.length} first queries`);
  }
  return rows;
}

/** The requests since `before`, once all have ended: the last event of one can come after the page's answer. */
async function settled(page, before) {
  for (let tries = 0; tries < 100; tries++) {
    const made = page.requests.slice(before);
    if (made.every(({ end }) => end !== undefined)) return made;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("a request did not end");
}

function row(made, isEngine, ms) {
  const failed = made.find(({ status }) => status >= 400);
  if (failed) throw new Error(`${failed.url} answered ${failed.status}`);
  const engine = made.filter(({ url }) => isEngine(url));
  const data = made.filter(({ url }) => !isEngine(url));
  const bytes = (requests) => requests.reduce((sum, request) => sum + request.bytes, 0);
  return {
    bytes: bytes(made), engineBytes: bytes(engine), dataBytes: bytes(data),
    requests: made.length, dataRequests: data.length, rounds: rounds(made), dataRounds: rounds(data), ms,
  };
}

/**
 * The longest chain of requests of which each began after the one before had ended. With a latency at the server this is
 * how many round trips a slow connection waits for.
 */
export function rounds(requests) {
  const depths = [];
  const ordered = [...requests].sort((a, b) => a.start - b.start);
  for (const request of ordered) {
    const before = depths.filter(({ end }) => end <= request.start);
    depths.push({ end: request.end, depth: 1 + Math.max(0, ...before.map(({ depth }) => depth)) });
  }
  return Math.max(0, ...depths.map(({ depth }) => depth));
}

/** Knarr through its worker, as a page uses it: results with excerpts. Runs in the page. */
export const KNARR = {
  engine: (url) => url.includes("/knarr/"),
  ask: async (query, { limit, entry }) => {
    const began = performance.now();
    const { Knarr } = await import(`/knarr/${entry}`);
    const knarr = await Knarr.open("/bundle/", { worker: true });
    await knarr.find(query, { limit });
    return performance.now() - began;
  },
};

/** Pagefind's client, and the fragments of the results that are shown. Runs in the page. */
export const PAGEFIND = {
  engine: (url) => /pagefind[^/]*\.js$|\.pagefind$/.test(url),
  ask: async (query, { limit }) => {
    const began = performance.now();
    const pagefind = await import("/pagefind/pagefind.js");
    const { results } = await pagefind.search(query);
    await Promise.all(results.slice(0, limit).map((result) => result.data()));
    return performance.now() - began;
  },
};
