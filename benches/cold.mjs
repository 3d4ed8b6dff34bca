#!/usr/bin/env node
/** Which functions of the core no search has run, for `xtask/cold.txt`. `--help` says how to run it. */

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "../tests/web/server.mjs";

const HELP = `node cold.mjs [options] INDEX=QUESTIONS…: writes the names of functions that none of the searches has run

  --module FILE  the core with its functions' names (default: target/wasm/kept/knarr_core.named.wasm, of cargo xtask wasm --release)
  --dist FOLDER  the package's built files (default: pkg/dist)
  --most N       questions of each file (default: 60)
  --out FILE     where the names go (default: xtask/cold.txt)
an INDEX is a bundle's folder or its index.knarr; QUESTIONS are a file with a question on each line, or an object with one as query, text or question

Each question is asked as the search element asks: the words while they are typed, rows only, then rows with excerpts, in groups too; also
its first half, and with a letter missing; and each bundle is opened where it is not, too. A function counts as cold if none of those that bear its name has run; names are
written without the hashes of crates, which change with every compiler. A name that is not in the list is hot, so an old list costs bytes and nothing else.`;

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { values: options, positionals: sites } = parseArgs({
  allowPositionals: true,
  options: {
    module: { type: "string", default: join(ROOT, "target/wasm/kept/knarr_core.named.wasm") }, dist: { type: "string", default: join(ROOT, "pkg/dist") },
    most: { type: "string", default: "60" }, out: { type: "string", default: join(ROOT, "xtask/cold.txt") }, help: { type: "boolean", default: false },
  },
});

/** What everybody types sooner or later, whatever the site; no katakana and no Arabic article, whose few lines may come later. */
const COMMON = [
  "", " ", "a", "in", "inst", "install", "getting started", "how do I install it on Windows?", "\"exact words\"", "-h --help", "C++", "foo::bar_baz()", "x.y.z", "v1.2.3", "404", "!!!",
  "cofiguration file", "configure a prox", "Wie installiere ich das?", "Größe ändern", "comment installer", "как установить", "設定方法", "如何安装", "설치", "การติดตั้ง", "كيفية تثبيت", "ÉLÉPHANT",
  "😀", "supercalifragilistic", "the of and", "camelCaseName", "snake_case_name", "kebab-case-name", "http://example.org/a?b=c", `${"long words in a long question that somebody pasted ".repeat(30)}`,
];

if (options.help || sites.length === 0) console.log(HELP);
else await main();

async function main() {
  const { default: binaryen } = await import(pathToFileURL(createRequire(join(ROOT, "xtask/package.json")).resolve("binaryen")));
  const { named, instrumented } = instrument(binaryen, readFileSync(options.module));
  const { Engine } = await import(pathToFileURL(join(options.dist, "core-engine.js")));
  let asked = 0;
  for (const site of sites) {
    const [index, file] = site.split("=");
    const questions = [...questionsOf(file), ...COMMON];
    asked += await visit(Engine, index.endsWith(".knarr") ? index : join(index, "index.knarr"), questions, instrumented);
    process.stderr.write(`${index}: ${questions.length} questions\n`);
  }
  const glue = await import(pathToFileURL(join(options.dist, "knarr_core.js")));
  const marks = () => named.filter(({ mark }) => glue.initSync()[mark].value === 1);
  glue.restart(); // What follows a trap must be there when the rest is not.
  const ran = new Set(marks());
  glue.ready(); // In a new instance.
  for (const mark of marks()) ran.add(mark);
  const hot = new Set([...ran].map(({ name }) => name));
  const cold = [...new Set(named.map(({ name }) => name))].filter((name) => !hot.has(name)).sort();
  writeFileSync(options.out, `${cold.join("\n")}\n`);
  process.stderr.write(`${asked} searches ran ${ran.size} of ${named.length} functions; ${cold.length} names are cold\n`);
}

