#!/usr/bin/env node
/** Relevance of Knarr and its peers on labelled sets. `--help` says how to run it; README.md what it needs. */

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checksum, rank as rankKnarr, SETTINGS } from "./relevance/knarr.mjs";
import { DEPTH, halfOf, interval, mean, means, measure } from "./relevance/metrics.mjs";
import { PEERS, rank as rankPeer, version } from "./relevance/peers.mjs";
import { detail, overview } from "./relevance/report.mjs";
import { missing, prepareCorpus, SETS } from "./relevance/sets.mjs";

const HELP = `node relevance.mjs [options]: Markdown tables on standard output, progress on standard error

  --sets A,B       only these sets; a name may end in * (default: all that are there)
  --systems A,B    only these systems, likewise
  --half a|b|all   only the queries of this half: fit on a, report on b (default: all)
  --reference S    the system that differences are taken to (default: knarr)
  --depth N        measure this many results (default: ${DEPTH})
  --json FILE      also write the figures to this file
  --work FOLDER    where corpora, indexes and peers' rankings are kept (default: below the system's temporary folder)
  --overview       the first table only
  --list           name the sets and systems

sets:    ${Object.keys(SETS).join(" ")}
systems: ${[...SETTINGS.map(({ name }) => name), ...Object.keys(PEERS)].join(" ")}
environment: KNARR_BIN, the command line to measure; KNARR_SHARED, the folder with data/`;

const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: "*" },
    systems: { type: "string", default: "*" },
    half: { type: "string", default: "all" },
    reference: { type: "string", default: "knarr" },
    depth: { type: "string", default: String(DEPTH) },
    json: { type: "string" },
    work: { type: "string", default: join(tmpdir(), "knarr-benches") },
    overview: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const say = (text) => process.stderr.write(`${text}\n`);

if (options.help) {
  console.log(HELP);
} else if (options.list) {
  for (const [name, { corpus }] of Object.entries(SETS)) console.log(`set     ${name}: ${missing(name) ?? `searches ${corpus}`}`);
  for (const { name, about } of SETTINGS) console.log(`system  ${name}: ${about}`);
  for (const [name, peer] of Object.entries(PEERS)) console.log(`system  ${name}: ${peer.package} ${version(peer)}, ${peer.about}`);
} else {
  await main();
}

/** Measures what was asked for and prints it. */
async function main() {
  if (!["a", "b", "all"].includes(options.half)) throw new Error("--half is a, b or all");
  if (!(Number(options.depth) >= 1)) throw new Error("--depth is a number of results");
  mkdirSync(options.work, { recursive: true });
  const systems = chosen([...SETTINGS.map(({ name }) => name), ...Object.keys(PEERS)], options.systems);
  const there = chosen(Object.keys(SETS), options.sets).filter((name) => {
    const reason = missing(name);
    if (reason !== undefined) say(`${name} is left out: ${reason}`);
    return reason === undefined;
  });
  const sets = [];
  for (const name of there) sets.push(await measureSet(name, systems, questions(SETS[name].corpus, there)));
  console.log(`${made(systems)}\n\n${overview(sets)}`);
  if (!options.overview) for (const set of sets) console.log(`\n${detail(set)}`);
  const failed = sets.flatMap((set) => set.systems.filter(({ error }) => error).map(({ name, error }) => `${set.name}: ${name} failed: ${error}`));
  for (const line of failed) say(line);
  if (options.json) {
    const how = { date: new Date().toISOString(), made: made(systems), half: options.half, depth: Number(options.depth) };
    writeFileSync(options.json, `${JSON.stringify({ ...how, reference: options.reference, sets }, undefined, 1)}\n`);
  }
}

