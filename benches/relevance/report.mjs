/** The tables of `relevance.mjs`, as Markdown. */

const three = (value) => value.toFixed(3).replace(/^(-?)0\./, "$1.");
const signed = (value) => (value < 0 ? three(value).replace("-", "−") : `+${three(value)}`);
const span = ([low, high], form) => `${form(low)} … ${form(high)}`;

/** Bold when the interval of a difference does not hold 0. */
function difference({ mean, interval: [low, high] }) {
  const text = `${signed(mean)} (${span([low, high], signed)})`;
  return low > 0 || high < 0 ? `**${text}**` : text;
}

/** All sets by all systems, nDCG, the best of a set in bold; a system that failed or was not asked has a dash. */
export function overview(sets) {
  const systems = [...new Set(sets.flatMap(({ systems }) => systems.map(({ name }) => name)))];
  const rows = sets.map((set) => {
    const values = systems.map((system) => set.systems.find(({ name }) => name === system)?.means?.ndcg);
    const best = three(Math.max(...values.filter((value) => value !== undefined)));
    const cell = (text) => (text === best ? `**${text}**` : text);
    return [`${set.name} (${set.queries})`, ...values.map((value) => (value === undefined ? "–" : cell(three(value))))];
  });
  return table([`nDCG@${sets[0]?.depth}`, ...systems], rows);
}

/** One set: every measure with what the differences to the reference are worth. */
export function detail(set) {
  const rows = set.systems.map(({ name, means, interval, difference: to, error }) => {
    if (error !== undefined) return [name, `failed: ${firstLine(error)}`, "", "", "", "", ""];
    return [
      name, `${three(means.ndcg)} (${span(interval, three)})`, three(means.recall), three(means.mrr), three(means.success),
      `${(100 * means.zero).toFixed(1)} %`, to === undefined ? "" : difference(to),
    ];
  });
  const head = ["", `nDCG@${set.depth} (95 %)`, `recall@${set.depth}`, `MRR@${set.depth}`, "success@1", "no result", `nDCG − ${set.reference} (95 %)`];
  return [`### ${set.name}, ${set.queries} queries`, table(head, rows), ...byKind(set)].join("\n\n");
}

/** nDCG and success@1 per kind of query, for a set with several. */
function byKind({ kinds, systems, depth }) {
  if (kinds.length < 2) return [];
  const rows = systems
    .filter((system) => system.kinds !== undefined)
    .map((system) => [system.name, ...kinds.map(([kind]) => `${three(system.kinds[kind].ndcg)} / ${three(system.kinds[kind].success)}`)]);
  return [table([`nDCG@${depth} / success@1`, ...kinds.map(([kind, count]) => `${kind} (${count})`)], rows)];
}

function firstLine(text) {
  return text.split("\n")[0].replaceAll("|", "\\|");
}

/** A Markdown table. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map((_, at) => (at === 0 ? "---" : "--:")).join("|")}|`, ...rows.map(line)].join("\n");
}
