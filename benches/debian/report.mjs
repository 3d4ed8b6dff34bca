/** From the figures of single questions, `{ kind, … }`, to Markdown tables of means. */

import { mean } from "../relevance/metrics.mjs";

const figure = (values) => mean(values).toFixed(3).replace(/^0/, "");

/**
 * A table of means by site and kind: `measured` holds pairs of a site's name and the rows of its questions, `measure` is the
 * field that is shown, and `label` its name.
 */
export function table(label, measure, kinds, measured) {
  const cells = (rows) => [...kinds.map((kind) => rows.filter((row) => row.kind === kind)), rows].map((some) => figure(some.map((row) => row[measure])));
  const line = (name, rows) => `| ${name} | ${cells(rows).join(" | ")} |`;
  return [
    `| ${label} | ${kinds.join(" | ")} | all |`,
    `|---|${"--:|".repeat(kinds.length + 1)}`,
    ...measured.map(([name, rows]) => line(name, rows)),
    line("all", measured.flatMap(([, rows]) => rows)),
  ].join("\n");
}

/** Every other name in alphabetical order: the first, third, … for "a", the others for "b", all for neither. */
export function halfOfNames(names, half) {
  const sorted = [...names].sort();
  return half === undefined ? sorted : sorted.filter((_, at) => at % 2 === (half === "a" ? 0 : 1));
}
