#!/usr/bin/env node
/** What the first result of a small site loads, by what it is, with Knarr and with Pagefind. `--help` says how to run it. */

import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch, openPage } from "../tests/web/browser.mjs";
import { rounds } from "./browser/first.mjs";
import { serve } from "./browser/server.mjs";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";
import { copyOf, Workshop } from "./sites/build.mjs";
import { KIT } from "./sites/kit.mjs";
import { REAL } from "./sites/real.mjs";
import { ask, SEARCHES } from "./sites/searches.mjs";

const HELP = `node small.mjs [options]: a Markdown table on standard output, progress on standard error

  --sites A,B    which sites of sites.mjs (default: vitepress,docusaurus,book)
  --questions N  how many of a site's questions, each by a visitor of its own (default: 10, as many as there are)
  --query TEXT   ask this instead (repeatable)
  --latency MS   wait before each answer of the server (default: 150)
  --again        build the sites that are built already
  --work FOLDER  where sites are built and kept (default: that of sites.mjs)
environment: KNARR_SHARED, the folder with kit/ and data/; KNARR_NATIVE, a native command line in place of the package's own; CHROMIUM

Counted are the bodies of everything below knarr/ or pagefind/ that the server sends to a browser that keeps what it may, from
opening the site's first page until the rows of a pasted question have come and stay. The page itself and what it loads without a search are not.`;

const { values: options } = parseArgs({
  options: {
    sites: { type: "string", default: "vitepress,docusaurus,book" }, questions: { type: "string", default: "10" }, query: { type: "string", multiple: true },
    latency: { type: "string", default: "150" }, again: { type: "boolean", default: false },
    work: { type: "string", default: join(tmpdir(), "knarr-sites") }, help: { type: "boolean", default: false },
  },
});

const SHARED = process.env.KNARR_SHARED ?? fileURLToPath(new URL("../../shared", import.meta.url));

/** What a file is, by its path below the site; the first that fits. */
const PARTS = {
  knarr: [
    ["module", /\.wasm$/], ["head", /search\/index\.knarr$/], ["rest of the index", /\.pack$/], ["scripts", /\/(core|core-worker|worker|index)\.js$/],
    ["element", /\.(js|css)$/],
  ],
  pagefind: [
    ["element", /pagefind-ui\.(js|css)$/], ["scripts", /\.js$/], ["module", /wasm\.[^/]*\.pagefind$/], ["head", /pagefind-entry\.json$|\.pf_meta$/],
    ["rest of the index", /\.pf_(index|fragment|filter)$/],
  ],
};

/** Milliseconds without a request after which nothing more is expected. */
const QUIET_MS = 700;

const COLUMNS = ["element", "scripts", "module", "head", "rest of the index"];

if (options.help) console.log(HELP);
else await main();

async function main() {
  mkdirSync(options.work, { recursive: true });
  const workshop = new Workshop(options.work, (text) => process.stderr.write(`${text}\n`));
  workshop.tools();
  const browser = await launch();
  const rows = [];
  try {
    for (const site of options.sites.split(",").map(find)) {
      for (const name of ["knarr", "pagefind"]) {
        const visits = await visit(browser, site, name, workshop.build(site, name, options.again));
        rows.push([site.name, SEARCHES[name].label, ...cells(visits)]);
      }
    }
  } finally {
    await browser.close();
  }
  console.log(`Chromium ${browser.version()}, ${options.latency} ms latency, cache on; kB of bodies at the server, p50 (most)\n`);
  console.log(table(["site", "search", "kB", ...COLUMNS, "requests", "rounds", "with rows"], rows));
}

/** A site of `sites.mjs` by its folder. */
function find(folder) {
  const kit = KIT.find((site) => site.folder === folder);
  if (kit) return { ...kit, sources: copyOf(join(SHARED, "kit/generators", folder)) };
  const real = REAL.find((site) => site.folder === folder);
  const site = { ...real, ...real?.open(SHARED, process.env.KNARR_SOURCES) };
  if (!real || site.missing) throw new Error(`${folder}: ${site.missing ?? "no such site"}`);
  return site;
}

/** Asks a site's questions, each on its first page in a browser that knows nothing; what the server sent for each. */
async function visit(browser, site, name, folder) {
  const server = await serve({ [site.base]: folder }, { latency: Number(options.latency), cache: true });
  const own = site.questions.filter(({ start }) => start === undefined).slice(0, Number(options.questions));
  const questions = options.query?.map((query) => ({ query })) ?? own;
  const isSearch = ({ url }) => url.startsWith(`${site.base}${name}/`);
  const visits = [];
  try {
    for (const { query } of [questions[0], ...questions]) { // The first one twice: the server compresses each script once.
      const seen = server.requests.length;
      const page = await openPage(browser, server.origin + site.base + (site.start ?? ""));
      await page.waitForTimeout(1000);
      const shown = await ask(page, SEARCHES[name], query, { ...site, isPasted: true });
      const isQuiet = () => server.requests.every(({ end }) => end !== undefined && performance.now() - end > QUIET_MS);
      while (!isQuiet()) await page.waitForTimeout(50);
      const made = server.requests.slice(seen).filter(isSearch);
      await page.context().close();
      process.stderr.write(`${site.name}, ${SEARCHES[name].label}: ${shown.length} rows, ${made.length} requests\n`);
      visits.push({ made, shown });
    }
  } finally {
    await server.close();
  }
  return visits.slice(1);
}

/** The cells of a row: everything, each part, requests, rounds, questions with rows. */
function cells(visits) {
  const kb = (of) => visits.map(({ made }) => made.filter(of).reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  const cell = (values) => {
    const [middle, most] = [0.5, 1].map((q) => quantile([...values].sort((a, b) => a - b), q).toFixed(0));
    return middle === most ? middle : `${middle} (${most})`;
  };
  return [
    cell(kb(() => true)), ...COLUMNS.map((part) => cell(kb(({ url }) => partOf(url) === part))),
    cell(visits.map(({ made }) => made.length)), cell(visits.map(({ made }) => rounds(made))),
    `${visits.filter(({ shown }) => shown.length > 0).length} of ${visits.length}`,
  ];
}

function partOf(url) {
  const { pathname } = new URL(url, "http://localhost");
  const kinds = pathname.includes("/pagefind/") ? PARTS.pagefind : PARTS.knarr;
  const found = kinds.find(([, form]) => form.test(pathname));
  if (!found) throw new Error(`${pathname} is of no part`);
  return found[0];
}
