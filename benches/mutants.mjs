#!/usr/bin/env node
/** Does a test notice when the ranking is wrong? Makes one deliberate error at a time and runs the tests. `--help`. */

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `node mutants.mjs [options]: a table on standard output; ends with 1 if more than 3 errors survive

  --only TEXT    only the errors whose name contains it
  --work FOLDER  a checkout to make the errors in (default: a new git worktree of HEAD, removed afterwards);
                 what is not committed there is lost
  --json FILE    a line for each answer is added to it, and what it answers is not asked again: a run that was
                 stopped goes on
  --all          every group of tests is asked, though one has noticed
  --list         name the errors

All errors are compiled into one program, each behind a switch, and the tests run once for each: two builds, and some
seconds for each error. CARGO_TARGET_DIR is minded.`;

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" }, work: { type: "string" }, json: { type: "string" },
    all: { type: "boolean" }, list: { type: "boolean" }, help: { type: "boolean" },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}

/** Tests that see the ranking, the quickest first; the other suites test what does not rank. */
const GROUPS = [
  { group: "approved answers", target: ["--test", "it"], filters: ["golden::"] },
  {
    group: "unit", target: ["--lib"],
    filters: ["bundle::", "find::", "search::", "indexer::index", "indexer::site", "indexer::summary"],
  },
  {
    group: "journeys", target: ["--test", "it"],
    filters: ["find::", "hybrid::", "connected::", "minirag::", "onyx::", "openviking::", "properties::", "ovpack::reading", "variants::"],
  },
];

/** An error may leave a loop without an end. */
const TEST_MS = 300_000;

/** Reads which error is wanted; 0 is none. */
const SWITCH = `
#[doc(hidden)]
pub mod mutants {
    use std::sync::OnceLock;
    static WANTED: OnceLock<usize> = OnceLock::new();
    pub fn is_made(number: usize) -> bool {
        let wanted = || std::env::var("KNARR_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
        *WANTED.get_or_init(wanted) == number
    }
}
`;

const all = JSON.parse(readFileSync(new URL("mutants.json", import.meta.url), "utf8"))
  .map((mutant, place) => ({ ...mutant, number: place + 1 }));
const asked = all.filter(({ name }) => name.includes(options.only));
if (options.list) {
  for (const { name, file } of asked) console.log(`${name}  (${file})`);
  process.exit();
}

