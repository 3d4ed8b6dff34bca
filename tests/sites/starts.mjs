/**
 * `cargo xtask test sites`, third part: the quick starts of docs/site/start, each in an empty folder, with every file and
 * command as it stands on its page.
 */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "../web/browser.mjs";
import { environment, lacks } from "./environment.mjs";
import { follow, read, STARTS } from "./quickstart.mjs";
import { startRegistry } from "./registry.mjs";
import { isWanted } from "./tools.mjs";

let browser;
let registry;
before(async () => {
  [browser, registry] = await Promise.all([launch(), startRegistry()]);
});
after(async () => {
  await browser.close();
  registry.close();
});

for (const name of STARTS.filter((name) => isWanted(`${name} start`))) {
  const start = read(name);
  test(`the quick start of ${name}`, { skip: lacks(start) ?? false }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "knarr-start-"));
    const cwd = join(folder, "site");
    mkdirSync(cwd);
    try {
      const { commands, files } = await follow(start, browser, { cwd, env: environment(start, folder, registry.address) });
      assert.ok(commands > 1 && files > 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
