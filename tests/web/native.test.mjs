/** The native command line as a package for this platform: made from the built binary, installed beside the package, used by it. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PACKAGE, SITE } from "./bundles.mjs";

const NATIVE = process.env.KNARR_BIN ?? fileURLToPath(new URL("../../target/debug/knarr", import.meta.url));
const MAKE = fileURLToPath(new URL("../../xtask/native.mjs", import.meta.url));
const NAME = `@knarr/cli-${process.platform}-${process.arch}`;

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "knarr-native-"));
  const platform = join(folder, "platform");
  assert.equal(make(NATIVE, platform).stdout.trim(), NAME);
  // What only debuggers read is nine tenths of a debug build.
  spawnSync("strip", [join(platform, "knarr")]);
  mkdirSync(join(folder, "site"));
  writeFileSync(join(folder, "site/package.json"), '{ "private": true }');
  const tarballs = [PACKAGE, platform].map((from) => {
    const told = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: from, encoding: "utf8" }));
    return `../${Object.values(told)[0].filename}`;
  });
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--offline", ...tarballs], { cwd: join(folder, "site") });
  cpSync(SITE, join(folder, "site/docs"), { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

function make(binary, out, ...more) {
  return spawnSync(process.execPath, [MAKE, binary, "--out", out, ...more], { encoding: "utf8" });
}

/** The command line as a site's owner calls it; no native one is named. */
function npx(...args) {
  const env = { ...process.env, KNARR_NATIVE: undefined };
  return spawnSync("npx", ["knarr", ...args], { cwd: join(folder, "site"), env, encoding: "utf8" });
}

/** `serve` is the native command line's alone. */
const isNative = () => /^ {2}serve /m.test(npx("--help").stdout);

const index = (out) => {
  const { status, stderr } = npx("build", "docs", "--out", out, "--quiet");
  assert.equal(status, 0, stderr);
  return Object.fromEntries(readdirSync(join(folder, "site", out)).map((name) => [name, readFileSync(join(folder, "site", out, name), "base64")]));
};

test("with the platform's package npx knarr is native, and the bytes are the same without it", () => {
  const own = join(folder, "site/node_modules", NAME);
  assert.ok(isNative());
  const native = index("native");
  assert.equal(npx("find", "nowhere", "x").status, 1, "its exit code is passed on");

  const manifest = join(own, "package.json");
  const before = readFileSync(manifest, "utf8");
  writeFileSync(manifest, before.replace(/"version": "[^"]*"/, '"version": "0.0.9"'));
  assert.ok(!isNative());
  assert.match(npx("--version").stderr, new RegExp(`^${NAME} 0\\.0\\.9 is not used: this is knarr \\d`, "m"));
  writeFileSync(manifest, before);

  // As where the C library is another one: there is a program, and it does not start.
  writeFileSync(join(own, "knarr"), "#!/no/such/loader\n", { mode: 0o755 });
  assert.ok(!isNative());
  assert.match(npx("--version").stderr, /knarr does not start \(ENOENT\)/m);

  rmSync(own, { recursive: true });
  assert.ok(!isNative());
  assert.deepEqual(index("wasm"), native);
});

test("the package says which machines it is for, and cannot be published by mistake", () => {
  const { os, cpu, libc, version, private: isPrivate } = JSON.parse(readFileSync(join(folder, "platform/package.json"), "utf8"));
  assert.deepEqual([os, cpu], [[process.platform], [process.arch]]);
  // Cargo links with the C library of the machine, which is Node's.
  if (process.platform === "linux") assert.deepEqual(libc, [process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl"]);
  assert.equal(version, JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")).version);
  assert.equal(isPrivate, true);
  assert.ok(existsSync(join(folder, "platform/LICENSE-MIT")));
});

test("the platform is the binary's own", () => {
  const elf = (machine) => Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, ...Array(11).fill(0), machine, 0, ...Array(60).fill(0)]);
  const mach = Buffer.concat([Buffer.from([0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]), Buffer.alloc(80)]);
  const pe = Buffer.alloc(100);
  pe.write("MZ", "latin1");
  pe.writeUInt32LE(64, 60);
  pe.writeUInt16LE(0x8664, 68);
  for (const [name, bytes] of [["@knarr/cli-linux-arm64", elf(183)], ["@knarr/cli-darwin-arm64", mach], ["@knarr/cli-win32-x64", pe]]) {
    writeFileSync(join(folder, "binary"), bytes);
    const out = join(folder, name.replace("/", "-"));
    const { stdout, stderr } = make(join(folder, "binary"), out, "--publish");
    assert.equal(stdout.trim(), name, stderr);
    assert.equal(JSON.parse(readFileSync(join(out, "package.json"), "utf8")).private, undefined);
    assert.ok(existsSync(join(out, name.includes("win32") ? "knarr.exe" : "knarr")));
  }
  for (const bytes of [Buffer.from("#!/bin/sh\n".padEnd(100)), elf(40), Buffer.from("x")]) {
    writeFileSync(join(folder, "binary"), bytes);
    assert.match(make(join(folder, "binary"), join(folder, "none")).stderr, /is no program of Linux, macOS or Windows/);
  }
});
