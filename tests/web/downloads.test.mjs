/** What is fetched when calls overlap or are given up: each range once, and nothing that is on its way is cut off. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openPage } from "./browser.mjs";
import { DIST } from "./bundles.mjs";
import { largeSite, packs } from "./large.mjs";

const site = largeSite();

const twice = () => packs(site).map(({ path, range }) => `${path} ${range}`).filter((name, at, all) => all.indexOf(name) !== at);
const cutOff = () => site.server.requests.filter(({ aborted }) => aborted);

for (const worker of [true, false]) {
  describe(worker ? "in a worker" : "on the page's thread", () => {
    /** Asks in a page of its own, 20 ms after one another, and gives up all but the last; answers the outcomes. */
    const asked = async (queries, gives) => {
      const page = await openPage(site.browser, `${site.server.origin}/blank.html`);
      site.server.faults.delay = 100;
      const outcomes = await page.evaluate(async ([queries, gives, worker]) => {
        const { Knarr } = await import("/knarr/core.js");
        const knarr = await Knarr.open("/search/", { worker });
        const calls = [];
        for (const query of queries) {
          const given = new AbortController();
          calls.push(knarr.find(query, { signal: given.signal }).then(({ total }) => total, ({ code }) => code));
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (gives && query !== queries.at(-1)) given.abort();
        }
        const outcomes = await Promise.all(calls);
        knarr.close();
        return outcomes;
      }, [queries, gives, worker]);
      assert.deepEqual(page.complaints, []);
      await page.context().close();
      return outcomes;
    };

    test("calls side by side ask for each range once", async () => {
      const [one, same, other] = await asked(["bowline loop", "bowline loop", "bowline barometer"], false);
      assert.ok(one > 0 && other > 0);
      assert.equal(same, one);
      assert.deepEqual(twice(), []);
    });

    test("a call that is given up spoils nothing for the next", async () => {
      const outcomes = await asked(["baro", "barom", "barome", "baromet", "barometer"], true);
      assert.ok(outcomes.pop() > 0);
      assert.deepEqual(outcomes, ["ABORTED", "ABORTED", "ABORTED", "ABORTED"]);
      assert.deepEqual(twice(), []);
      assert.deepEqual(cutOff(), []);
    });
  });
}

test("a call that is given up asks for nothing more", async () => {
  const { Knarr } = await import(`${DIST}/direct.js`);
  const knarr = await Knarr.open(`${site.server.origin}/search/`);
  site.server.reset();
  site.server.faults.delay = 200;
  const caller = new AbortController();
  const call = knarr.find("bowline loop", { signal: caller.signal }).catch((error) => error);
  while (packs(site).length === 0) await sleep(5);
  await sleep(5);
  caller.abort();
  assert.equal((await call).code, "ABORTED");
  const asked = packs(site).length;
  await sleep(600);
  assert.equal(packs(site).length, asked);
  assert.deepEqual(cutOff(), []);
  knarr.close();
});

test("closing ends what is on its way", async () => {
  const { Knarr } = await import(`${DIST}/direct.js`);
  const knarr = await Knarr.open(`${site.server.origin}/search/`);
  site.server.reset();
  site.server.faults.stall = () => true;
  const call = knarr.find("bowline loop").catch((error) => error);
  while (packs(site).length === 0) await sleep(10);
  knarr.close();
  assert.equal((await call).code, "FAILED_PRECONDITION");
  await sleep(100);
  assert.deepEqual(cutOff().length, packs(site).length);
});

describe("addresses of ranges", () => {
  /** Asks two questions in a new page; answers the totals, or the code of an error. */
  const ask = async () => {
    const page = await openPage(site.browser, `${site.server.origin}/blank.html`);
    const totals = await page.evaluate(async () => {
      const { Knarr } = await import("/knarr/core.js");
      const knarr = await Knarr.open("/search/");
      const total = (query) => knarr.find(query).then(({ total }) => total, ({ code }) => code);
      return [await total("bowline loop"), await total("barometer falls")];
    });
    await page.context().close();
    return totals;
  };

  test("are of their own, so that none waits for another", async () => {
    const totals = await ask();
    assert.ok(totals.every((total) => total > 0), String(totals));
    const ranges = packs(site).filter(({ range }) => range);
    assert.ok(ranges.length > 4);
    for (const { search, range } of ranges) assert.equal(search.slice(1), range.slice("bytes=".length));
  });

  for (const query of ["refused", "reset", "page", "whole", "shifted", "cut"]) {
    test(`are plain after the first round on a host where they are ${query}`, async () => {
      const expected = await ask();
      site.server.reset();
      site.server.faults.query = query;
      assert.deepEqual(await ask(), expected);
      const asked = packs(site);
      const found = asked.findIndex(({ search }) => search === "");
      assert.ok(found > 0);
      // What was asked for together goes out before the first answer is there; from then on no address has a query.
      assert.ok(asked.slice(found).every(({ search }) => search === ""), JSON.stringify(asked.map(({ search }) => search)));
    });
  }

  test("are asked for once more, plainly, before a file is said to be missing", async () => {
    site.server.faults.status = (path) => (path.endsWith(".pack") ? 404 : undefined);
    assert.deepEqual(await ask(), ["BUNDLE_MISSING", "BUNDLE_MISSING"]);
  });
});
