/** Draws what the engine tells of a question: words, candidates by leg, and the walk through the tree. */

import { Knarr } from "./knarr/index.js";

/** Rows of a directory shown at once; the rest opens. */
const ROWS = 8;

const form = document.getElementById("ask");
const status = document.getElementById("status");
const drawing = document.getElementById("trace");

let opening;
let asking;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
const address = new URLSearchParams(location.search);
for (const [name, value] of address) form.elements[name] && (form.elements[name].value = value);
ask();

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const { query, alpha, limit, ...rest } = Object.fromEntries(new FormData(form));
  status.textContent = "Searching …";
  try {
    opening ??= Knarr.open(address.get("src") ?? "search/");
    const knarr = await opening;
    const options = { ...rest, limit: Number(limit), trace: true, explain: true, signal };
    if (alpha !== "") options.alpha = Number(alpha);
    const began = performance.now();
    const result = await knarr.find(query, options);
    draw(result, performance.now() - began);
  } catch (error) {
    if (signal.aborted) return;
    opening = undefined;
    drawing.hidden = true;
    status.textContent = `${error.code ?? "Error"}: ${error.message}`;
  }
}

function draw({ memories, resources, skills, corrections, skipped, trace }, milliseconds) {
  const results = [...memories, ...resources, ...skills].sort((a, b) => b.score - a.score);
  const said = [`${results.length} results in ${milliseconds.toFixed(0)} ms, parts fetched on the way included.`];
  for (const [typed, read] of corrections) said.push(`“${typed}” was read as “${read}”.`);
  for (const { step, reason } of skipped) said.push(`Without ${step}: ${reason}.`);
  status.textContent = said.join(" ");
  drawing.hidden = false;
  fill("words", trace.words.map(wordItem));
  const place = new Map(results.map((hit, i) => [hit.uri, { hit, rank: i + 1 }]));
  fill("candidates", trace.candidates.map((row) => candidateItem(row, trace.alpha, place.get(row.uri))));
  document.getElementById("walk").hidden = trace.events.length === 0;
  drawWalk(trace.events, trace.statistics, place);
}

function wordItem({ word, read_as, importance }) {
  const others = read_as.filter((other) => other !== word).slice(0, 4);
  const reading = read_as.length === 0 ? "not on this site" : others.length > 0 ? `→ ${others.join(", ")}` : "";
  return element("li", {}, element("b", {}, word), bar([["keyword", Math.min(importance / 10, 1)]], importance.toFixed(1)), reading);
}

function candidateItem({ uri, keyword, vector, graph, score }, alpha, placed) {
  const legs = [["keyword", keyword * (1 - alpha)], ["vector", vector * alpha]];
  if (graph > 0) legs.push(["graph", graph]);
  const line = [
    element("span", { className: "rank" }, placed ? `#${placed.rank}` : "–"),
    element("span", { className: "uri" }, ...pathOf(uri)),
    bar(legs, score.toFixed(3)),
  ];
  const explanation = placed?.hit.explain;
  if (!explanation) return element("li", { className: "plain" }, ...line);
  return element("li", {}, element("details", {}, element("summary", {}, ...line), explained(explanation, placed.hit)));
}

function explained({ alpha, keyword, vector, graph, score, words, paths }, hit) {
  const mix = `${(1 - alpha).toFixed(2)} × ${keyword.toFixed(3)} keywords + ${alpha.toFixed(2)} × ${vector.toFixed(3)} vectors`;
  const sum = graph > 0 ? `${mix}, and the graph's ${graph.toFixed(3)}, give ${score.toFixed(3)}` : `${mix} = ${score.toFixed(3)}`;
  const head = ["word", "read as", "rarity", "title", "heading", "body", "adds"];
  const rows = words.map((word) => [
    word.word, word.read_as, word.idf.toFixed(2), word.title ? "yes" : "", word.heading ? "yes" : "",
    word.body.toFixed(2), word.score.toFixed(2),
  ]);
  const after = Math.abs(hit.score - score) > 1e-4 ? `The walk makes ${hit.score.toFixed(3)} of it.` : "";
  return element(
    "div", { className: "explained" },
    element("p", {}, sum, ". ", after),
    element("div", { className: "scroll" }, table(head, rows)),
    ...paths.map(({ entity, walk, amount }) =>
      element("p", {}, `“${entity}” votes ${amount.toFixed(2)} over ${walk.join(" → ")}`)),
  );
}

