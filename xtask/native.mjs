// Makes the npm package that gives `npx knarr` a native command line on one platform, from a binary for it:
//   node xtask/native.mjs BINARY --out FOLDER [--publish]
// The platform is read from the binary. The package is private, and cannot be published by mistake, without --publish.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Machines by the numbers that the formats give them. */
const ELF = { 62: "x64", 183: "arm64" };
const PE = { 0x8664: "x64", 0xaa64: "arm64" };
const MACH = { 0x01000007: "x64", 0x0100000c: "arm64" };

/** Node's names of the platform and the processor that a binary is for. */
function platformOf(bytes) {
  if (bytes.readUInt32BE(0) === 0x7f454c46) return ["linux", ELF[bytes.readUInt16LE(18)]];
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return ["darwin", MACH[bytes.readUInt32LE(4)]];
  if (bytes.toString("latin1", 0, 2) === "MZ") return ["win32", PE[bytes.readUInt16LE(bytes.readUInt32LE(60) + 4)]];
  return [];
}

/** The C library that a Linux binary asks for, by the name of its loader; a static one runs with any. */
function libcOf(bytes) {
  const loader = /\/lib(64)?\/ld-(linux|musl)/.exec(bytes.toString("latin1", 0, 4096))?.[2];
  return loader && (loader === "musl" ? "musl" : "glibc");
}

const { values: { out, publish }, positionals: [binary] } = parseArgs({
  allowPositionals: true, options: { out: { type: "string" }, publish: { type: "boolean", default: false } },
});
if (!binary || !out) throw new Error("node xtask/native.mjs BINARY --out FOLDER [--publish]");
const bytes = readFileSync(binary);
const [os, cpu] = bytes.length > 64 ? platformOf(bytes) : [];
if (!cpu) throw new Error(`${binary} is no program of Linux, macOS or Windows for x64 or arm64`);

const { version, license } = JSON.parse(readFileSync(join(ROOT, "pkg/package.json"), "utf8"));
const program = os === "win32" ? "knarr.exe" : "knarr";
const libc = os === "linux" ? libcOf(bytes) : undefined;
const manifest = {
  name: `@knarr/cli-${os}-${cpu}`, version, description: `The native command line of knarr for ${os} on ${cpu}`, license,
  ...(!publish && { private: true }),
  os: [os], cpu: [cpu], ...(libc && { libc: [libc] }),
  files: [program], preferUnplugged: true, // A program in an archive does not start.
};
mkdirSync(out, { recursive: true });
copyFileSync(binary, join(out, program));
chmodSync(join(out, program), 0o755);
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(ROOT, name), join(out, name));
writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
writeFileSync(join(out, "README.md"), `# ${manifest.name}\n\nThe native command line of [knarr](https://www.npmjs.com/package/knarr) ${version}. Where it is installed beside that package, \`npx knarr\` uses it in place of WebAssembly.\n`);
console.log(manifest.name);
