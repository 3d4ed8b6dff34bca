/** What a quick start is run with: a home of its own, and programs where npm has none. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HERE, NODE22 } from "./tools.mjs";

/** Folders of programs that generators.mjs installs. */
const PROGRAMS = { mdbook: `${HERE}out/mdbook/bin`, hugo: `${HERE}out/hugo/bin` };

/** The wheel of `cargo xtask test python`. */
const WHEELS = fileURLToPath(new URL("../../target/python/wheels", import.meta.url));

const hasProgram = (name) => existsSync(join(PROGRAMS[name] ?? "/nowhere", name)) || spawnSync(name, ["--version"]).error === undefined;

/** What this machine lacks for a quick start; undefined when it has everything. */
export function lacks(start) {
  if (start.node && Number(process.versions.node.split(".")[0]) < Number(start.node) && !existsSync(NODE22)) return `no Node.js ${start.node}`;
  if (start.python && !(existsSync(WHEELS) && readdirSync(WHEELS).some((name) => name.endsWith(".whl")))) return "no wheel: cargo xtask test python";
  if (start.needs && !hasProgram(start.needs)) return `no ${start.needs}`;
  return undefined;
}

/** The environment of a quick start below `folder`, with the caches of npm and pip empty. */
export function environment(start, folder, registry) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const own = process.versions.node.split(".")[0] < (start.node ?? 0) ? NODE22 : dirname(process.execPath);
  const path = [own, PROGRAMS[start.needs], process.env.PATH].filter(Boolean);
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV$|NODE_TEST_CONTEXT$)/.test(name));
  return {
    ...Object.fromEntries(kept), PATH: path.join(delimiter), HOME: home, CI: "1", npm_config_registry: registry,
    npm_config_cache: join(folder, "npm"), PIP_CACHE_DIR: join(folder, "pip"), PIP_FIND_LINKS: WHEELS,
    // The toolchains are not of this home.
    CARGO_HOME: process.env.CARGO_HOME ?? join(process.env.HOME, ".cargo"), RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(process.env.HOME, ".rustup"),
    PYENV_ROOT: process.env.PYENV_ROOT ?? join(process.env.HOME, ".pyenv"), NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1",
  };
}
