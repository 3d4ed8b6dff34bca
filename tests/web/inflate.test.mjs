/** Parts are inflated by the browser: what it makes of data that is not what it says, and of a browser that cannot. */

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { openPage } from "./browser.mjs";
import { DIST } from "./bundles.mjs";
import { largeSite } from "./large.mjs";

const site = largeSite();

const TEXT = Buffer.from("the pieces of a long page ".repeat(4_000));
const packed = deflateRawSync(TEXT);
/** What a browser makes of them, and Node: its messages are its own, and it takes what stands behind the data for nothing. */
const CASES = [
  ["as it says", packed, TEXT.length, TEXT.length, TEXT.length],
  ["longer than it says", packed, TEXT.length - 1, "Error: it is longer than it says", "Error: it is longer than it says"],
  ["much longer", deflateRawSync(Buffer.alloc(1 << 26)), 100, "Error: it is longer than it says", "Error: it is longer than it says"],
  ["shorter than it says", packed, TEXT.length + 1, "Error: it is shorter than it says", "Error: it is shorter than it says"],
  ["cut off", packed.subarray(0, packed.length / 2), TEXT.length, "TypeError", "Error: unexpected end of file"],
  ["with more behind it", Buffer.concat([packed, Buffer.from("more")]), TEXT.length, "TypeError", TEXT.length],
  ["no deflate data", Buffer.from([0xff, 0xff, 0xff]), 3, "TypeError", "Error: invalid block type"],
];

/** Inflates; answers the length, or what was wrong. Runs in the page, too. */
async function inflated([address, bytes, length]) {
  const { inflate } = await import(address);
  return inflate(Uint8Array.from(bytes), length).then(({ length }) => length, (error) => (error instanceof TypeError ? "TypeError" : String(error)));
}

for (const [name, bytes, length, inBrowser, inNode] of CASES) {
  test(`data ${name}`, async () => {
    const page = await openPage(site.browser, `${site.server.origin}/blank.html`);
    assert.equal(await page.evaluate(inflated, ["/knarr/fetching.js", Array.from(bytes), length]), inBrowser);
    assert.equal(await inflated([`${DIST}/fetching.js`, bytes, length]), inNode);
    await page.close();
  });
}

test("a browser that cannot inflate is told to be the cause", async () => {
  const page = await openPage(site.browser, `${site.server.origin}/blank.html`);
  const error = await page.evaluate(async () => {
    delete globalThis.DecompressionStream;
    const { Knarr } = await import("/knarr/core.js");
    return Knarr.open("/search/", { worker: false }).catch(({ code, message }) => [code, message]);
  });
  assert.equal(error[0], "FAILED_PRECONDITION");
  assert.match(error[1], /^this browser cannot inflate: .*DecompressionStream/);
});
