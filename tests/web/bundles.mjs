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
/** Bundle of `SITE`, one file with general words beside it. */
export const BESIDE = path("out/beside");
/** Bundle of `LARGE_SITE`, a head and packs. */
export const LARGE = path("out/large");
/** Bundle of `LARGE_SITE` for hosts that answer several ranges in one response. */
export const JOINED = path("out/joined");
/** A site of two languages and two versions, with folder addresses, as generators write them. */
export const VARIANTS_SITE = path("out/tide");
/** Bundle of `VARIANTS_SITE`. */
export const VARIANTS = path("out/tide-search");
/** An agent's tree: memories of two users, peers, shared skills, resources, and a mail of today. */
export const AGENT_TREE = path("out/agent");
/** Bundle of `AGENT_TREE`. */
export const AGENT = path("out/agent-search");
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
  for (const [folder, page] of tidePages()) {
    mkdirSync(`${VARIANTS_SITE}/${folder}`, { recursive: true });
    writeFileSync(`${VARIANTS_SITE}/${folder}/index.html`, page);
  }
  cpSync(path("../agent"), AGENT_TREE, { recursive: true });
  const today = new Date().toISOString().slice(0, 10);
  const mail = `---\ncreated_at: ${today}\n---\n# Invoice of today\n\nThe invoice came with today's mail.\n`;
  writeFileSync(`${AGENT_TREE}/resources/email/invoice-of-today.md`, mail);
  const knarr = process.env.KNARR_BIN ?? path("../../target/debug/knarr");
  for (const [site, out] of [[SITE, SMALL], [SITE, BESIDE], [LARGE_SITE, LARGE], [VARIANTS_SITE, VARIANTS]]) {
    execFileSync(knarr, ["build", site, "--out", out, "--name", "harbour", "--quiet"], { stdio: "inherit" });
  }
  execFileSync(knarr, ["build", LARGE_SITE, "--out", JOINED, "--name", "harbour", "--large-packs", "--quiet"], { stdio: "inherit" });
  const mounts = ["user", "agent", "resources"].flatMap((folder) => ["--mount", `${folder}=viking://${folder}`]);
  execFileSync(knarr, ["build", AGENT_TREE, "--out", AGENT, "--quiet", ...mounts], { stdio: "inherit" });
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

/** Folders and pages of the site of two languages and two versions. */
function tidePages() {
  const page = (folder, { lang = "en", version, title, body }) => [folder, [
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title} | Tidewater</title>`,
    `<link rel="canonical" href="https://x.org/tide/${folder}">`,
    version ? `<meta name="docsearch:version" content="${version}">` : "",
    `<script type="module" src="/knarr/knarr-search.js"></script></head><body>`,
    `<nav><a href="/tide/">Home</a> <a href="/tide/guide/">Guide</a></nav>`,
    `<knarr-search from="/tide-search/" base="/tide/"></knarr-search>`,
    `<main><h1>${title}</h1>${body}</main></body></html>`,
  ].join("\n")];
  const filler = "<p>The keeper reads the gauge at dawn and writes the level of the harbour into the book.</p>".repeat(40);
  const settings = (unit) => `<p>How the station is set up.</p>${filler}<h2 id="timeout">Timeout</h2><p>The option timeoutMs is in ${unit}.</p>`;
  return [
    page("", { title: "Tidewater", body: "<p>Tide tables for small harbours.</p>" }),
    page("de/", { lang: "de", title: "Tidewater", body: "<p>Gezeitentafeln für kleine Häfen.</p>" }),
    page("guide/", { title: "The guide", body: "<p>What there is to know.</p>" }),
    page("guide/settings/", { version: "2.0", title: "Settings", body: settings("milliseconds") }),
    page("1.0/guide/settings/", { version: "1.0", title: "Settings", body: settings("seconds, as it was, and nobody liked that") }),
    page("de/guide/settings/", { lang: "de", title: "Einstellungen", body: `<p>Wie die Station eingestellt wird.</p><h2 id="timeout">Wartezeit</h2><p>Die Option timeoutMs steht in Millisekunden.</p>` }),
    page("blog/2024/", { title: "News", body: "<p>There is a new harbour, and much else that is new.</p>" }),
  ];
}
