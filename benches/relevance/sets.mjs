/**
 * The labelled sets: which corpus each searches, its queries, and what is relevant to them.
 *
 * A corpus becomes a folder of Markdown files, which is what Knarr is given; the peers read the same files. A query is
 * `{ id, text, relevant, exclude, kind }` with document ids; a set may hold a part of a file's queries, those of a kind.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pageText, splitPage } from "./documents.mjs";
import { readLines } from "./lines.mjs";
import { generator } from "./metrics.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DATA = join(process.env.KNARR_SHARED ?? join(HERE, "../../../shared"), "data");
const OWN = join(HERE, "../queries");

/** Front matter that made the labels of cpp-docs. */
const CPP_LABEL_FIELDS = ["f1_keywords", "helpviewer_keywords", "description"];

const CORPORA = {
  "cpp-docs": { language: "en", skip: CPP_LABEL_FIELDS, write: unpackCpp },
  "cpp-docs-500": { language: "en", skip: CPP_LABEL_FIELDS, write: sampleCpp },
  "rustbook-anchor": lines("en", DATA),
  "otel-anchor": lines("en", DATA),
  "otel-zh-desc": lines("zh", DATA),
  cranfield: lines("en", DATA),
  cacm: lines("en", DATA),
  "squad-dev": lines("en", DATA),
  locomo: lines("en", DATA),
  "lihua-world": lines("en", DATA),
  german: lines("de", OWN),
  japanese: lines("ja", OWN),
  korean: lines("ko", OWN),
};

const cpp = (kind) => ({ corpus: "cpp-docs", queries: () => pathQueries(join(DATA, "cpp-docs", `queries-${kind}.jsonl`)) });
const ownCpp = (file) => ({ corpus: "cpp-docs", queries: () => pathQueries(join(OWN, file)) });
const judged = (corpus, options = {}) => ({ corpus, queries: () => judgedQueries(join(DATA, options.folder ?? corpus), options.kind) });
const own = (corpus) => ({ corpus, queries: () => pathQueries(join(OWN, corpus, "queries.jsonl")) });

/** Every set by name, in the order of reports. */
export const SETS = {
  "cpp-keyword": cpp("keyword"),
  "cpp-anchor": cpp("anchor"),
  "cpp-typo": cpp("typo"),
  "cpp-sentence": cpp("sentence"),
  "cpp-prefix": cpp("prefix"),
  "rustbook-anchor": judged("rustbook-anchor"),
  "otel-anchor": judged("otel-anchor"),
  "otel-desc": judged("otel-anchor", { folder: "otel-desc" }),
  "otel-zh-desc": judged("otel-zh-desc"),
  cranfield: judged("cranfield"),
  cacm: judged("cacm"),
  "squad-dev": judged("squad-dev"),
  locomo: judged("locomo"),
  "lihua-single": judged("lihua-world", { kind: "Single" }),
  "lihua-multi": judged("lihua-world", { kind: "Multi" }),
  "own-paraphrase": ownCpp("paraphrase.jsonl"),
  "own-paraphrase-500": { ...ownCpp("paraphrase.jsonl"), corpus: "cpp-docs-500" },
  "own-identifiers": ownCpp("identifiers.jsonl"),
  "own-german": own("german"),
  "own-japanese": own("japanese"),
  "own-korean": own("korean"),
};

/** Why a set cannot be measured here, or undefined when it can. */
export function missing(name) {
  const { corpus } = SETS[name];
  const folder = join(CORPORA[corpus].data ?? DATA, corpus.replace(/-500$/, ""));
  if (!existsSync(folder)) return `${folder} is not there (KNARR_SHARED names the folder with data/)`;
  try {
    return SETS[name].queries().length === 0 ? "no queries" : undefined;
  } catch (error) {
    return error.message;
  }
}

/**
 * Writes a corpus below `work`, once: `site/` with the Markdown files, `ids.json` with file → document id, and
 * `documents.json` with what `documents.mjs` makes of the files, in the same order.
 *
 * Answers `{ name, language, skip, folder, site, ids, documents }`; the last is the path of the file.
 */
