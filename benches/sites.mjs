#!/usr/bin/env node
/** The same site with three searches: Knarr, Pagefind, and the generator's own. `--help` says how to run it. */

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "../tests/web/browser.mjs";
import { serve } from "../tests/web/server.mjs";
import { copyOf, Workshop } from "./sites/build.mjs";
import { KIT } from "./sites/kit.mjs";
import { measure, onDisk, untilRows } from "./sites/measure.mjs";
import { REAL } from "./sites/real.mjs";
import { table } from "./sites/report.mjs";
import { SEARCHES } from "./sites/searches.mjs";

const HELP = `node sites.mjs [options]: Markdown tables on standard output, progress on standard error

  --sites A,B      only these sites, by their folder
  --searches A,B   only these searches
  --again          build the sites that are built already
  --json FILE      also write the figures, with what counted against a search
  --work FOLDER    where sites are built and kept (default: below the system's temporary folder)

sites:       ${[...KIT, ...REAL].map(({ folder }) => folder).join(" ")}
environment: KNARR_SHARED, the folder with kit/ and data/; KNARR_SOURCES, one with the sources of real sites (see README.md);
             KNARR_NATIVE, a native command line in place of the package's own; CHROMIUM`;

const SHARED = process.env.KNARR_SHARED ?? fileURLToPath(new URL("../../shared", import.meta.url));

/** The files of the searches that the generator did not make, and those of them that are the index. */
const ADDED = {
  knarr: { own: (path) => path.startsWith("knarr/"), index: (path) => path.startsWith("knarr/search/") },
  pagefind: { own: (path) => path.startsWith("pagefind/"), index: (path) => /^pagefind\/(index|fragment|filter)\/|\.pf_meta$/.test(path) },
};
ADDED.starlight = ADDED.pagefind;

const { values: options } = parseArgs({
  options: {
    sites: { type: "string" }, searches: { type: "string" }, again: { type: "boolean", default: false }, json: { type: "string" },
    work: { type: "string", default: join(tmpdir(), "knarr-sites") }, help: { type: "boolean", default: false },
  },
});

const say = (text) => process.stderr.write(`${text}\n`);

if (options.help) console.log(HELP);
else await main();

async function main() {
  mkdirSync(options.work, { recursive: true });
  const workshop = new Workshop(options.work, say);
  workshop.tools();
  const kit = KIT.map((site) => ({ ...site, sources: copyOf(join(SHARED, "kit/generators", site.folder)) }));
  const real = REAL.map((site) => ({ ...site, ...site.open(SHARED, process.env.KNARR_SOURCES) }));
  const isWanted = (list, name) => list === undefined || list.split(",").includes(name);
  const browser = await launch();
  const figures = [];
  try {
    for (const site of [...kit, ...real].filter(({ folder }) => isWanted(options.sites, folder))) {
      if (site.missing) {
        say(`${site.name} is left out: ${site.missing}`);
        continue;
      }
      const searches = {};
      for (const name of Object.keys(site.variants).filter((name) => isWanted(options.searches, name))) {
        searches[name] = await one(browser, workshop, site, name).catch((error) => (say(`${site.name}, ${name}: ${error.message}`), { error: error.message }));
      }
      figures.push({ name: site.name, folder: site.folder, isReal: site.isReal ?? false, searches });
      if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, undefined, 1)}\n`);
    }
  } finally {
    await browser.close();
  }
  console.log(table(figures));
}

/** One search on one site. */
async function one(browser, workshop, site, name) {
  const folder = workshop.build(site, name, options.again);
  const { own, index = own } = ADDED[name] ?? site;
  const server = await serve({ [site.base]: folder }, { policy: false, clean: true });
  try {
    say(`${site.name}: asking ${name}`);
    const search = SEARCHES[name];
    const disk = { all: onDisk(folder, own), index: onDisk(folder, index) };
    const until = await untilRows(browser, server, folder, site, search, own);
    return { label: search.label, disk, until, ...(await measure(browser, server, site, search)) };
  } finally {
    await server.close();
  }
}
