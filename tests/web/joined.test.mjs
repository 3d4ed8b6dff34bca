/** Bundles with large packs: ranges of a file share a request where the host answers several, and every other host does. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { DIST, JOINED, LARGE } from "./bundles.mjs";
import { Installed } from "./extension-page.mjs";
import { apache, during, lacks, nginx } from "./hosts.mjs";
import { serve } from "./server.mjs";

const PAGES = fileURLToPath(new URL("pages", import.meta.url));
const NATIVE = process.env.KNARR_BIN ?? fileURLToPath(new URL("../../target/debug/knarr", import.meta.url));
const QUERIES = ["bowline loop", "berth of the harbour master", "barometer falls quickly"];

let browser, server, expected;
before(async () => {
  browser = await launch();
  server = await serve({ "/": PAGES, "/knarr/": DIST, "/search/": JOINED, "/small/": LARGE }, { policy: false });
  // Packs of 64 kB, as ever.
  expected = (await asked(server.origin, { from: "/small/" })).found;
  assert.ok(expected.every((uris) => uris.length > 2), JSON.stringify(expected));
});
after(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(() => {
  server.reset();
  server.faults.control = null; // It keeps nothing otherwise.
});

/** Asks in a page, then in a second one; answers what was found, and the ranges that each asked packs for, a request each. */
async function asked(origin, { from = "/search/", worker = false } = {}) {
  const page = await openPage(browser, `${origin}/blank.html`);
  const ranges = [];
  page.context().on("request", (request) => request.url().includes(".pack") && ranges.push(request.headers().range));
  const ask = async (page) => {
    const found = await page.evaluate(async ([queries, from, worker]) => {
      const { Knarr } = await import("/knarr/core.js");
      const knarr = await Knarr.open(from, { worker });
      const found = [];
      for (const query of queries) found.push(await knarr.find(query).then(({ resources }) => resources.map(({ uri }) => uri), ({ code }) => code));
      await new Promise((resolve) => setTimeout(resolve, 300)); // Nobody waits for what is kept.
      knarr.close();
      return found;
    }, [QUERIES, from, worker]);
    return { found, ranges: ranges.splice(0) };
  };
  try {
    const first = await ask(page);
    const other = await page.context().newPage();
    await other.goto(`${origin}/blank.html`);
    const second = await ask(other);
    assert.deepEqual(second.found, first.found);
    assert.deepEqual(page.complaints, []);
    return { ...first, again: second.ranges };
  } finally {
    await page.context().close();
  }
}

const several = (ranges) => ranges.filter((range) => range?.includes(","));

/** One request a round and pack, and none when the same is asked in another page. */
function assertJoined({ found, ranges, again }) {
  assert.deepEqual(found, expected);
  // Words, vectors and texts of three questions, and words that are looked up as others.
  assert.ok(ranges.length <= 14 && several(ranges).length >= 3, JSON.stringify(ranges));
  assert.deepEqual(again, []);
}

for (const worker of [true, false]) {
  test(`ranges share requests, and are kept ${worker ? "by a worker" : "on the page's thread"}`, async () => {
    const joined = await asked(server.origin, { worker });
    assertJoined(joined);
    const single = await asked(server.origin, { from: "/small/", worker });
    assert.ok(single.ranges.length > 1.5 * joined.ranges.length, `${single.ranges.length} and ${joined.ranges.length}`);
    assert.deepEqual(several(single.ranges), []);
  });
}

