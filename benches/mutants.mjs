#!/usr/bin/env node
/** Does a test notice when the ranking is wrong? Makes one deliberate error at a time and runs the tests. `--help`. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `node mutants.mjs [options]: a table on standard output; ends with 1 if more than 3 errors survive

  --only TEXT    only the errors whose name contains it
  --work FOLDER  a checkout to make the errors in (default: a new git worktree of HEAD, removed afterwards)
  --quick        ask the approved answers alone, not the other tests: who survives them is to be asked again
  --list         name the errors

Takes a build of the library and its tests for each: about a minute on two idle cores.`;

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "" }, work: { type: "string" }, quick: { type: "boolean" }, list: { type: "boolean" }, help: { type: "boolean" } },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}

/** Tests that see the ranking; the other suites test what does not rank. */
const TESTS = [
  ["test", "-q", "-p", "knarr", "--test", "it", "--", "golden::"],
  ["test", "-q", "-p", "knarr", "--test", "it", "--", "find::", "hybrid::", "connected::", "minirag::", "onyx::", "openviking::", "properties::", "ovpack::reading", "variants::"],
  ["test", "-q", "-p", "knarr", "--lib"],
];

const mutants = JSON.parse(readFileSync(new URL("mutants.json", import.meta.url), "utf8"))
  .filter(({ name }) => name.includes(options.only));
if (options.list) {
  for (const { name, file } of mutants) console.log(`${name}  (${file})`);
  process.exit();
}

const root = new URL("..", import.meta.url).pathname;
const own = options.work === undefined;
const work = options.work ?? mkdtempSync(join(tmpdir(), "knarr-mutants-"));
const git = (...args) => spawnSync("git", ["-C", root, ...args], { encoding: "utf8" });
if (own) {
  const made = git("worktree", "add", "--detach", work);
  if (made.status !== 0) throw new Error(made.stderr);
}

let survived = 0;
console.log("| error | noticed by |\n|---|---|");
try {
  for (const { name, file, from, to } of mutants) {
    const path = join(work, file);
    const text = readFileSync(path, "utf8");
    if (text.split(from).length !== 2) {
      console.log(`| ${name} | **not made**: its text is in ${file} ${text.split(from).length - 1} times |`);
      survived++;
      continue;
    }
    writeFileSync(path, text.replace(from, () => to));
    let noticed;
    for (const test of options.quick ? TESTS.slice(0, 1) : TESTS) {
      const { status, stdout, stderr } = spawnSync("cargo", test, { cwd: work, encoding: "utf8", maxBuffer: 2 ** 28 });
      if (status === 0) continue;
      noticed = stderr.includes("could not compile") ? "**does not compile**" : (stdout.match(/^ {4}([\w:]+)$/m)?.[1] ?? test.slice(4).join(" "));
      break;
    }
    writeFileSync(path, text);
    if (noticed === undefined || noticed.startsWith("**")) survived++;
    console.log(`| ${name} | ${noticed ?? "**nothing**"} |`);
  }
} finally {
  if (own) git("worktree", "remove", "--force", work);
}
console.log(`\n${mutants.length - survived} of ${mutants.length} noticed`);
process.exitCode = survived > 3 ? 1 : 0;
