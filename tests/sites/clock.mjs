/**
 * Five minutes by the clock: follows quick starts, each in an empty folder with a home and caches of its own, and prints
 * the commands, the files that are written, and the seconds to the first answer in Chromium, as a table.
 *
 * `node clock.mjs [NAME…]`; all that this machine has the programs for, when none is named.
 */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../web/browser.mjs";
import { environment, lacks } from "./environment.mjs";
import { follow, read, STARTS } from "./quickstart.mjs";
import { startRegistry } from "./registry.mjs";

const names = process.argv.length > 2 ? process.argv.slice(2) : STARTS;
const registry = await startRegistry();
const browser = await launch();
const rows = [];
try {
  for (const name of names) {
    const start = read(name);
    const missing = lacks(start);
    if (missing) {
      console.error(`${name}: left out, ${missing}`);
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), "knarr-clock-"));
    const cwd = join(folder, "site");
    mkdirSync(cwd);
    try {
      const { commands, files, seconds } = await follow(start, browser, { cwd, env: environment(start, folder, registry.address) });
      rows.push(`| ${name} | ${commands} | ${files} | ${seconds.toFixed(0)} |`);
    } catch (error) {
      rows.push(`| ${name} | failed: ${error.message.split("\n")[0]} | | |`);
      process.exitCode = 1;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    console.error(rows.at(-1));
  }
} finally {
  await browser.close();
  registry.close();
}
console.log(["| | commands | files | seconds |", "|---|--:|--:|--:|", ...rows].join("\n"));