describe("hosts that answer several ranges otherwise are asked for one by one", () => {
  for (const fault of ["whole", "refused", "first"]) {
    test(fault, async () => {
      server.faults.several = fault;
      const { found, ranges } = await asked(server.origin);
      assert.deepEqual(found, expected);
      assert.equal(several(ranges).length, 1);
    });
  }

  test("parts that are cut off", async () => {
    server.faults.several = "cut";
    const { found, ranges } = await asked(server.origin);
    assert.deepEqual(found, expected);
    assert.ok(several(ranges).length < ranges.length / 2, JSON.stringify(ranges));
  });

  test("a host without ranges, which sends each pack once", async () => {
    server.faults.ranges = false;
    const { found, ranges } = await asked(server.origin);
    assert.deepEqual(found, expected);
    // A range that is wanted alone before is another download.
    assert.ok(ranges.length <= 5, JSON.stringify(ranges));
  });

  test("a sandbox, whose opaque origin is another", async () => {
    const other = await serve({ "/": PAGES, "/knarr/": DIST, "/search/": JOINED }, { policy: "sandbox allow-scripts", shared: true });
    try {
      const { found, ranges } = await asked(other.origin);
      assert.deepEqual(found, expected);
      assert.deepEqual(several(ranges), []);
    } finally {
      await other.close();
    }
  });

  test("another origin, which would have to allow it", async () => {
    const other = await serve({ "/search/": JOINED }, { shared: true });
    try {
      const { found, ranges } = await asked(server.origin, { from: `${other.origin}/search/` });
      assert.deepEqual(found, expected);
      assert.deepEqual(several(ranges), []);
    } finally {
      await other.close();
    }
  });
});

test("damaged parts are told, not shown", async () => {
  server.faults.flip = (path) => path.endsWith(".pack");
  const { found } = await asked(server.origin);
  assert.deepEqual([...new Set(found)], ["BUNDLE_MISMATCH"]);
});

test("a bundle that is opened again in a page asks for nothing again", async () => {
  const page = await openPage(browser, `${server.origin}/blank.html`);
  const packs = [];
  page.on("request", (request) => request.url().includes(".pack") && packs.push(request.url()));
  const ask = () => page.evaluate(async ([query]) => {
    const { Knarr } = await import("/knarr/core.js");
    const knarr = await Knarr.open("/search/", { worker: false });
    const { total } = await knarr.find(query);
    await new Promise((resolve) => setTimeout(resolve, 300));
    knarr.close();
    return total;
  }, QUERIES);
  const total = await ask();
  const asked = packs.length;
  assert.ok(total > 0 && asked > 0);
  for (let again = 0; again < 3; again++) assert.equal(await ask(), total);
  assert.equal(packs.length, asked);
  await page.context().close();
});

