/**
 * A quick start of docs/site/start, followed as it is written: its files are made, its commands are run in a shell, and
 * what it says about the page in the end is done in Chromium.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage } from "../web/browser.mjs";

const FOLDER = fileURLToPath(new URL("../../docs/site/start/", import.meta.url));

/** Names of all quick starts. */
export const STARTS = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, "")).filter((name) => name !== "index");

/**
 * The steps of a page in order: `{ file, text }`, `{ line }`, `{ output }` of the line before, `{ server }`; what it needs
 * (`node`, `python`, `needs`); the `address` that is opened, the `word` that is typed and the `title` that is then first.
 */
export function read(name) {
  const text = readFileSync(join(FOLDER, `${name}.md`), "utf8");
  const [, head = ""] = /^---\n(.*?)^---\n/ms.exec(text) ?? [];
  const needs = Object.fromEntries(head.split("\n").filter(Boolean).map((line) => line.split(": ")));
  const steps = [];
  for (const [, language, file, body] of text.matchAll(/^```(\w+)(?: \[([^\]]+)\])?\n(.*?)^```$/gms)) {
    const lines = body.split("\n").filter(Boolean);
    if (language === "sh" && file === "serve") steps.push({ server: lines[0] });
    else if (language === "sh") steps.push(...lines.map((line) => ({ line })));
    else if (file) steps.push({ file, text: body });
    else if (language === "text") steps.push({ output: body });
    else throw new Error(`${name}: a block of ${language} that is neither a file nor a command`);
  }
  const [, address] = /^Open <(\S+)>/m.exec(text) ?? [];
  const [, word] = /type \*(\w+)\*/.exec(text) ?? [];
  const [, title] = /type \*\w+\*\. The \w+ "([^"]+)"/.exec(text) ?? [];
  assert.equal(steps.some(({ server }) => server), address !== undefined, `${name}: a server has an address`);
  return { name, ...needs, steps, address, word, title };
}

/** Runs a command, and returns what it printed. */
function run(line, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let told = "";
    child.stdout.on("data", (data) => ((out += data), (told += data)));
    child.stderr.on("data", (data) => (told += data));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`${line}: ended with ${code}\n${told.slice(-3000)}`))));
  });
}

/** Starts the server of a page, waits until it answers, and returns what ends it. */
async function serve(line, address, { cwd, env }) {
  if (await fetch(address).then(() => true, () => false)) throw new Error(`${address} is taken by another program`);
  const child = spawn("sh", ["-c", `exec ${line}`], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (told += data));
  const end = () => {
    try {
      process.kill(-child.pid); // The server, and what it started.
    } catch {
      // It has ended by itself.
    }
  };
  for (let i = 0; !(await fetch(address).then(({ ok }) => ok, () => false)); i++) {
    if (i > 1800 || child.exitCode !== null) {
      end();
      throw new Error(`${line}: nothing at ${address}\n${told.slice(-3000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return end;
}

/** Opens the page, types the word, and follows the first result. */
async function search(browser, { address, word, title }) {
  const page = await openPage(browser, address);
  await page.locator("knarr-search button.trigger").locator("visible=true").first().waitFor({ timeout: 60_000 });
  await page.keyboard.press("Control+k");
  const combobox = page.locator("knarr-search").getByRole("combobox");
  await combobox.fill(word);
  await page.locator("knarr-search .group:first-child .page .title").getByText(title).waitFor({ timeout: 60_000 });
  await page.keyboard.press("Enter");
  await page.waitForFunction((heading) => document.body.innerText.includes(heading), word, { timeout: 30_000 });
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

/**
 * Follows a quick start in the empty folder `cwd`; resolves with the number of commands, of files, and the seconds until
 * the search answered.
 */
export async function follow(start, browser, { cwd, env }) {
  const from = performance.now();
  const counted = { commands: 0, files: 0 };
  let printed = "";
  let searched = false;
  for (const { file, text, line, output, server } of start.steps) {
    if (file) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), text);
      counted.files++;
    } else if (line) {
      printed = await run(line, { cwd, env });
      counted.commands++;
    } else if (output !== undefined) {
      assert.equal(printed, output);
      searched = true;
    } else {
      const end = await serve(server, start.address, { cwd, env });
      counted.commands++;
      try {
        await search(browser, start);
        searched = true;
      } finally {
        end();
      }
    }
  }
  assert.ok(searched, "something was found");
  return { ...counted, seconds: (performance.now() - from) / 1000 };
}
