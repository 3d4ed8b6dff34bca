#!/usr/bin/env node
/** Requests and bytes of second visits, counted at the server with the browser's cache on. `--help` says how. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { launch } from "./browser/chromium.mjs";
import { serve } from "./browser/server.mjs";
import { run } from "./browser/setting.mjs";
import { typeInto } from "./browser/typed.mjs";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node visits.mjs BUNDLE QUERIES.jsonl [options]: Markdown tables on standard output, progress on standard error

  BUNDLE        the folder of a bundle; QUERIES.jsonl has a line {"query": …} each
  --visitors N  how many visitors come, each with a browser of its own and four of the queries (default: 10)
  --hosts A,B   whose headers: recommended (docs/HOSTING.md), short (max-age=600), versions (ETag and Last-Modified only),
                none (default: all)
  --dist DIR    the npm package's built files (default: pkg/dist of this repository)
environment: CHROMIUM, the browser`;

/** What a visitor does one after the other; `new` is a question that was not asked before. */
const STEPS = [
  ["first visit", "a"], ["another page, known", "a"], ["another page, new", "b"], ["new tab, known", "a"], ["new tab, new", "c"],
  ["browser restarted, known", "a"], ["browser restarted, another page, new", "d"],
];

const OWN = {
  visitors: { type: "string", default: "10" },
  hosts: { type: "string", default: "recommended,short,versions,none" },
};

await run({ help: HELP, own: OWN }, main);

async function main({ options, bundle, files, queries: all, mounts }) {
  const queries = all.filter((_, at) => at % 3 === 0);
  const visitors = Math.min(Number(options.visitors), Math.floor(queries.length / 4));
  console.log(`${basename(bundle)}, ${visitors} visitors with queries of ${basename(files[0])}, cache on; requests and kB at the server, p50 / max\n`);
  for (const host of options.hosts.split(",")) {
    const server = await serve(mounts, { cache: host });
    try {
      const all = [];
      for (let i = 0; i < visitors; i++) {
        const [a, b, c, d] = queries.slice(4 * i, 4 * i + 4);
        all.push(await visitor(server, { a, b, c, d }));
        process.stderr.write(`${host}: ${i + 1} of ${visitors}\n`);
      }
      console.log(`Headers: ${host}\n\n${report(all)}\n`);
    } finally {
      await server.close();
    }
  }
}

/** One visitor; for each step what the server was asked for, without the page itself. */
async function visitor(server, queries) {
  const profile = mkdtempSync(join(tmpdir(), "knarr-visits-"));
  let browser = await launch({ profile });
  const address = `${server.origin}/element.html`;
  const open = () => browser.openPage(address, { cache: true, shared: true });
  let page;
  const counted = [];
  try {
    for (const [step, question] of STEPS) {
      const before = server.requests.length;
      if (page === undefined || step.startsWith("new tab")) page = await open();
      else if (step.includes("another page")) await page.go(address);
      else {
        await browser.close();
        browser = await launch({ profile });
        page = await open();
      }
      await typeInto(page, server, queries[question], 0);
      counted.push(server.requests.slice(before).filter(({ url }) => url !== "/element.html"));
    }
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  return counted;
}

function report(all) {
  const cells = (step, of) => {
    const rows = all.map((visits) => visits[step].filter(of));
    const both = (values, form) => [0.5, 1].map((q) => form(quantile(values.sort((a, b) => a - b), q))).join(" / ");
    return [
      both(rows.map((made) => made.length), (count) => count.toFixed(0)),
      both(rows.map((made) => made.reduce((sum, { bytes }) => sum + bytes, 0)), (bytes) => (bytes / 1000).toFixed(0)),
    ];
  };
  return table(["", "requests", "kB", "of that the bundle", "kB"], STEPS.map(([name], step) => [
    name, ...cells(step, () => true), ...cells(step, ({ url }) => url.startsWith("/bundle/")),
  ]));
}