describe("what a program fetches", () => {
  let folder, bytes, fetchFile;
  before(async () => {
    ({ fetchFile } = await import(`${DIST}/fetching.js`));
    folder = mkdtempSync("/var/tmp/knarr-ranges-");
    bytes = Uint8Array.from({ length: 400_000 }, (_, at) => (at * 7919) >> 5);
    writeFileSync(join(folder, "a.pack"), bytes);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const RANGES = [[0, 99], [1000, 1999], [300_000, 300_010]];
  /** Asks for ranges in one go; proves that each is the file's. */
  const all = async (address, ranges = RANGES) => {
    const given = await Promise.all(ranges.map(async ([from, to]) => {
      const response = await fetchFile(address, { headers: new Headers({ Range: `bytes=${from}-${to}` }) }, true);
      assert.equal(response.status, 206);
      return new Uint8Array(await response.arrayBuffer());
    }));
    ranges.forEach(([from, to], at) => assert.deepEqual(given[at], bytes.slice(from, to + 1)));
  };

  test("a large range is a request of its own, which browsers keep", async () => {
    const own = await serve({ "/": folder });
    await all(`${own.origin}/a.pack`, [...RANGES, [50_000, 200_000]]);
    assert.deepEqual(own.requests.map(({ range }) => range).sort(), ["bytes=0-99,1000-1999,300000-300010", "bytes=50000-200000"]);
    await own.close();
  });

  test("ranges of a file on disk are read, not the file", () => all(pathToFileURL(join(folder, "a.pack")).href));

  /** Answers several ranges as `answer` has it, and single ones as hosts do. */
  const answered = async (answer, use) => {
    const asked = [];
    const host = createServer((request, response) => {
      asked.push(request.headers.range);
      const ranges = request.headers.range.replace("bytes=", "").split(",").map((range) => range.split("-").map(Number));
      if (ranges.length > 1) return void answer(response, ranges);
      const [[from, to]] = ranges;
      response.writeHead(206, { "content-range": `bytes ${from}-${to}/400000` }).end(bytes.subarray(from, to + 1));
    });
    await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
    await use(`http://127.0.0.1:${host.address().port}/a.pack`);
    host.close();
    return asked.filter((range) => range.includes(",")).length;
  };
  const TYPE = { "content-type": "multipart/byteranges; boundary=b" };
  const bodies = (end, range, order = (parts) => parts) => (response, ranges) => {
    const part = ([from, to]) => [Buffer.from(`--b${end}Content-Type: x/y${end}${range}${from}-${to}/400000${end}${end}`), bytes.subarray(from, to + 1), Buffer.from(end)];
    response.writeHead(206, TYPE).end(Buffer.concat([Buffer.from(end), ...order(ranges).flatMap(part), Buffer.from(`--b--${end}`)]));
  };
  const WAYS = {
    "as the standard has it": [bodies("\r\n", "Content-Range: bytes "), 2],
    "in another order, in other letters": [bodies("\r\n", "CONTENT-RANGE:\tBytes ", (parts) => parts.toReversed()), 2],
    "with bare line ends": [bodies("\n", "content-range: bytes "), 2],
    "as one range around them": [(response) => response.writeHead(206, { "content-range": "bytes 0-300010/400000" }).end(bytes.subarray(0, 300_011)), 2],
    "without saying which": [bodies("\r\n", "X-Range: bytes "), 1],
    "by hanging up": [(response) => response.destroy(), 1],
    "that it is busy": [(response) => response.writeHead(503).end(), 2],
  };
  for (const [name, [answer, times]] of Object.entries(WAYS)) {
    test(`of a host that answers ${name}`, async () => {
      const joined = await answered(answer, async (address) => {
        await all(address);
        await all(address);
      });
      assert.equal(joined, times);
    });
  }
});

test("a host that keeps nothing is obeyed", async () => {
  server.faults.control = "no-store";
  const { found, ranges, again } = await asked(server.origin);
  assert.deepEqual(found, expected);
  assert.deepEqual(again, ranges);
});

describe("real servers", () => {
  let site;
  before(() => {
    site = mkdtempSync("/var/tmp/knarr-joined-");
    spawnSync("cp", ["-r", `${PAGES}/.`, site]);
    spawnSync("cp", ["-r", DIST, `${site}/knarr`]);
    spawnSync("cp", ["-r", JOINED, `${site}/search`]);
    spawnSync("chmod", ["-R", "a+rX", site]); // Their workers are somebody else.
  });
  after(() => rmSync(site, { recursive: true, force: true }));
  const served = () => ({ scratch: site, folder: site, path: "/blank.html" });
  const joins = async (origin) => assertJoined(await asked(origin));

  test("an extension's own files, of which Chromium sends the whole", async () => {
    writeFileSync(join(site, "background.js"), "");
    writeFileSync(join(site, "manifest.json"), JSON.stringify({
      manifest_version: 3, name: "Joined", version: "1", background: { service_worker: "background.js" },
      content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
    }));
    const installed = await Installed.start(site);
    try {
      const page = await installed.open("blank.html");
      const found = await page.evaluate(async (queries) => {
        const { Knarr } = await import("/knarr/core.js");
        const knarr = await Knarr.open("/search/", { worker: false });
        const found = [];
        for (const query of queries) found.push((await knarr.find(query)).resources.map(({ uri }) => uri));
        return found;
      }, QUERIES);
      assert.deepEqual(found, expected);
      assert.deepEqual(installed.complaints, []);
    } finally {
      await installed.stop();
    }
  });

  test("knarr serve", () => during(NATIVE, ["serve", site, "--port", "0"], { path: "/blank.html" }, joins));
  test("nginx", { skip: lacks("nginx") }, () => nginx(served(), joins));
  test("Apache", { skip: lacks("apache2") }, () => apache(served(), joins));
});