/** The names that a comma-separated list of names, or beginnings with `*`, picks. An unknown name is an error. */
function chosen(names, list) {
  const picked = list.split(",").flatMap((pattern) => {
    const found = names.filter((name) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
    if (found.length === 0) throw new Error(`there is no ${pattern}; there are ${names.join(", ")}`);
    return found;
  });
  return names.filter((name) => picked.includes(name));
}

/** What made the figures: the command line's checksum, because its version says little, and the peers' versions. */
function made(systems) {
  const peers = systems.filter((name) => PEERS[name]).map((name) => `${PEERS[name].package} ${version(PEERS[name])}`);
  const half = options.half === "all" ? "all queries" : `half ${options.half} of the queries`;
  return [`knarr ${checksum()}`, ...new Set(peers), half].join(", ");
}

/** What a peer is asked in one go: the texts of all sets that search a corpus, and how many results they need. */
function questions(corpus, sets) {
  const queries = sets.filter((name) => SETS[name].corpus === corpus).flatMap((name) => SETS[name].queries());
  return { texts: queries.map(({ text }) => text), limit: depth(queries) };
}

/** Excluded pages leave the ranking before it is scored, so that many more have to be there. */
function depth(queries) {
  return Number(options.depth) + Math.max(...queries.map(({ exclude }) => exclude.length));
}

/** Measures the systems on one set. All queries are answered; the half decides which are scored. */
async function measureSet(name, systems, asked) {
  const corpus = prepareCorpus(SETS[name].corpus, options.work, say);
  const queries = SETS[name].queries();
  unknownLabels(name, corpus, queries);
  const scored = queries.map(({ text }) => options.half === "all" || halfOf(text) === options.half);
  const measured = [];
  for (const system of systems) {
    say(`${name}: ${system}`);
    try {
      const setting = SETTINGS.find((setting) => setting.name === system);
      const rankings = setting === undefined
        ? await peerRankings(system, corpus, queries, asked)
        : rankKnarr(corpus, setting, queries, depth(queries), say);
      const rows = queries.map((query, at) => score(query, rankings[at])).filter((_, at) => scored[at]);
      measured.push({ name: system, rows });
    } catch (error) {
      measured.push({ name: system, error: String(error?.message ?? error) });
    }
  }
  return summary(name, queries.filter((_, at) => scored[at]).map(({ kind }) => kind), measured);
}

async function peerRankings(system, corpus, queries, { texts, limit }) {
  const rankings = await rankPeer(system, corpus, texts, limit, say);
  return queries.map(({ text, exclude }) => rankings.get(text).slice(0, Number(options.depth) + exclude.length));
}

function score({ relevant, exclude }, ranking) {
  const excluded = new Set(exclude);
  return measure(ranking.filter((id) => !excluded.has(id)), relevant, ranking.length, Number(options.depth));
}

/** A label that names no document would count against everyone alike, and silently. */
function unknownLabels(name, corpus, queries) {
  const known = new Set(corpus.ids.values());
  const unknown = queries.flatMap(({ relevant }) => [...relevant]).filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`${name} has labels without a document: ${unknown.slice(0, 5).join(", ")}`);
}

/**
 * Means, their intervals, the paired differences to the reference, and means per kind where a set has several kinds.
 * `kinds` has the kind of each query that was scored. Single queries are not kept.
 */
function summary(name, kinds, measured) {
  const reference = measured.find((system) => system.name === options.reference)?.rows;
  const names = [...new Set(kinds)];
  const systems = measured.map(({ name, rows, error }) => {
    if (error !== undefined) return { name, error };
    const values = rows.map(({ ndcg }) => ndcg);
    const result = { name, means: means(rows), interval: interval(values) };
    if (names.length > 1) {
      result.kinds = Object.fromEntries(names.map((kind) => [kind, means(rows.filter((_, at) => kinds[at] === kind))]));
    }
    if (reference === undefined || rows === reference) return result;
    const differences = values.map((value, at) => value - reference[at].ndcg);
    return { ...result, difference: { mean: mean(differences), interval: interval(differences) } };
  });
  const counts = names.map((kind) => [kind, kinds.filter((other) => other === kind).length]);
  return { name, queries: kinds.length, depth: Number(options.depth), kinds: counts, reference: options.reference, systems };
}
