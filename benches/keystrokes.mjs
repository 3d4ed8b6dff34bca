#!/usr/bin/env node
/** Work on the page's thread for each letter that is typed into the search element. `--help` says how. */

import { basename } from "node:path";
import { launch } from "./browser/chromium.mjs";
import { serve } from "./browser/server.mjs";
import { run } from "./browser/setting.mjs";
import { table } from "./relevance/report.mjs";
import { quantile } from "./relevance/metrics.mjs";

const HELP = `node keystrokes.mjs BUNDLE QUERIES.jsonl [options]: a Markdown table on standard output, progress on standard error

  BUNDLE        the folder of a bundle; QUERIES.jsonl has a line {"query": …} each
  --queries N   how many of the queries: every third line first, as many as there are (default: 20)
  --gap MS      milliseconds from letter to letter (default: 150)
  --latency MS  wait before each answer of the server (default: 40)
  --dist DIR    the npm package's built files (default: pkg/dist of this repository)
environment: CHROMIUM, the browser`;

const OWN = {
  queries: { type: "string", default: "20" },
  gap: { type: "string", default: "150" },
  latency: { type: "string", default: "40" },
};

/** What Chromium records of a page's thread: tasks, and within them scripts, styles and layout. */
const CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "v8"];
const TASK = ["RunTask"];
const STYLE = ["UpdateLayoutTree"];
const LAYOUT = ["Layout"];
const SCRIPT = ["EvaluateScript", "v8.compile", "v8.compileModule", "v8.evaluateModule", "FunctionCall", "EventDispatch", "TimerFire", "FireAnimationFrame", "FireIdleCallback", "HandlePostMessage", "RunMicrotasks", "MinorGC", "MajorGC"];

/** Milliseconds after the last letter in which rows and their excerpts come. */
const REST_MS = 2000;

await run({ help: HELP, own: OWN }, main);

async function main({ options, bundle, files, queries: all, mounts }) {
  const queries = all.filter((_, at) => at % 3 === 0).slice(0, Number(options.queries));
  const server = await serve(mounts, { latency: Number(options.latency), cache: true });
  const browser = await launch();
  const letters = { first: [], next: [], last: [], again: [] };
  try {
    await typed(browser, server, queries[0], options); // The server compresses each script once.
    for (const [at, query] of queries.entries()) {
      const { once, again } = await typed(browser, server, query, options);
      letters.first.push(once[0]);
      letters.next.push(...once.slice(1, -1));
      letters.last.push(once.at(-1));
      letters.again.push(...again.slice(1, -1));
      process.stderr.write(`${at + 1} of ${queries.length}\n`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
  console.log(`${browser.version}, ${basename(bundle)}, ${queries.length} queries of ${basename(files[0])} (${letters.next.length} letters between the first and the last), ${options.gap} ms a letter, ${options.latency} ms latency, ms of CPU of the page's thread; p50 / p95 / max\n`);
  console.log(report(letters));
}

/** Types a query into the element of a fresh page, takes it away and types it again: the costs of each letter, both times. */
async function typed(browser, server, query, options) {
  const page = await browser.openPage(`${server.origin}/element.html`, { cache: true });
  await page.run(async () => {
    await customElements.whenDefined("knarr-search");
    document.querySelector("knarr-search").shadowRoot.querySelector("input").focus({ preventScroll: true });
  });
  await sleep(500);
  const once = await letterByLetter(browser, page, query, Number(options.gap));
  await page.run(() => {
    const input = document.querySelector("knarr-search").shadowRoot.querySelector("input");
    input.value = "";
    input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  });
  await sleep(500);
  const again = await letterByLetter(browser, page, query, Number(options.gap));
  await page.close();
  return { once, again };
}

/** Types a query, and answers for each letter what the page's thread did from it until the next. */
async function letterByLetter(browser, page, query, gap) {
  const stop = await browser.trace(CATEGORIES);
  const letters = Array.from(query);
  for (const text of letters) {
    await page.send("Input.insertText", { text });
    await sleep(gap);
  }
  await sleep(REST_MS);
  const events = await stop();
  const inputs = events.filter(({ name, args }) => name === "EventDispatch" && args.data?.type === "input");
  if (inputs.length !== letters.length) throw new Error(`${query}: ${letters.length} letters, ${inputs.length} inputs`);
  const { pid, tid } = inputs[0];
  const own = events.filter((event) => event.pid === pid && event.tid === tid && event.ph === "X").sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const starts = inputs.map(({ ts }) => ts).sort((a, b) => a - b);
  return starts.map((from, at) => {
    const until = starts[at + 1] ?? Infinity;
    // The task that a letter is in began a little before its event, and ends after it.
    const within = own.filter(({ ts, dur }) => ts + dur > from && ts + dur <= until);
    const [style, layout] = [outermost(within, STYLE), outermost(within, LAYOUT)];
    const three = outermost(within, [...SCRIPT, ...STYLE, ...LAYOUT]);
    return { script: three - style - layout, style, layout, three, all: outermost(within, TASK) };
  });
}

/** Milliseconds of CPU of the events of these names that are in no other of them; `events` in the order of their starts. */
function outermost(events, names) {
  let [sum, end] = [0, -Infinity];
  for (const { name, ts, dur, tdur } of events) {
    if (!names.includes(name) || ts < end) continue;
    end = ts + dur;
    sum += (tdur ?? dur) / 1000;
  }
  return sum;
}

function report({ first, next, last, again }) {
  const columns = [["the first letter", first], ["the next", next], ["the last, and all that comes after it", last], ["typed again, the next", again]];
  const rows = [["script", "script"], ["style", "style"], ["layout", "layout"], ["the three together", "three"], ["all tasks, with painting", "all"]];
  return table(["", ...columns.map(([name]) => name)], rows.map(([name, key]) => [name, ...columns.map(([, costs]) => {
    const values = costs.map((cost) => cost[key]).sort((a, b) => a - b);
    return [0.5, 0.95, 1].map((q) => quantile(values, q).toFixed(1)).join(" / ");
  })]));
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
