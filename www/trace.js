/** Draws what the engine tells of a question: the plan, words, candidates by leg, and the walk as a tree. */

import { Knarr } from "./knarr/index.js";

/** Rows of a directory, and candidates, shown at once; the rest opens. */
const ROWS = 4;
const CANDIDATES = 12;
/** Opened directories shown at once, beside those that lead to results. */
const OPENED = 5;

const form = document.getElementById("ask");
const status = document.getElementById("status");
const drawing = document.getElementById("trace");

let opening;
let asking;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
form.addEventListener("change", showFields);
const address = new URLSearchParams(location.search);
for (const [name, value] of address) form.elements[name] && (form.elements[name].value = value);
showFields();
ask();

/** Fields that another choice makes meaningless are away. */
function showFields() {
  const chosen = [form.elements.call.value, form.elements.mode.value];
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = !chosen.includes(field.dataset.for);
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  keepQuestion();
  const { signal } = asking;
  const { query, call, mode, preset, alpha, limit, session } = Object.fromEntries(new FormData(form));
  status.textContent = "Searching …";
  try {
    const endpoints = JSON.parse(document.getElementById("endpoints").textContent);
    opening ??= Knarr.open(address.get("src") ?? "search/", { endpoints });
    const knarr = await opening;
    const options = { mode, limit: Number(limit), trace: true, explain: true, signal };
    if (mode === "thinking") options.preset = preset;
    if (alpha !== "") options.alpha = Number(alpha);
    const messages = session.split("\n").filter((line) => line.trim() !== "");
    if (call === "search" && messages.length > 0) {
      options.session = { messages: messages.map((content) => ({ role: "user", content })) };
    }
    const began = performance.now();
    const result = await knarr[call](query, options);
    draw(result, performance.now() - began);
  } catch (error) {
    if (signal.aborted) return;
    opening = undefined;
    drawing.hidden = true;
    status.textContent = `${error.code ?? "Error"}: ${error.message}`;
  }
}

/** Puts the question into the address, which can then be loaded again or passed on. */
function keepQuestion() {
  const asked = new URLSearchParams();
  for (const field of form.querySelectorAll("[name]")) {
    if (!field.closest("[data-for]")?.hidden && field.value !== "") asked.set(field.name, field.value);
  }
  if (address.has("src")) asked.set("src", address.get("src"));
  history.replaceState(history.state, "", `?${asked}`);
}

function draw(result, milliseconds) {
  const { memories, resources, skills, corrections, skipped, trace, query_plan: plan, query_results: queries } = result;
  const results = [...memories, ...resources, ...skills].sort((a, b) => b.score - a.score);
  const said = [`${results.length} ${results.length === 1 ? "result" : "results"} in ${milliseconds.toFixed(0)} ms, parts fetched on the way included.`];
  for (const [typed, read] of corrections) said.push(`“${typed}” was read as “${read}”.`);
  for (const { step, reason } of skipped) said.push(`Without ${step}: ${reason}.`);
  status.textContent = said.join(" ");
  const place = new Map(results.map((hit, i) => [hit.uri, { hit, rank: i + 1 }]));
  const parts = [];
  if (plan) parts.push(section("The plan", element("p", {}, plan.reasoning), element("div", { className: "scroll" }, table(["query", "type", "for", "priority"],
    plan.queries.map((one) => [one.query, one.context_type ?? "any", one.intent, String(one.priority)])))));
  if (queries) {
    // The results of several queries stand in one list: each query's own order follows it.
    if (queries.length > 1) parts.push(section("Results of all queries", element("ol", { className: "candidates" }, ...results.map(resultItem))));
    for (const one of queries) {
      const own = new Map(one.matched_contexts.map((row, i) => [row.uri, { hit: place.get(row.uri)?.hit ?? row, rank: i + 1 }]));
      const ranked = one.matched_contexts.some((row) => row.match_reason === RERANKED);
      parts.push(element("h2", { className: "query" }, `“${one.query.query}”`));
      if (ranked) parts.push(element("p", { className: "muted" }, "Its results were scored again by the rerank model."));
      parts.push(...traceOf(one.trace, own));
    }
  } else {
    parts.push(...traceOf(trace, place));
  }
  drawing.replaceChildren(...parts);
  drawing.hidden = false;
}

/** How `search` says that a model's score is in place of the engine's. */
const RERANKED = "score of the rerank model";

/** Words, candidates and the walk of one query. */
function traceOf(trace, place) {
  if (trace.candidates.length === 0) return [element("p", { className: "muted" }, "Nothing was found, and there is nothing to trace.")];
  const legend = element("p", { className: "legend" },
    ...["keyword", "vector", "graph"].map((leg) => element("span", { className: leg }, `${leg}s`.replace("graphs", "graph"))),
    element("span", {}, " · a row opens to show how its score adds up"));
  const rows = trace.candidates.map((row) => candidateItem(row, trace.alpha, place.get(row.uri)));
  const first = rows.splice(0, CANDIDATES);
  return [
    section("What the words are on this site", element("ul", { className: "words" }, ...trace.words.map(wordItem))),
    section("Candidates, by leg", legend, element("ol", { className: "candidates" }, ...first), ...more(rows, "ol", "candidates")),
    ...(trace.events.length > 0 ? [walkSection(trace, place)] : []),
  ];
}

function resultItem(hit, i) {
  return element("li", { className: "plain" },
    element("span", { className: "rank" }, `#${i + 1}`), element("span", { className: "uri" }, ...pathOf(hit.uri)),
    bar([["walked", hit.score]], hit.score.toFixed(3)));
}

function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children);
}

