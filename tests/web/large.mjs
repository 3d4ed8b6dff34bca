/** The large bundle of the tests on a server that counts, and a browser: for files that test what a page asks a host for. */

import { after, before, beforeEach } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { DIST, LARGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

export const MOUNTS = { "/": fileURLToPath(new URL("pages", import.meta.url)), "/knarr/": DIST, "/search/": LARGE };

/** Both, started before the file's tests and closed after them; the server forgets its requests before each. */
export function largeSite() {
  const site = { browser: undefined, server: undefined };
  before(async () => {
    site.server = await serve(MOUNTS);
    site.browser = await launch();
  });
  after(async () => {
    await site.browser?.close();
    await site.server?.close();
  });
  beforeEach(() => site.server.reset());
  return site;
}

/** The requests for ranges of the bundle's packs. */
export function packs({ server }) {
  return server.requests.filter(({ path }) => path.endsWith(".pack"));
}