const root = new URL("..", import.meta.url).pathname;
const own = options.work === undefined;
const work = options.work ?? mkdtempSync(join(tmpdir(), "knarr-mutants-"));
const git = (...args) => {
  const { status, stderr } = spawnSync("git", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
};
const run = (program, args, { number = 0, timeout } = {}) => spawnSync(program, args, {
  cwd: work, encoding: "utf8", maxBuffer: 2 ** 28, timeout,
  // Tables of lines are half of what is linked, and nobody reads a stack here.
  env: { ...process.env, CARGO_PROFILE_DEV_DEBUG: "0", RUST_BACKTRACE: "0", KNARR_MUTANT: `${number}` },
});

/** Both texts of an error, with the switch between them: a constant becomes a function, and its uses calls. */
function switched({ from, to, number }) {
  const choice = (there, here) => `if crate::mutants::is_made(${number}) { ${there} } else { ${here} }`;
  const shapes = [
    [/^((?:pub )?)const (\w+): ([^=]+) = (.*);$/s, (a, b) => `#[allow(non_snake_case)]\n${a[1]}fn ${a[2]}() -> ${a[3].replace("&str", "&'static str")} { ${choice(b[4], a[4])} }`],
    [/^(let \w+ = )(.*);$/s, (a, b) => `${a[1]}${choice(b[2], a[2])};`],
    [/^(\s*\w+: )(.*),$/s, (a, b) => `${a[1]}${choice(b[2], a[2])},`], // A field.
    [/^(.* => )(.*),$/s, (a, b) => `${a[1]}${choice(b[2], a[2])},`], // An arm of a match.
    [/^(.*);$/s, (a, b) => choice(b[0], a[0])],
  ];
  const short = from.match(/^(\s*)(\w+),$/);
  const whole = short ? `${short[1]}${short[2]}: ${short[2]},` : from;
  for (const [shape, write] of shapes) {
    const [a, b] = [whole.match(shape), to.match(shape)];
    if (a && b) return write(a, b);
  }
  return `(${choice(to, from)})`;
}

/** Calls a constant that has become a function, in the files that mean it: those that import it from `file`, or are it. */
function call(name, file, isPublic) {
  const inside = (folder) => readdirSync(join(work, folder), { recursive: true }).map((inner) => `${folder}/${inner}`);
  const sources = ["src", "tests/it"].flatMap(inside).filter((place) => place.endsWith(".rs"));
  for (const place of isPublic ? sources : [file]) {
    const path = join(work, place);
    const text = readFileSync(path, "utf8");
    if (!text.includes(name) || (place !== file && new RegExp(`const ${name}\\b`).test(text))) continue;
    // Imports, comments and the function itself name it as it is.
    const parts = text.split(/(^\s*(?:pub )?use [^;]*;|^\s*\/\/.*$|fn \w+\(\) -> )/m);
    const calls = parts.map((part, i) => i % 2 ? part : part.replace(new RegExp(`\\b${name}\\b(?!\\()`, "g"), `${name}()`));
    writeFileSync(path, calls.join(""));
  }
}

/** Puts every error into the checkout; names of those whose text is not there once. */
function makeAll() {
  const missing = [];
  for (const mutant of all) {
    const path = join(work, mutant.file);
    const text = readFileSync(path, "utf8");
    if (text.split(mutant.from).length !== 2) {
      missing.push(mutant.name);
      continue;
    }
    writeFileSync(path, text.replace(mutant.from, () => switched(mutant)));
    const constant = mutant.from.match(/^(pub )?const (\w+):/);
    if (constant) call(constant[2], mutant.file, constant[1] !== undefined);
  }
  const lib = join(work, "src/lib.rs");
  writeFileSync(lib, readFileSync(lib, "utf8") + SWITCH);
  return missing;
}

/** The test program of a target. */
function built(target) {
  const { status, stdout, stderr } = run("cargo", ["test", "-q", "-p", "knarr", ...target, "--no-run", "--message-format=json-render-diagnostics"]);
  if (status !== 0) throw new Error(stderr);
  const messages = stdout.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return messages.findLast(({ executable }) => executable).executable;
}

/** The first test of a group that fails with an error; nothing if none does. */
function noticed(program, filters, number) {
  const { status, error, stdout } = run(program, ["-q", ...filters], { number, timeout: TEST_MS });
  if (error?.code === "ETIMEDOUT") return "does not end";
  return status === 0 ? undefined : stdout.match(/^ {4}([\w:]+)$/m)?.[1] ?? "a program that ends early";
}

/** What every group says of an error, or the first that notices it. */
function ask(programs, number) {
  const by = {};
  for (const [i, { group, filters }] of GROUPS.entries()) {
    const test = noticed(programs[i], filters, number);
    if (test) by[group] = test;
    if (test && !options.all) break;
  }
  return by;
}

const kept = new Map();
if (options.json && existsSync(options.json)) {
  const lines = readFileSync(options.json, "utf8").split("\n").filter(Boolean);
  lines.map((line) => JSON.parse(line)).forEach(({ name, by }) => kept.set(name, by));
}
if (own) git("-C", root, "worktree", "add", "--detach", work);
else git("-C", work, "checkout", "-q", "src", "tests");
const answers = [];
try {
  const missing = makeAll();
  const programs = GROUPS.map(({ target }) => built(target));
  const broken = ask(programs, 0);
  if (Object.keys(broken).length) throw new Error(`without an error: ${JSON.stringify(broken)}`);
  console.log("| error | noticed by |\n|---|---|");
  for (const { name, number } of asked) {
    const start = Date.now();
    const by = missing.includes(name) ? {} : kept.get(name) ?? ask(programs, number);
    answers.push(by);
    const first = missing.includes(name) ? "**not made**: its text is not there once" : Object.values(by)[0] ?? "**nothing**";
    console.log(`| ${name} | ${first} |`);
    const seconds = Math.round((Date.now() - start) / 1000);
    if (options.json && !kept.has(name)) appendFileSync(options.json, `${JSON.stringify({ name, by, seconds })}\n`);
  }
} finally {
  if (own) git("-C", root, "worktree", "remove", "--force", work);
  else git("-C", work, "checkout", "-q", "src", "tests");
}
const n_of = (group) => answers.filter((by) => group in by).length;
const n_noticed = answers.filter((by) => Object.keys(by).length).length;
console.log(`\n${n_noticed} of ${answers.length} noticed${options.all ? "" : ", each by the first group that does"}:`);
for (const { group } of GROUPS) console.log(`  ${group} ${n_of(group)}`);
process.exitCode = answers.length - n_noticed > 3 ? 1 : 0;