export function prepareCorpus(name, work, say) {
  const corpus = CORPORA[name];
  const folder = join(work, "corpora", name);
  const site = join(folder, "site");
  const documents = join(folder, "documents.json");
  if (!existsSync(documents)) {
    say(`writing ${name}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(site, { recursive: true });
    const ids = corpus.write(site, name);
    writeFileSync(join(folder, "ids.json"), JSON.stringify(Object.fromEntries(ids)));
    const rows = [...ids].map(([file, id]) => ({ id, file, ...pageText(splitPage(readFileSync(join(site, file), "utf8"))) }));
    // Written last and in one step: a run that was stopped half way starts again.
    writeFileSync(`${documents}.part`, JSON.stringify(rows));
    renameSync(`${documents}.part`, documents);
  }
  const ids = new Map(Object.entries(JSON.parse(readFileSync(join(folder, "ids.json"), "utf8"))));
  return { name, language: corpus.language, skip: corpus.skip ?? [], folder, site, ids, documents };
}

/** The Markdown of cpp-docs as it is; a page's id is its path with `/` at both ends. */
function unpackCpp(site) {
  execFileSync("tar", ["-xJf", join(DATA, "cpp-docs/docs.tar.xz"), "-C", site, "--strip-components=1"]);
  const files = readdirSync(site, { recursive: true }).filter((file) => file.endsWith(".md")).sort();
  return files.map((file) => [file, `/${file.slice(0, -3)}/`]);
}

/** Pages of the small corpus. */
const SAMPLE = 500;

/** The pages that the paraphrases are about, and others of cpp-docs drawn by a fixed seed, {@link SAMPLE} together. */
function sampleCpp(site) {
  const whole = unpackCpp(site);
  const wanted = new Set(SETS["own-paraphrase"].queries().flatMap(({ relevant }) => [...relevant]));
  const random = generator(500);
  const ranked = whole.map(([file, id]) => [wanted.has(id) ? -1 : random(), file, id]).sort(([a], [b]) => a - b);
  for (const [, file] of ranked.slice(SAMPLE)) rmSync(join(site, file));
  return ranked.slice(0, SAMPLE).map(([, file, id]) => [file, id]).sort();
}

function lines(language, data) {
  return { language, data, write: (site, name) => writeLines(join(data, name, "corpus.jsonl"), site, language) };
}

/**
 * JSON lines as Markdown files: the title as front matter, the text as it is, at the document's `path`, or its `id` below
 * its `group`. Names are made safe and unique.
 */
function writeLines(source, site, language) {
  const rows = readLines(source);
  const places = rows.map((row) => safe(row.path ?? (row.group === undefined ? row.id : `${row.group}/${row.id}`)));
  const folders = new Set(places.flatMap((place) => ancestors(place)));
  const taken = new Set();
  return rows.map(({ id, title, text }, row) => {
    const place = folders.has(places[row]) ? `${places[row]}/index` : places[row];
    let file = `${place}.md`;
    for (let copy = 2; taken.has(file); copy++) file = `${place}-${copy}.md`;
    taken.add(file);
    mkdirSync(dirname(join(site, file)), { recursive: true });
    const fields = [...(title ? [`title: ${JSON.stringify(title)}`] : []), ...(language === "en" ? [] : [`lang: ${language}`])];
    const front = fields.length === 0 ? "" : `---\n${fields.join("\n")}\n---\n\n`;
    writeFileSync(join(site, file), `${front}${text}\n`);
    return [file, id];
  });
}

function safe(path) {
  const clean = path.split("/").filter((segment) => segment !== "").map((segment) => segment.replace(/[^A-Za-z0-9._-]/g, "-"));
  return clean.join("/").replace(/\.(?:txt|md|html)$/, "");
}

function ancestors(place) {
  const segments = place.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}

/** Queries that name their relevant pages themselves. */
function pathQueries(file) {
  return readLines(file).map(({ query, relevant, kind }) => ({ id: query, text: query, relevant: new Set(relevant), exclude: [], kind }));
}

/** Queries with judgements in a file of their own; of one kind where one is named. */
function judgedQueries(folder, kind) {
  const relevant = new Map();
  for (const line of readFileSync(join(folder, "qrels.tsv"), "utf8").trimEnd().split("\n").slice(1)) {
    const [query, document, grade] = line.split("\t");
    if (!relevant.has(query)) relevant.set(query, new Set());
    if (Number(grade) > 0) relevant.get(query).add(document);
  }
  return readLines(join(folder, "queries.jsonl"))
    .filter((query) => kind === undefined || query.kind === kind)
    .map(({ id, text, exclude = [], kind }) => ({ id, text, relevant: relevant.get(id) ?? new Set(), exclude, kind }))
    .filter((query) => query.relevant.size > 0);
}
