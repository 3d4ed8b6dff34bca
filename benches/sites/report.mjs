/** The tables. */

const kB = (bytes) => (bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 0 });
const of = (good, all) => (good === all ? `${good}` : `**${good}** of ${all}`);
const few = (count) => (count === 0 ? "0" : `**${count}**`);

const COLUMNS = [
  ["found", (one) => of(one.found, one.questions)],
  ["first", (one) => of(one.first, one.questions)],
  ["MRR@8", (one) => one.mrr.toFixed(3).replace(/^0/, "")],
  ["titles", (one) => of(one.titles - one.wrongTitles.length, one.titles)],
  ["leaks", (one) => few(one.leaks.length)],
  ["addresses", (one) => of(one.addresses - one.broken.length, one.addresses)],
  ["as linked", (one) => of(one.addresses - one.foreign.length, one.addresses)],
  ["other language", (one) => few(one.otherLanguage)],
  ["no content", (one) => few(one.noContent.length)],
  ["clicks", (one) => of(one.landed, one.clicks)],
  ["pages", (one) => one.pages.toFixed(1)],
  ["index, kB", (one) => kB(one.disk.index)],
  ["with scripts", (one) => kB(one.disk.all)],
  ["first rows, kB", (one) => `${kB(one.until.bytes)} in ${one.until.requests}`],
];

/** A row per site and search; bold is what is short of all, or more than none. */
function rows(figures, columns) {
  const head = `| site | search | ${columns.map(([name]) => name).join(" | ")} |\n|---|---|${"--:|".repeat(columns.length)}`;
  const body = figures.flatMap(({ name, searches }) => Object.values(searches).map((one, at) => {
    const cells = one.error ? [`failed: ${one.error.split("\n")[0]}`] : columns.map(([, cell]) => cell(one));
    return `| ${at === 0 ? name : ""} | ${one.label ?? ""} | ${cells.join(" | ")} |`;
  }));
  return [head, ...body].join("\n");
}

/** The kit's sites, then the real ones, whose questions are labeled. */
export function table(figures) {
  const [kit, real] = [false, true].map((isReal) => figures.filter((site) => site.isReal === isReal));
  const without = (...names) => COLUMNS.filter(([name]) => !names.includes(name));
  return [...(kit.length > 0 ? [rows(kit, without("MRR@8"))] : []), ...(real.length > 0 ? [rows(real, without("other language"))] : [])].join("\n\n");
}