/** A module in which each function says that it ran, and the functions' names without their hashes. */
function instrument(binaryen, bytes) {
  const { MutableGlobals, SignExt, NontrappingFPToInt, BulkMemory, ReferenceTypes, Multivalue, SIMD128 } = binaryen.Features;
  const module = binaryen.readBinary(bytes);
  module.setFeatures(MutableGlobals | SignExt | NontrappingFPToInt | BulkMemory | ReferenceTypes | Multivalue | SIMD128);
  const named = [];
  for (let at = 0; at < module.getNumFunctions(); at++) {
    const ref = module.getFunctionByIndex(at);
    const info = binaryen.getFunctionInfo(ref);
    if (info.module) continue; // An import.
    const mark = `ran${at}`;
    module.addGlobal(mark, binaryen.i32, true, module.i32.const(0));
    module.addGlobalExport(mark, mark);
    binaryen.Function.setBody(ref, module.block(null, [module.global.set(mark, module.i32.const(1)), info.body], info.results));
    named.push({ mark, name: withoutHash(info.name) });
  }
  return { named, instrumented: module.emitBinary() };
}

/** As `without_hash` in xtask/src/split.rs. */
function withoutHash(name) {
  return name.replace(/\[[0-9a-f]{8,16}\]|_[0-9a-f]{16}/g, "");
}

function questionsOf(file) {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean).slice(0, Number(options.most));
  return lines.map((line) => {
    if (!line.startsWith("{")) return line;
    const { query, text, question } = JSON.parse(line);
    return query ?? text ?? question;
  });
}

/** Asks everything of one site; how many searches that were. */
async function visit(Engine, file, questions, module) {
  const server = await serve({ "/search/": dirname(file) }); // Other code runs than for files on disk.
  const wasm = { engine: module };
  const head = `${server.origin}/search/${basename(file)}`;
  const whole = { head, base: new URL("./", head).href, wasm };
  let count = 0;
  const engine = new Engine(whole);
  const find = (query, asked, control) => {
    count += 1;
    return engine.call("find", [query, { limit: 8, tags: [], ...asked }], control).catch(told);
  };
  const rows = { excerpts: false };
  for (const [at, question] of questions.entries()) {
    const half = question.slice(0, Math.ceil(question.length / 2));
    await find(half, { ...rows, alpha: 0, score_threshold: 1, limit: 1, prefix: true });
    await find(half, rows);
    await find(question, rows);
    const { resources = [] } = await find(question, { excerpt_length: 160 });
    await find(`${question.slice(0, 2)}${question.slice(3)}`, { excerpt_length: 160 });
    if (at % 5 === 0) for (const more of [{ group: "directory" }, { lang: ["en"] }, { version: ["1.0"] }, { limit: 30 }, ...placesOf(resources)]) await find(question, more);
    if (at % 5 === 1) {
      const gone = new AbortController();
      const call = find(question, rows, { signal: gone.signal });
      gone.abort();
      await call;
    }
  }
  engine.close();
  // Opened from bytes, where the page has it; at an address where it is not; and damaged.
  const bytes = readFileSync(file);
  const onDisk = pathToFileURL(file).href;
  for (const location of [{ bytes }, { head: onDisk, base: new URL("./", onDisk).href }, { ...whole, head: new URL("nowhere.knarr", head).href }, { bytes: bytes.subarray(0, 99) }, { ...whole, base: new URL("nowhere/", head).href }]) {
    const other = new Engine({ ...location, wasm });
    await other.call("find", [questions[0], { limit: 8 }]).catch(told);
    other.close();
  }
  const late = new Engine(whole);
  await late.call("open", []);
  await new Promise((resolve) => setTimeout(resolve));
  await server.close();
  // Offline, before the bundle is open and when it is.
  for (const other of [late, new Engine(whole)]) {
    await other.call("find", [questions.at(-2), { limit: 8 }]).catch(told);
    other.close();
  }
  return count;
}

/** Searches below a directory. */
function placesOf(rows) {
  return rows.slice(0, 1).map(({ uri }) => ({ target_uri: uri.slice(0, uri.lastIndexOf("/") + 1) }));
}

/** What is no question (an empty one), or is asked with an option that this bundle does not take, has no rows. */
function told(error) {
  if (error.code === "INTERNAL") throw error;
  return {};
}
