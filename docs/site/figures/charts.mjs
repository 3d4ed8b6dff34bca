/** Charts as SVG, drawn from the tables of docs/SPEED.md, QUALITY.md and MEASUREMENTS.md. Colors are the page's (style.css). */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** The files that have the figures. */
export const SOURCES = ["SPEED.md", "QUALITY.md", "MEASUREMENTS.md"].map(file);

/** The n-th table below a heading: rows of `cells`, which are there by the names of their columns too; the first is `name`. */
export function table(name, heading, n = 0) {
  const text = readFileSync(file(name), "utf8");
  const [, section] = text.split(new RegExp(`^#+ ${heading}$`, "m"));
  if (section === undefined) throw new Error(`${name} has no heading "${heading}"`);
  const tables = section.split(/^#+ /m)[0].match(/(?:^\|.*\n)+/gm) ?? [];
  if (!tables[n]) throw new Error(`${name}, "${heading}": no table ${n + 1}`);
  const cells = (line) => line.slice(1, -1).split("|").map((cell) => cell.trim().replaceAll("*", ""));
  const [head, , ...rows] = tables[n].trim().split("\n").map(cells);
  return rows.map((row) => ({ name: row[0], cells: row, ...Object.fromEntries(head.slice(1).map((column, at) => [column, row[at + 1]])) }));
}

/** `1,284`, `.801`, `3.6` as numbers; an empty cell is none. */
export function number(cell) {
  const value = Number(cell?.replaceAll(",", "").replace("−", "-"));
  if (!cell || Number.isNaN(value)) throw new Error(`"${cell}" is not a figure`);
  return value;
}

const escape = (text) => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
const text = (x, y, content, { anchor = "start", kind = "" } = {}) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${kind}">${escape(content)}</text>`;
const bar = (x, y, width, height, kind) => `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(width, 1).toFixed(1)}" height="${height}" rx="2" class="${kind}"/>`;
const svg = (width, height, title, body) =>
  `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}"><title>${escape(title)}</title>${body}</svg>`;

const WIDTH = 640;
const NAME = 150;

/** Rows of bars, one for each series; `rows`: `{ name, bars: [{ value, label, kind, parts }] }`. */
function bars(title, rows, max) {
  const scale = (value) => (value / max) * (WIDTH - NAME - 130);
  let y = 4;
  let body = "";
  for (const { name, note, bars } of rows) {
    body += text(NAME - 12, y + bars.length * 11 - (note ? 3 : -4), name, { anchor: "end", kind: "name" });
    if (note) body += text(NAME - 12, y + bars.length * 11 + 13, note, { anchor: "end", kind: "note" });
    for (const { value, label, kind, parts } of bars) {
      let x = NAME;
      for (const [part, share] of parts ?? [[kind, value]]) {
        body += bar(x, y, scale(share), 18, part);
        x += scale(share);
      }
      body += text(NAME + scale(value) + 7, y + 13.5, label, { kind: kind === "knarr" ? "value strong" : "value" });
      y += 22;
    }
    y += 14;
  }
  return svg(WIDTH, y - 8, title, body);
}

/** First page that answers, on real sites. */
function sites() {
  const rows = table("MEASUREMENTS.md", "Real sites").map((row) => {
    const [, site, generator] = /^(\w+) \(([^,;)]+)/.exec(row.name);
    return {
      name: site, note: generator,
      bars: [["Knarr", "now", "knarr"], ["Pagefind", "Pagefind 1.6", "other"]].map(([who, column, kind]) =>
        ({ value: number(row[column]), label: `${row[column]} ${who}`, kind })),
    };
  });
  return bars("MRR@8 of the first page that answers, on four documentation sites: Knarr and Pagefind", rows, 1);
}

/** Bytes of a first question. */
function bytes() {
  const rows = table("SPEED.md", "First query");
  const from = rows.findIndex(({ name }) => name.startsWith("Pagefind"));
  const of = (name, start) => rows.slice(start).find((row) => row.name.startsWith(name));
  const side = (who, start, kind, column) => {
    const all = number(of(who, start)[column]);
    const engine = number(of("of that the engine", start)[column]);
    return { value: all, label: `${of(who, start)[column]} kB ${who}`, kind, parts: [[`${kind} dim`, engine], [kind, all - engine]] };
  };
  const made = [["half of all", "p50"], ["19 of 20", "p95"], ["the largest", "max"]].map(([name, column]) => ({
    name, note: column === "max" ? "max" : column, bars: [side("Knarr", 0, "knarr", column), side("Pagefind", from, "other", column)],
  }));
  return bars("Bytes of a first question over 9,746 pages, in kB: Knarr and Pagefind", made, number(of("Pagefind", from).max));
}

/** Requests, rounds and time of a first question. */
function requests() {
  const rows = table("SPEED.md", "First query");
  const from = rows.findIndex(({ name }) => name.startsWith("Pagefind"));
  const pair = (name, note, row, unit) => {
    const [ours, theirs] = [rows.find((one) => one.name === row), rows.slice(from).find((one) => one.name === row)];
    return { name, note, values: [number(ours.p50), number(theirs.p50)], unit };
  };
  const groups = [pair("requests", "p50", "requests", ""), pair("dependent rounds", "p50", "dependent rounds", ""), pair("time to results", "p50, 40 ms a round", "ms to the results", " ms")];
  return bars("Requests, dependent rounds and time of a first question at the median", groups.map(({ name, note, values, unit }) => ({
    name, note, bars: values.map((value, at) => ({
      value: value / Math.max(...values), label: `${value}${unit} ${["Knarr", "Pagefind"][at]}`, kind: ["knarr", "other"][at],
    })),
  })), 1);
}

/** Bytes of a first question by the size of the site; the head apart. */
function scale() {
  let pages;
  const rows = table("SPEED.md", "Scale").map((row) => {
    pages = row.name || pages;
    const [all, head] = [number(row["first query, kB: p50"]), number(row["head, kB"])];
    return { name: `${pages} pages`, note: `${row.packs === "large" ? "large packs, " : ""}${row["requests, p50"]} requests`, all, head };
  });
  const most = Math.max(...rows.map(({ all }) => all));
  return bars("Bytes of a first question by the number of pages, in kB, the head pale", rows.map(({ name, note, all, head }) => ({
    name, note, bars: [{ value: all, label: `${all} kB, head ${head}`, kind: "knarr", parts: [["knarr dim", head], ["knarr", all - head]] }],
  })), most);
}

/** CPU of a later question. */
function cpu() {
  const rows = table("SPEED.md", "CPU");
  const mean = (beginning) => rows.find(({ name }) => name.startsWith(beginning)).cells[4]; // Of cpp-docs.
  const made = [["Knarr", "query with excerpts through the worker", "knarr"], ["Pagefind", "Pagefind", "other"]];
  return bars("CPU of a later question with ten excerpts, in milliseconds", [{
    name: "a later question", note: "mean, whole renderer",
    bars: made.map(([who, row, kind]) => ({ value: number(mean(row)), label: `${mean(row)} ms ${who}`, kind })),
  }], number(mean("Pagefind")));
}

const PEERS = ["bm25", "minisearch", "minisearch-sections", "flexsearch", "flexsearch-fields", "lunr", "orama", "pagefind"];

/** nDCG of every set: Knarr among the others. */
function quality() {
  const rows = table("QUALITY.md", "At a glance");
  const [left, top, step] = [190, 26, 22];
  const scale = (value) => left + value * (WIDTH - left - 24);
  let body = "";
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    const x = scale(tick);
    body += `<line x1="${x}" x2="${x}" y1="${top - 8}" y2="${top + rows.length * step - 6}" class="grid"/>${text(x, 12, String(tick), { anchor: "middle", kind: "note" })}`;
  }
  rows.forEach((row, at) => {
    const y = top + at * step + 4;
    body += text(left - 12, y + 4, row.name.replace(/ \(.*/, ""), { anchor: "end", kind: "name" });
    const others = PEERS.map((peer) => number(row[peer]));
    body += `<line x1="${scale(Math.min(...others))}" x2="${scale(Math.max(...others))}" y1="${y}" y2="${y}" class="span"/>`;
    for (const [i, value] of others.entries()) body += `<circle cx="${scale(value).toFixed(1)}" cy="${y}" r="3.5" class="other"><title>${PEERS[i]} ${row[PEERS[i]]}</title></circle>`;
    body += `<circle cx="${scale(number(row.knarr)).toFixed(1)}" cy="${y}" r="6" class="knarr"><title>Knarr ${row.knarr}</title></circle>`;
  });
  return svg(WIDTH, top + rows.length * step, `nDCG@10 on ${rows.length} sets: Knarr among ${PEERS.length} other systems`, body);
}

/** All charts by their names. */
export const draw = () => ({ sites: sites(), bytes: bytes(), requests: requests(), cpu: cpu(), quality: quality(), scale: scale() });
