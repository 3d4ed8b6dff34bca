/**
 * What a quick start is run with, as in a container of its own: a home, empty caches, and the system's programs with Node
 * only, or with Python only; Rust's, mdBook and Hugo where the page says that they are needed.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HERE, NODE22 } from "./tools.mjs";

/** Folders of programs that generators.mjs installs. */
const PROGRAMS = { mdbook: `${HERE}out/mdbook/bin`, hugo: `${HERE}out/hugo/bin` };

/** The wheel of `cargo xtask test python`. */
const WHEELS = fileURLToPath(new URL("../../target/python/wheels", import.meta.url));

/** Programs that a start has only where it needs them. */
const LANGUAGES = /^(node|nodejs|npm|npx|corepack|yarn|pnpm|python.*|pip.*|pydoc.*|cargo.*|rust.*|hugo|mdbook)$/;

const hasProgram = (name) => existsSync(join(PROGRAMS[name] ?? "/nowhere", name)) || spawnSync(name, ["--version"]).error === undefined;

/** What this machine lacks for a quick start; undefined when it has everything. */
export function lacks(start) {
  if (start.node && isOld(start) && !existsSync(NODE22)) return `no Node.js ${start.node}`;
  if (start.python && !(existsSync(WHEELS) && readdirSync(WHEELS).some((name) => name.endsWith(".whl")))) return "no wheel: cargo xtask test python";
  if (start.needs && !hasProgram(start.needs)) return `no ${start.needs}`;
  return undefined;
}

const isOld = (start) => Number(process.versions.node.split(".")[0]) < Number(start.node ?? 0);

/** The path of a program on this machine. */
const found = (name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)).find((path) => existsSync(path));

/** The programs of the languages that a start has, by name. */
function languages(start) {
  if (start.python) return { python3: execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim() };
  const needed = start.needs === "cargo" ? ["cargo", "rustc", "rustdoc"] : [start.needs].filter(Boolean);
  const links = Object.fromEntries(["npm", "npx", ...needed].map((name) => [name, PROGRAMS[name] ? join(PROGRAMS[name], name) : found(name)]));
  return { ...links, node: isOld(start) ? join(NODE22, "node") : process.execPath };
}

/** A folder of links to the system's programs and to these others. */
function programs(folder, others) {
  mkdirSync(folder, { recursive: true });
  for (const from of ["/usr/bin", "/bin"].filter((from) => realpathSync(from) === from)) {
    for (const name of readdirSync(from)) if (!LANGUAGES.test(name)) symlinkSync(join(from, name), join(folder, name));
  }
  // rustup's programs are told apart by their names.
  for (const [name, path] of Object.entries(others)) symlinkSync(/^(cargo|rust)/.test(name) ? path : realpathSync(path), join(folder, name));
  return folder;
}

/** The environment of a quick start below `folder`, with the caches of npm and pip empty. */
export function environment(start, folder, registry) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV$|NODE_TEST_CONTEXT$)/.test(name));
  return {
    ...Object.fromEntries(kept), PATH: programs(join(folder, "bin"), languages(start)), HOME: home, CI: "1", npm_config_registry: registry,
    npm_config_cache: join(folder, "npm"), PIP_CACHE_DIR: join(folder, "pip"), PIP_FIND_LINKS: WHEELS,
    // The toolchains are not of this home.
    CARGO_HOME: process.env.CARGO_HOME ?? join(process.env.HOME, ".cargo"), RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(process.env.HOME, ".rustup"),
    NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1",
  };
}
