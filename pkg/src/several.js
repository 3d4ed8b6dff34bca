/**
 * `knarr/several`: one answer from several bundles, such as those of a manual, a blog and a second product, each built on its own.
 *
 * Scores say the order within one answer; `relevance` is comparable between bundles, so it decides whose row is next, and no
 * bundle's own order is changed. Words weigh what they weigh in each bundle, so one index over all (`knarr build` of a common
 * folder, or `knarr merge`) ranks better: the figures are in docs/MEASUREMENTS.md.
 */

import { aborted, invalid, KnarrError } from "./errors.js";

export { KnarrError };

/** Results of an answer where no number is asked for, as of `find`. */
const LIMIT = 10;

/** What a row that is called as the question counts more, in relevance: a name says where it belongs, and its weight does not. */
const NAMED = 0.3;
/** Words of a question that may be a name. */
const NAME_WORDS = 3;

/** Options that one bundle alone can answer. */
const ALONE = ["sort", "walk_scores", "trace"];

/**
 * Several bundles as one.
 *
 * @param {{ knarr: object | Promise<object>, base: string | URL, name?: string, weight?: number }[]} sources opened bundles (or
 *   what promises one), the address that each one's results are relative to, a name that stands above its titles, and how much
 *   its rows count beside the others'
 */
export function several(sources) {
  if (!Array.isArray(sources) || sources.length === 0) throw invalid("several: the bundles are a list of { knarr, base }, one at least");
  return new Several(sources.map(({ knarr, base, name, weight = 1 }, at) => {
    if (!knarr) throw invalid(`several: bundle ${at + 1} has no knarr`);
    if (!(weight >= 0 && weight < Infinity)) throw invalid(`several: the weight of bundle ${at + 1} is a number from 0 on, not ${weight}`);
    const opened = Promise.resolve(knarr);
    opened.catch(() => {}); // Each question tells it.
    return { opened, name, weight, base: absolute(base, at) };
  }));
}

function absolute(base, at) {
  try {
    return new URL(base ?? "", globalThis.document?.baseURI ?? globalThis.location?.href).href;
  } catch (cause) {
    throw new KnarrError("INVALID_ARGUMENT", `several: the base of bundle ${at + 1} is no address: ${base}`, { cause });
  }
}

class Several {
  #sources;
  /** The bundle of each result of the last answer, by `uri`. */
  #of = new Map();

  constructor(sources) {
    this.#sources = sources;
  }

  /** The best results of all bundles, in the form of one bundle's. What one does not answer, the others do. */
  async find(query, options = {}) {
    const { limit = LIMIT, offset = 0, ...others } = options ?? {};
    const alone = ALONE.find((name) => others[name] !== undefined && others[name] !== false);
    if (alone) throw invalid(`find: ${alone} is for one bundle, not for several`);
    const asked = await this.#ask((knarr) => knarr.find(query, { ...others, limit: limit + offset }), others.signal);
    const answers = asked.map(({ source, value }) => ({ source, ...value }));
    const merged = (type) => merge(answers.map((answer) => rowsOf(answer, type)), query).slice(offset, offset + limit);
    const lists = { memories: merged("memories"), resources: merged("resources"), skills: merged("skills") };
    const shown = Object.values(lists).flat();
    this.#of = new Map([...shown].reverse().map(({ row, source }) => [row.uri, source])); // Of one name in two bundles it is the better row's.
    const first = answers.find(({ source }) => source === (shown[0]?.source ?? answers[0].source));
    const { facets, groups } = { facets: facetsOf(answers), groups: groupsOf(answers, shown) };
    return {
      ...Object.fromEntries(Object.entries(lists).map(([type, rows]) => [type, rows.map(({ row }) => row)])),
      ...(groups && { groups }),
      ...(facets && { facets }),
      ...(first.answer && { answer: located(first.answer, first.source) }),
      ...(answers.every(({ weak }) => weak) && { weak: true }),
      total: shown.length,
      corrections: first.corrections,
      skipped: [...(first.skipped ?? []), ...asked.failed.map(({ source, reason }) => ({ step: "bundle", reason: tell(source, reason) }))],
    };
  }

  /** What a result of the last answer links to or resembles, in its own bundle. */
  async relations(uri, options = {}) {
    const source = this.#of.get(uri);
    if (!source) throw new KnarrError("NOT_FOUND", `relations: ${uri} is no result of the last answer`);
    return (await (await source.opened).relations(uri, options)).map((row) => located(row, source));
  }