/** The directories in the order in which they were opened, each with what was found in it. */
function drawWalk(events, statistics, place) {
  const opened = new Map();
  let stopped = "";
  for (const event of events) {
    const key = event.directory ?? "";
    if (event.event_type === "search_converged") stopped = event.reason;
    if (event.row === undefined && event.event_type !== "search_directory_start") continue;
    if (!opened.has(key)) opened.set(key, { score: event.score, round: event.round, rows: [] });
    if (event.row) opened.get(key).rows.push({ ...event.row, reason: event.reason, round: event.round });
  }
  const { directories_searched, candidates_collected, candidates_excluded, rounds } = statistics;
  document.getElementById("walk-summary").textContent =
    `${directories_searched} directories opened in ${rounds} rounds; ${candidates_collected} candidates kept, ` +
    `${candidates_excluded} rows left out. Stopped: ${stopped.replaceAll("_", " ")}.`;
  fill("directories", [...opened].map(([uri, directory]) => directoryItem(uri, directory, place)));
}

function directoryItem(uri, { score, round, rows }, place) {
  const title = uri === "" ? ["the whole tree, before any directory"] : pathOf(uri);
  const depth = uri === "" ? 0 : uri.split("/").length - 3;
  const items = rows.map((row) => rowItem(row, place));
  const rest = items.splice(ROWS);
  const item = element(
    "li", { style: `--depth: ${Math.max(depth, 0)}` },
    element("p", { className: "directory" }, element("b", {}, ...title),
      element("span", { className: "muted" }, uri === "" ? "" : ` round ${round}, score ${(score ?? 0).toFixed(3)}`)),
    items.length > 0 ? element("ul", {}, ...items) : element("p", { className: "muted" }, "nothing here"),
  );
  if (rest.length > 0) {
    item.append(element("details", {}, element("summary", {}, `${rest.length} more`), element("ul", {}, ...rest)));
  }
  return item;
}

const REASONS = {
  threshold: "below the threshold", level: "level not asked for", filter: "kept out by the filter",
  worse: "already there with a better score", preset: "not taken from the global search",
};

function rowItem({ node, level, score, reason }, place) {
  const placed = place.get(node);
  const fate = reason ? REASONS[reason] : placed ? `result #${placed.rank}` : "candidate";
  return element(
    "li", { className: reason ? "out" : placed ? "in" : "" },
    element("span", { className: "uri" }, ...pathOf(node)), element("span", { className: "muted" }, ` L${level}`),
    bar([["walked", score]], score.toFixed(3)), element("span", { className: "fate" }, fate),
  );
}

/** A URI with places where a line may break. */
function pathOf(uri) {
  const segments = uri.replace("viking://", "").split("/");
  return segments.flatMap((segment, i) => (i === 0 ? [segment] : ["/", element("wbr"), segment]));
}

/** Lengths in [0, 1] side by side, with the number beside them. */
function bar(legs, text) {
  const parts = legs.map(([name, length]) => element("i", { className: name, style: `--length: ${Math.max(0, Math.min(length, 1))}` }));
  return element("span", { className: "score" }, element("span", { className: "bar-track", ariaHidden: "true" }, ...parts), text);
}

function table(head, rows) {
  const row = (cells, tag) => element("tr", {}, ...cells.map((cell) => element(tag, {}, cell)));
  return element("table", {}, element("thead", {}, row(head, "th")), element("tbody", {}, ...rows.map((cells) => row(cells, "td"))));
}

function fill(id, children) {
  document.getElementById(id).replaceChildren(...children);
}

/** A node with properties and children; text stays text. */
function element(tag, properties = {}, ...children) {
  const { style, ...rest } = properties;
  const node = Object.assign(document.createElement(tag), rest);
  if (style) node.style.cssText = style;
  node.append(...children);
  return node;
}
