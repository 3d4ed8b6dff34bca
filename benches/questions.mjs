#!/usr/bin/env node
/**
 * Questions that strangers wrote and graded: twenty-three documentation sites of Debian 12's packages, forty questions each.
 *
 *   node questions.mjs [options]: two Markdown tables on standard output, progress on standard error
 *
 *   --sites A,B    only these sites (default: all)
 *   --half a|b     every other site in alphabetical order: a to fit on, b to report
 *   --work FOLDER  where packages and bundles are kept, as of debian.mjs (default: below the system's temporary folder)
 *
 * The questions (queries/questions/) were written before any search; one that the site doesn't answer was replaced. Then the
 * pages that were expected and those that Knarr found, mixed, by keywords and by vectors, were graded in a random order: 3
 * answers the question, 2 answers it in good part, 1 leads there. nDCG counts a page with 2^grade − 1, MRR the first page of
 * grade 2 or more. Other engines' pages were not graded: the figures compare one Knarr with another. `knarr eval` reads the
 * same files. Needs `apt-get` and `dpkg-deb`.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SITES } from "./debian/labelled.mjs";
import { halfOfNames, table } from "./debian/report.mjs";
import { ask, bundleOf, chosen, pageOf, pagesOf, WORK } from "./debian/sites.mjs";
import { readLines } from "./relevance/lines.mjs";
import { DEPTH, graded, measure } from "./relevance/metrics.mjs";

/** Places that are looked at for the first right page, as many as the search element shows. */
const FIRST = 8;
/** The least grade of a right page. */
const RIGHT = 2;
const KINDS = ["question", "short", "task", "error"];

const options = { sites: { type: "string" }, half: { type: "string" }, work: { type: "string", default: WORK }, help: { type: "boolean", short: "h" } };
const { values } = parseArgs({ options });
if (values.help) {
  console.log(`node questions.mjs [--sites A,B] [--half a|b] [--work FOLDER]: nDCG@${DEPTH} and MRR@${FIRST} of graded questions on twenty-three sites from Debian's packages`);
  process.exit();
}
if (![undefined, "a", "b"].includes(values.half)) throw new Error(`--half is a or b, not ${values.half}`);
const names = chosen(SITES, values.sites);
const half = halfOfNames(Object.keys(SITES), values.half);

/** The measures of a site's questions, each with its kind. */
function measures(name) {
  const file = fileURLToPath(new URL(`queries/questions/${name}.jsonl`, import.meta.url));
  const questions = readLines(file);
  // The tree's name has weight too: where pages were graded, it was the same for all sites.
  const bundle = bundleOf(values.work, name, SITES[name], ["--name", "docs"]);
  const pages = pagesOf(bundle);
  const missing = new Set(questions.flatMap(({ relevant }) => Object.keys(relevant)).filter((page) => !pages.has(page)));
  if (missing.size > 0) console.error(`${name}: no page of the bundle, but graded: ${[...missing].join(", ")}`);
  const found = ask(bundle, file, DEPTH);
  return questions.map(({ kind, relevant }, at) => {
    const grades = new Map(Object.entries(relevant).map(([page, grade]) => [pageOf(page), grade]));
    const right = new Set([...grades.keys()].filter((page) => grades.get(page) >= RIGHT));
    return { kind, ndcg: graded(found[at], grades), mrr: measure(found[at], right, found[at].length, FIRST).mrr };
  });
}

const measured = names.filter((name) => half.includes(name)).map((name) => [name, measures(name)]);
console.log(`${table(`nDCG@${DEPTH}`, "ndcg", KINDS, measured)}\n\n${table(`MRR@${FIRST}`, "mrr", KINDS, measured)}`);
