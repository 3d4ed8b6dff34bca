/**
 * A page that has everything it needs: CPU per query, time to open, memory.
 *
 * CPU and not wall time, because the machines that run this are shared: the page's own thread by Chromium's thread clock,
 * a worker by the CPU time of the renderer process. Each query is asked several times with another limit each time, so
 * that a cache of answers, if there is one, is not what gets measured.
 */

/** Rounds over the queries that count. */
const PASSES = 3;

/** Installs what the functions below use, in the page: above all every WebAssembly memory there is. */
async function prepare() {
  const bench = { memories: new Set() };
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...input) => {
      const made = await original.apply(WebAssembly, input);
      const { exports } = made.instance ?? made;
      if (exports.memory instanceof WebAssembly.Memory) bench.memories.add(exports.memory);
      return made;
    };
  }
  globalThis.bench = bench;
}

/** Opens `source` with the package's script `entry`, in a worker or on the page's thread, and keeps it. In the page. */
async function open(entry, source, worker) {
  const { Knarr } = await import(`/knarr/${entry}`);
  globalThis.bench.engine = await Knarr.open(source, { worker });
}

/** Asks one query, or nothing. In the page. */
async function ask(query, limit, options) {
  if (query !== null) await globalThis.bench.engine.find(query, { limit, ...options });
}

/** Bytes of WebAssembly memory on the page's thread. In the page. */
function wasmBytes() {
  return [...globalThis.bench.memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
}

/** Milliseconds of CPU of each query, the median of its passes, sorted; `clock` reads seconds of CPU. */
async function perQuery(queries, clock, run) {
  const costs = queries.map(() => []);
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [at, query] of queries.entries()) {
      const before = await clock();
      await run(query, 10 + pass);
      costs[at].push(1000 * ((await clock()) - before));
    }
  }
  // What reading the clock and calling into the page costs by itself.
  const empty = [];
  for (let i = 0; i < 50; i++) {
    const before = await clock();
    await run(undefined, 10);
    empty.push(1000 * ((await clock()) - before));
  }
  const overhead = median(empty);
  return costs.map((passes) => Math.max(0, median(passes) - overhead)).sort((a, b) => a - b);
}

/** Milliseconds of CPU per query over all passes, for a clock too coarse for one query. */
async function perQueryMean(queries, clock, run) {
  const before = await clock();
  for (let pass = 0; pass < PASSES; pass++) {
    for (const query of queries) await run(query, 10 + pass);
  }
  const asked = await clock();
  for (let pass = 0; pass < PASSES; pass++) {
    for (let at = 0; at < queries.length; at++) await run(undefined, 10);
  }
  const overhead = (await clock()) - asked;
  return (1000 * Math.max(0, asked - before - overhead)) / (PASSES * queries.length);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** CPU per query on the page's thread, all parts loaded. Answers `{ excerpts, ranking }`, sorted milliseconds. */
export async function direct(browser, address, entry, queries, progress) {
  const page = await browser.openPage(address);
  await page.run(prepare);
  await page.run(open, entry, "/bundle/", false);
  progress("warm, direct: loading all parts");
  for (const query of queries) await page.run(ask, query, 10 + PASSES, {});
  const clock = await threadClock(page);
  const results = {};
  for (const [name, options] of [["excerpts", {}], ["ranking", { excerpts: false }]]) {
    progress(`warm, direct: ${name}`);
    results[name] = await perQuery(queries, clock, (query, limit) => page.run(ask, query ?? null, limit, options));
  }
  await page.close();
  return results;
}

/** CPU per query of the whole renderer when the engine runs in the worker: mean milliseconds, messages included. */
export async function worker(browser, address, entry, queries, progress) {
  const page = await browser.openPage(address);
  await page.run(prepare);
  await page.run(open, entry, "/bundle/", true);
  progress("warm, worker");
  for (const query of queries) await page.run(ask, query, 10 + PASSES, {});
  const cost = await perQueryMean(queries, browser.rendererSeconds, (query, limit) => page.run(ask, query ?? null, limit, {}));
  await page.close();
  return cost;
}

/** The same for Pagefind: its search and the fragments of the results. */
export async function pagefind(browser, address, queries, progress) {
  const page = await browser.openPage(address);
  const search = async (query, limit) => {
    globalThis.pagefind ??= await import("/pagefind/pagefind.js");
    if (query === null) return;
    const { results } = await globalThis.pagefind.search(query);
    await Promise.all(results.slice(0, limit).map((result) => result.data()));
  };
  progress("warm, Pagefind");
  for (const query of queries) await page.run(search, query, 10 + PASSES);
  const cost = await perQueryMean(queries, browser.rendererSeconds, (query, limit) => page.run(search, query ?? null, limit));
  await page.close();
  return cost;
}

/** Seconds of CPU of the page's main thread. */
async function threadClock(page) {
  await page.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await page.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value;
  };
}

/**
 * CPU of opening, sorted milliseconds, the engine being there already: the head of `/bundle/`, or with `file` the bytes
 * of a one-file bundle, fetched before the clock starts.
 */
export async function opening(browser, address, entry, file, times) {
  const page = await browser.openPage(address);
  await page.run(prepare);
  await page.run(async (entry, file) => {
    const { Knarr } = await import(`/knarr/${entry}`);
    const source = file === null ? "/bundle/" : new Uint8Array(await (await fetch(file)).arrayBuffer());
    globalThis.bench.open = async () => {
      const opened = await Knarr.open(source, { worker: false });
      globalThis.bench.close = () => opened.close();
    };
    await globalThis.bench.open(); // Compiles the module.
    globalThis.bench.close();
  }, entry, file);
  const clock = await threadClock(page);
  const costs = [];
  for (let i = 0; i < times; i++) {
    const before = await clock();
    await page.run(() => globalThis.bench.open());
    costs.push(1000 * ((await clock()) - before));
    await page.run(() => globalThis.bench.close());
  }
  await page.close();
  return costs.sort((a, b) => a - b);
}

/**
 * Bytes of memory, engine on the page's thread: `{ head, first, warm, whole }`, each `{ wasm, heap }`, after opening,
 * after one query, after all of them, and with `file` after opening a whole one-file bundle and asking all.
 */
export async function memory(browser, address, entry, queries, file, progress) {
  const results = {};
  const measure = async (page) => {
    await page.send("HeapProfiler.collectGarbage");
    const { usedSize } = await page.send("Runtime.getHeapUsage");
    return { wasm: await page.run(wasmBytes), heap: usedSize };
  };
  progress("memory");
  const page = await browser.openPage(address);
  await page.run(prepare);
  await page.run(open, entry, "/bundle/", false);
  results.head = await measure(page);
  await page.run(ask, queries[0], 10, {});
  results.first = await measure(page);
  for (const query of queries) await page.run(ask, query, 10, {});
  results.warm = await measure(page);
  await page.close();
  if (file !== undefined) {
    const page = await browser.openPage(address);
    await page.run(prepare);
    await page.run(open, entry, file, false);
    for (const query of queries) await page.run(ask, query, 10, {});
    results.whole = await measure(page);
    await page.close();
  }
  return results;
}
