/** The bundles under test, built by the real command line from `site/` and a generated logbook. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The fixture, a site of a few pages. */
export const SITE = path("site");
/** The fixture with the logbook: enough pages that the builder makes packs. */
export const LARGE_SITE = path("out/site");
/** Bundle of `SITE`, one file. */
export const SMALL = path("out/small/site.knarr");
/** Bundle of `LARGE_SITE`, a head and packs. */
export const LARGE = path("out/large");
/** The built package. */
export const DIST = path("../../pkg/dist");
/** The package's own folder. */
export const PACKAGE = path("../../pkg");
/** The demo page. */
export const WWW = path("../../www");

/** Pages of the logbook: more than the 30 kB of texts up to which a bundle is one file. */
export const LOG_PAGES = 330;

/** Builds both bundles. Needs the package (`cargo xtask wasm`) and the command line (`KNARR_BIN`, or a debug build). */
export function prepare() {
  if (!existsSync(`${DIST}/knarr_core_bg.wasm`)) {
    throw new Error("the package is not built; run `cargo xtask wasm` first");
  }
  rmSync(path("out"), { recursive: true, force: true });
  mkdirSync(path("out/small"), { recursive: true });
  cpSync(SITE, LARGE_SITE, { recursive: true });
  mkdirSync(`${LARGE_SITE}/log`);
  for (let day = 1; day <= LOG_PAGES; day++) writeFileSync(`${LARGE_SITE}/log/day-${day}.md`, logPage(day));
  const knarr = process.env.KNARR_BIN ?? path("../../target/debug/knarr");
  for (const [site, out] of [[SITE, SMALL], [LARGE_SITE, LARGE]]) {
    execFileSync(knarr, ["build", site, "--out", out, "--name", "harbour", "--quiet"], { stdio: "inherit" });
  }
}

const BOATS = ["Alba", "Brise", "Corrie", "Dorte", "Elena", "Fulmar", "Gannet"];
const WINDS = ["north", "east", "south", "west"];

function logPage(day) {
  const boat = BOATS[day % BOATS.length];
  return [
    `# Log of day ${day}`,
    "",
    `The ${boat} arrived with a ${WINDS[day % WINDS.length]}erly wind of force ${1 + (day % 8)}.`,
    "",
    "## Remarks",
    "",
    `Entry number ${day} of the harbour master, berth ${day % 40}.`,
    "",
  ].join("\n");
}