  /** Closes all bundles. */
  close() {
    for (const { opened } of this.#sources) opened.then((knarr) => knarr.close(), () => {});
  }

  /** What the bundles answer, each with its source; with those that failed, unless all did. */
  async #ask(call, signal) {
    const settled = await Promise.allSettled(this.#sources.map(({ opened }) => opened.then(call)));
    if (signal?.aborted) throw aborted(signal);
    const asked = settled.map((answer, at) => ({ ...answer, source: this.#sources[at] }));
    const failed = asked.filter(({ status }) => status === "rejected");
    if (failed.length === asked.length) throw failed[0].reason;
    return Object.assign(asked.filter(({ status }) => status === "fulfilled"), { failed });
  }
}

/** Bundles whose failure the console was told: once each, not with every question. */
const told = new Set();

/** Why a bundle is missing from an answer. */
function tell({ name, base }, error) {
  const reason = `${name ?? base}: ${error?.message ?? error}`;
  if (!told.has(reason)) console.warn(`knarr: one of several bundles is left out; ${reason}`);
  told.add(reason);
  return reason;
}

/** The rows of an answer, each with its source, whose name stands above them. */
function rowsOf(answer, type) {
  const { source } = answer;
  return answer[type].map((row) => ({ row: located(source.name ? { ...row, crumbs: [source.name, ...(row.crumbs ?? [])] } : row, source), source }));
}

/** A result with absolute addresses: what they were relative to differs from row to row. */
function located(row, { base }) {
  return {
    ...row,
    ...(row.url !== undefined && { url: whole(row.url, base) }),
    ...(row.sections && { sections: row.sections.map((section) => located(section, { base })) }),
  };
}

/** An address made absolute; one that is none as it stands, which a link then refuses. `URL.canParse` is younger than the package's browsers. */
function whole(url, base) {
  try {
    return new URL(url, base).href;
  } catch {
    return url;
  }
}

/** Lists in one: the next row is of the list in which the most relevant one of those left is, by its bundle's weight. */
function merge(lists, query) {
  const bests = lists.map((rows) => {
    const values = rows.map(({ row, source }) => source.weight * ((row.relevance ?? row.score) + NAMED * namedness(query, row)));
    for (let at = values.length - 2; at >= 0; at -= 1) values[at] = Math.max(values[at], values[at + 1]);
    return values;
  });
  const next = lists.map(() => 0);
  const merged = [];
  for (;;) {
    let best = -1;
    for (let at = 0; at < lists.length; at += 1) {
      if (next[at] < lists[at].length && (best < 0 || bests[at][next[at]] > bests[best][next[best]])) best = at;
    }
    if (best < 0) return merged;
    merged.push(lists[best][next[best]]);
    next[best] += 1;
  }
}

/** How much of a row's name a question is, from 0 to 1: its title, or one of a section, is the question, or begins or ends with it, or has it. */
function namedness(query, { title = "", sections = [] }) {
  const words = (text) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [text]).join(" ")}`;
  const asked = words(query);
  if (asked.split(" ").length - 1 > NAME_WORDS) return 0;
  const of = (name) => (name === asked ? 1 : name.endsWith(asked) || name.startsWith(`${asked} `) ? 0.6 : name.includes(asked) ? 0.5 : 0);
  return Math.max(of(words(title)), ...sections.map((section) => 0.7 * of(words(section.title))));
}

/** Counts of all bundles, with the names that the first of them writes. */
function facetsOf(answers) {
  if (!answers.some(({ facets }) => facets)) return undefined;
  const counted = new Map();
  for (const { key, label, values } of answers.flatMap(({ facets = [] }) => facets)) {
    const facet = counted.get(key) ?? counted.set(key, { key, label, values: new Map() }).get(key);
    for (const { value, label, count } of values) {
      const before = facet.values.get(value);
      facet.values.set(value, { value, label: before?.label ?? label, count: count + (before?.count ?? 0) });
    }
  }
  const listed = (values) => [...values.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return Array.from(counted.values(), ({ values, ...facet }) => ({ ...facet, values: listed(values) }));
}

/** The directories of the rows that are shown, in the order of each one's best. */
function groupsOf(answers, shown) {
  if (!answers.some(({ groups }) => groups)) return undefined;
  const place = new Map(shown.map(({ row: { uri }, source }, at) => [`${source.base} ${uri}`, at]));
  const of = ({ groups = [], source }) => groups.flatMap((group) => {
    const results = group.results.filter((uri) => place.has(`${source.base} ${uri}`));
    return results.length > 0 ? [{ group: { ...group, results }, at: place.get(`${source.base} ${results[0]}`) }] : [];
  });
  return answers.flatMap(of).sort((a, b) => a.at - b.at).map(({ group }) => group);
}
