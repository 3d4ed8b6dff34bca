/** What both parts of the stage have: the package as npm packs it, and the tools that are installed beside it. */

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE } from "../web/bundles.mjs";

export const HERE = fileURLToPath(new URL(".", import.meta.url));
export const MODULES = `${HERE}node_modules`;
export const KNARR = `${MODULES}/knarr`;

/** Node 22, for tools that do not start on Node 20. */
export const NODE22 = `${MODULES}/node/bin`;

const wanted = process.env.SITES?.split(",");

/** True for what `SITES` names, or where it names nothing. */
export const isWanted = (name) => wanted === undefined || wanted.includes(name);

/** Puts the package into node_modules as npm packs it. */
export function install() {
  const [{ filename }] = Object.values(JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", HERE], {
    cwd: PACKAGE, stdio: ["ignore", "pipe", "ignore"],
  })));
  rmSync(KNARR, { recursive: true, force: true });
  mkdirSync(KNARR, { recursive: true });
  execFileSync("tar", ["-xzf", `${HERE}${filename}`, "--strip-components=1", "-C", KNARR]);
  rmSync(`${HERE}${filename}`);
  rmSync(`${MODULES}/.bin/knarr`, { force: true });
  symlinkSync("../knarr/bin/knarr.mjs", `${MODULES}/.bin/knarr`); // For npx.
}

/** The program of a line and its arguments, and the environment in which the site's own tools come first. */
export function program(site, line) {
  const root = `${HERE}${site.folder ?? site.name}`;
  const [name, ...args] = line.split(" ");
  const path = [`${root}/node_modules/.bin`, `${MODULES}/.bin`, process.env.PATH];
  // The tool's own script asks for `node`: the one of the package where the site wants it, else the one that runs this.
  path.unshift(site.newer ? NODE22 : fileURLToPath(new URL(".", `file://${process.execPath}`)));
  const env = {
    ...process.env, PATH: path.join(delimiter), NODE_ENV: undefined, NODE_TEST_CONTEXT: undefined,
    NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1", PARCEL_WORKERS: "1",
  };
  return [name, args, { cwd: root, env }];
}