/** What is left of a list, folded. */
function more(items, tag, className) {
  if (items.length === 0) return [];
  return [element("details", { className: "more" },
    element("summary", {}, `${items.length} more`), element(tag, { className }, ...items))];
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

function explained({ alpha, keyword, vector, graph, score, words, paths = [], queries = [] }, hit) {
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
    ...queries.map(({ query, weight, rank }) => element("p", {}, `#${rank} for “${query}”, which weighs ${weight}`)),
  );
}

/** The walk as the tree that it went through: directories with what was found in them, opened ones with their turn. */
function walkSection({ events, statistics }, place) {
  const directory = (name) => ({ name, children: new Map(), rows: [], levels: new Map() });
  const root = directory("");
  const at = (uri) => {
    let node = root;
    for (const name of uri.replace("viking://", "").split("/").filter(Boolean)) {
      if (!node.children.has(name)) node.children.set(name, directory(name));
      node = node.children.get(name);
    }
    return node;
  };
  let stopped = "";
  let turn = 0;
  // A node is met again and again; what was said of it last is what became of it.
  const met = new Map();
  for (const { event_type: type, round, directory: uri, score, row, reason } of events) {
    if (type === "search_converged") stopped = reason;
    if (type === "search_directory_start") at(uri).opened = { turn: ++turn, round, score };
    if (row) {
      const key = `${row.node} ${row.level}`;
      if (reason !== "worse" || !met.has(key)) met.set(key, { ...row, reason });
    }
  }
  for (const row of met.values()) {
    if (row.level < 2) at(row.node).levels.set(row.level, row.score);
    else at(row.node.slice(0, row.node.lastIndexOf("/"))).rows.push(row);
  }
  const { directories_searched: opened, candidates_collected: kept, candidates_excluded: left, rounds } = statistics;
  return section("The walk",
    element("p", { className: "muted" }, `${opened} directories opened in ${rounds} rounds; ${kept} candidates kept, ` +
      `${left} rows left out. Stopped: ${stopped.replaceAll("_", " ")}.`),
    element("ul", { className: "tree" }, ...branches(root, place)));
}

/** True for a directory that was among the first opened ones, or that leads to one of them or to a result. */
function matters(node, place) {
  return node.opened?.turn <= OPENED || node.rows.some((row) => place.has(row.node)) || [...node.children.values()].some((child) => matters(child, place));
}

/** The subdirectories and files of a directory of the tree; those that came to nothing are folded. */
function branches(node, place) {
  const order = (a, b) => (a.opened?.turn ?? Infinity) - (b.opened?.turn ?? Infinity);
  const children = [...node.children.values()].sort(order);
  const shown = children.filter((child) => matters(child, place)).map((child) => branch(child, place));
  const passed = children.filter((child) => !matters(child, place)).map((child) => branch(child, place));
  const rank = (row) => place.get(row.node)?.rank ?? Infinity;
  const rows = node.rows.sort((a, b) => rank(a) - rank(b) || b.score - a.score);
  const results = rows.filter((row) => place.has(row.node)).length;
  const items = rows.map((row) => fileItem(row, place));
  const first = items.splice(0, Math.max(results, node.opened?.turn <= OPENED ? ROWS : 0));
  const folded = [...items, ...passed];
  return [...shown, ...first, ...(folded.length > 0 ? [element("li", {}, ...more(folded, "ul", "tree"))] : [])];
}

function branch(node, place) {
  let name = node.name;
  let last = node;
  // A directory that only leads to another stands in one line with it.
  while (!last.opened && last.rows.length === 0 && last.levels.size === 0 && last.children.size === 1) {
    [last] = last.children.values();
    name += `/${last.name}`;
  }
  const { opened, levels } = last;
  const below = branches(last, place);
  const line = element("p", { className: opened ? "directory opened" : "directory" },
    element("b", { className: "uri" }, ...pathOf(name), "/"),
    ...(opened ? [element("span", { className: "turn" }, `opened ${ordinal(opened.turn)}, round ${opened.round}`)] : []),
    ...levelBars(levels));
  return element("li", {}, line, ...(below.length > 0 ? [element("ul", { className: "tree" }, ...below)] : []));
}

/** Abstract and overview of a directory: one bar where they score alike. */
function levelBars(levels) {
  const [l0, l1] = [levels.get(0), levels.get(1)];
  const apart = l0 !== undefined && l1 !== undefined && Math.abs(l0 - l1) >= 0.0005;
  const bars = apart ? [["L0", l0], ["L1", l1]] : [["", l0 ?? l1]];
  return bars.filter(([, score]) => score !== undefined)
    .map(([name, score]) => bar([["walked", score]], `${name} ${score.toFixed(3)}`.trim()));
}

const ordinal = (n) => `${n}${["th", "st", "nd", "rd"][n % 100 > 10 && n % 100 < 14 ? 0 : Math.min(n % 10, 4) % 4]}`;

const REASONS = {
  threshold: "below the threshold", level: "level not asked for", filter: "kept out by the filter",
  worse: "already there with a better score", preset: "not taken from the global search",
};

function fileItem({ node, score, reason }, place) {
  const placed = place.get(node);
  const fate = placed ? `result #${placed.rank}` : reason ? REASONS[reason] : "candidate";
  return element(
    "li", { className: placed ? "file in" : reason ? "file out" : "file" },
    element("span", { className: "uri" }, node.slice(node.lastIndexOf("/") + 1)),
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

/** A node with properties and children; text stays text. */
function element(tag, properties = {}, ...children) {
  const { style, ...rest } = properties;
  const node = Object.assign(document.createElement(tag), rest);
  if (style) node.style.cssText = style;
  node.append(...children);
  return node;
}
