/**
 * The words of a question in a collection: which it has, what an unfinished one may become and a mistyped one be, and the
 * two vectors that they make. As `src/find/ask/words.rs` reads them, from the points that `knarr export --to qdrant` wrote.
 */

import { isGram, question } from "./qdrant-terms.js";
import { badAnswer } from "./qdrant-server.js";

/** As in the engine: weights of pieces beside their whole, of completions beside the word, of corrections by mistakes. */
const PIECE_WEIGHT = 0.3;
const PAIR_WEIGHT = 0.5;
const MENTIONED_WEIGHT = 0.1;
const COMPLETION_WEIGHT = 0.25;
const CORRECTION_WEIGHT = [1, 0.9, 0.6];
const MAX_COMPLETIONS = 64;
const MAX_CORRECTIONS = 3;
const MAX_COMPOUNDS = 8;
/** Words that differ in two places are considered from this length. */
const TWO_MISTAKES_FROM = 8;
/** Letters in which such a word is taken to be right where no half of it is: "tommorow". */
const BEGINNING = 3;
const ANYWHERE_FROM = 10;
/** Mistyped words of a question that are looked for, and words that each is chosen from, the commonest first. */
const MAX_UNKNOWN = 4;
const MAX_CANDIDATES = 256;
/** Milliseconds for which words are kept: the hand that types asks for the same ones, and a new export has others. */
const KEPT_MS = 60_000;

/** Looks words up in a collection. */
export class Words {
  #server;
  /** What is known of terms: a word, or null for one that the collection lacks. */
  #known = new Map();
  #since = 0;

  constructor(server) {
    this.#server = server;
  }

  /**
   * Reads a question.
   *
   * @param {{ prefix: boolean, nodes: number, dims: number }} how `prefix`: the last word may be unfinished
   * @returns {Promise<{ sparse: { indices: number[], values: number[] }, dense: number[], corrections: string[][], marks: Map<string, number>, skipped: object[] }>}
   */
  async read(typed, { prefix, nodes, dims }, signal) {
    const asked = question(typed);
    const slots = slotsOf(asked);
    const open = prefix ? slots.filter(({ isOpen, term }) => isOpen && [...term].length >= 2) : [];
    const [found, longer] = await Promise.all([
      this.#lookUp([...slots.map(({ term }) => term), ...asked.names.map(({ term }) => term)], signal),
      Promise.all(open.map(({ term }) => this.#beginningWith(term, signal))),
    ]);
    for (const slot of slots) if (found.get(slot.term)) slot.read.push({ word: found.get(slot.term), weight: 1, idf: found.get(slot.term).idf });
    open.forEach((slot, i) => complete(slot, longer[i], nodes));
    const corrections = await this.#correct(slots, nodes, signal);
    await this.#fillVectors(slots, signal);
    weighPieces(asked.tokens, slots);
    addNames({ ...asked, names: await this.#namesOf(asked.names, slots, corrections, signal) }, slots, found);
    return { ...vectors(slots, dims), corrections: asTyped(typed, asked.tokens, corrections), marks: marksOf(slots), skipped: unread(asked) };
  }

  /** The words that have these terms among their forms. */
  async #lookUp(terms, signal) {
    if (performance.now() - this.#since > KEPT_MS) {
      this.#known.clear();
      this.#since = performance.now();
    }
    const known = this.#known;
    const missing = [...new Set(terms)].filter((term) => !known.has(term));
    if (missing.length > 0) {
      const filter = { must: [{ key: "words", match: { any: missing } }] };
      const { points } = await this.#server.points("scroll", { filter, limit: missing.length, with_payload: { exclude: ["starts", "ends"] } }, signal);
      const words = points.map(wordOf);
      for (const term of missing) known.set(term, words.find(({ words }) => words.includes(term)) ?? null);
    }
    return known;
  }

  /** The commonest words with a form that begins so. */
  async #beginningWith(term, signal) {
    return this.#spelled([text("starts", term)], MAX_COMPLETIONS, signal);
  }

  async #spelled(should, limit, signal) {
    const order_by = { key: "df", direction: "desc" };
    const { points } = await this.#server.points("scroll", { filter: { should }, limit, order_by, with_payload: { exclude: ["vector", "ends"] } }, signal);
    return points.map(wordOf);
  }

  /** Gives words that nothing is known of the nearest words that the collection has; `[typed, read as]`. */
  async #correct(slots, nodes, signal) {
    const unknown = slots.filter(({ read, term }) => read.length === 0 && isCorrectable(term)).slice(0, MAX_UNKNOWN);
    const like = async (term, keys) => nearest(term, await this.#spelled(keys, MAX_CANDIDATES, signal));
    const near = await Promise.all(unknown.map(async ({ term }) => {
      const words = await like(term, likely(term));
      return words[0] || term.length < TWO_MISTAKES_FROM ? words : like(term, [text("starts", term.slice(0, BEGINNING))]);
    }));
    const found = await this.#lookUp(near.flat().map(({ surface }) => surface), signal);
    const corrections = [];
    unknown.forEach((slot, i) => {
      for (const { surface, distance } of near[i]) {
        const word = found.get(surface);
        if (!word || slot.read.some((one) => one.word === word)) continue;
        const weight = distance > 0 ? CORRECTION_WEIGHT[distance] : Math.sqrt(slot.term.length / surface.length);
        slot.read.push({ word, weight, idf: word.idf });
      }
      const [first] = near[i];
      if (first?.distance === 0) shareIdf(slot.read, nodes);
      else if (first) corrections.push([slot.term, first.surface]);
    });
    return corrections;
  }

  /** The names with their words as they were read. One that nobody typed says less than the words it was read from. */
  async #namesOf(names, slots, corrections, signal) {
    const readAs = corrections.filter(([typed]) => slots.some(({ term, kind }) => term === typed && kind !== "part"));
    const read = names.map((name) => {
      const term = readAs.reduce((term, [typed, word]) => term.replace(typed, () => word), name.term);
      return { ...name, term, weight: term === name.term ? 1 : PIECE_WEIGHT };
    });
    await this.#lookUp(read.map(({ term }) => term), signal);
    return read;
  }

  /** Completions came without their vectors, of which a word has the first. */
  async #fillVectors(slots, signal) {
    const bare = slots.map(({ read: [first] }) => first).filter((first) => first?.word.isBare);
    const found = await this.#lookUp(bare.map(({ word }) => word.words[0]), signal);
    for (const first of bare) first.word = found.get(first.word.words[0]) ?? first.word;
  }
}

/** A word as the export wrote it, refused where it is something else. One that the site lacks has a vector only. */
function wordOf({ payload }) {
  const { words, starts = [], number, df = 0, idf = 0, vector = [], scale = 0, in_title = false } = payload ?? {};
  const isList = (list, type) => Array.isArray(list) && list.every((item) => typeof item === type);
  if (!isList(words, "string") || !isList(starts, "string") || words.length === 0) badAnswer("a word", "has no forms");
  if (!Number.isFinite(scale) || !isList(vector, "number")) badAnswer(`the word ${words[0]}`, "has no vector");
  const isOnSite = Number.isInteger(number) && number >= 0 && number < 2 ** 32 && df > 0 && idf > 0;
  if (number !== undefined && !isOnSite) badAnswer(`the word ${words[0]}`, "has no number, df or idf");
  return { words, starts, number, df, idf, vector: vector.map((value) => value * scale), in_title, isBare: payload.vector === undefined };
}

/** The words that were typed, each once; a word said twice is meant twice. */
function slotsOf({ tokens, isOpen }) {
  const slots = [];
  for (const token of tokens) {
    const same = slots.find(({ term }) => term === token.term);
    if (same === undefined) slots.push({ ...token, isOpen: isOpen(token), weight: 1, read: [] });
    else if (token.kind === "word") same.weight += 1;
  }
  return slots;
}

/** Adds the words that an unfinished one may become. They share one idf: a completion must not win because it is rare. */
function complete(slot, words, nodes) {
  const own = slot.read[0]?.word;
  const longer = words.flatMap((word) => {
    const surface = word.starts.find((form) => form.startsWith(slot.term) && form !== slot.term);
    return surface === undefined || word.number === own?.number ? [] : [{ word, surface }];
  });
  longer.sort((a, b) => b.word.df - a.word.df || (a.surface < b.surface ? -1 : 1));
  const read = longer.map(({ word, surface }) => {
    const typed = Math.sqrt([...slot.term].length / [...surface].length);
    return { word, weight: typed * (own ? COMPLETION_WEIGHT : 1), idf: 0 };
  });
  shareIdf(read, nodes);
  slot.read.push(...read);
}

/** Gives readings of one word the idf of all of them together. */
function shareIdf(read, nodes) {
  const df = Math.min(read.reduce((sum, { word }) => sum + word.df, 0), nodes);
  const idf = Math.log(1 + (nodes - df + 0.5) / (df + 0.5));
  for (const one of read) one.idf = idf;
}

/** Corrections as people read them: words as they were typed, without names that go on as they began. */
function asTyped(query, tokens, corrections) {
  return corrections.flatMap(([term, as]) => {
    const { kind, start, end } = tokens.find((token) => token.term === term);
    return kind === "whole" && (as.startsWith(term) || term.startsWith(as)) ? [] : [[query.slice(start, end), as]];
  });
}

function isCorrectable(term) {
  const { length } = [...term];
  return length >= 4 && length <= 32 && /\p{L}/u.test(term) && !isGram(term);
}

/** What a word starts or ends with. */
const text = (key, text) => ({ key, match: { text } });

/** One mistake leaves the first half of a word or its last; two swapped letters do, unless they are the middle ones. */
function likely(term) {
  const letters = [...term];
  const middle = letters.length >> 1;
  const beginning = letters.slice(0, middle).join("");
  const swapped = letters.slice(0, middle - 1).join("") + letters[middle] + letters[middle - 1];
  return [text("starts", beginning), text("starts", swapped), text("ends", letters.slice(middle).reverse().join(""))];
}

/** The forms most like a term: one or two mistakes away, else those that it begins or ends, as in compounds. */
function nearest(term, words) {
  const { length } = [...term];
  const most = length >= TWO_MISTAKES_FROM ? 2 : 1;
  const near = [];
  const longer = [];
  for (const { starts, df } of words) {
    for (const surface of starts) {
      if (surface.startsWith(term) || surface.endsWith(term)) longer.push({ surface, distance: 0, df });
      const distance = Math.abs([...surface].length - length) <= most ? mistakes(term, surface) : Infinity;
      if (distance <= most && (distance < 2 || length >= ANYWHERE_FROM || isLikely([...term], [...surface]))) near.push({ surface, distance, df });
    }
  }
  const isNear = near.some(({ distance }) => distance === 1);
  const found = isNear || longer.length === 0 ? near : longer;
  found.sort((a, b) => a.distance - b.distance || Math.clz32(a.df) - Math.clz32(b.df) || (a.surface < b.surface ? -1 : 1));
  const best = found.filter(({ distance }) => distance === found[0].distance);
  return best.slice(0, best[0]?.distance > 0 ? MAX_CORRECTIONS : MAX_COMPOUNDS);
}

/** True if a word may be a short one with two mistakes: it begins alike, and not two of its letters are others. */
function isLikely(typed, word) {
  const isMoved = () => typed.some((_, at) => mistakes(typed.filter((_, other) => other !== at).join(""), word.join("")) < 2);
  return (typed[0] === word[0] || (typed[0] === word[1] && typed[1] === word[0])) && (typed.length !== word.length || isMoved());
}

/** Letters wrong, missing, too many, or swapped with the next (optimal string alignment). */
function mistakes(a, b) {
  const [from, to] = [[...a], [...b]];
  let before = [];
  let last = to.map((_, j) => j + 1);
  for (let i = 0; i < from.length; i++) {
    const row = [];
    for (let j = 0; j < to.length; j++) {
      const left = j > 0 ? row[j - 1] : i + 1;
      const diagonal = j > 0 ? last[j - 1] : i;
      let least = Math.min(last[j] + 1, left + 1, diagonal + (from[i] === to[j] ? 0 : 1));
      const isSwapped = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j];
      if (isSwapped) least = Math.min(least, (j > 1 ? before[j - 2] : i - 1) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last.at(-1) ?? from.length;
}

/** Pieces of an identifier or a word that the collection has count less than that. */
function weighPieces(tokens, slots) {
  for (const whole of tokens.filter(({ kind }) => kind !== "part")) {
    if (!slots.some(({ term, read }) => term === whole.term && read.some(({ word }) => word.df > 0))) continue;
    for (const { term } of tokens.filter(({ kind, start, end }) => kind === "part" && start >= whole.start && end <= whole.end)) {
      const isAlone = tokens.some((token) => token.term === term && token.kind === "word");
      if (!isAlone) slots.find((slot) => slot.term === term).weight = whole.kind === "word" ? PAIR_WEIGHT : PIECE_WEIGHT;
    }
  }
}

/** Adds the names that something has; what is in one counts as the pieces of an identifier do. */
function addNames({ names, tokens }, slots, found) {
  for (const name of names) {
    const word = found.get(name.term);
    if (!word || !(name.isWritten || word.in_title)) continue;
    const inside = tokens.filter(({ kind, start, end }) => kind === "word" && start >= name.start && end <= name.end);
    if (name.isWritten && inside.length > 1) {
      for (const { term } of inside) slots.find((slot) => slot.term === term).weight = PIECE_WEIGHT;
    }
    const weight = isMentioned(name, word, tokens, slots) ? MENTIONED_WEIGHT : name.weight;
    slots.push({ term: name.term, kind: "name", weight, read: [{ word, weight: 1, idf: word.idf }] });
  }
}

/** True for a plain word that is the name of a section, where pages are called so. */
function isMentioned({ start, end, weight }, { in_title }, tokens, slots) {
  const inside = tokens.filter((token) => token.start >= start && token.end <= end);
  const isWord = inside.length === 1 && inside[0].start === start && inside[0].end === end;
  return weight === 1 && isWord && !in_title && slots.some(({ read }) => read.some(({ word }) => word.in_title));
}

/** Words with their weights, of which the rows hold the idf already, and the sum of the words' vectors at length 1. */
function vectors(slots, dims) {
  const weights = new Map();
  const sum = new Array(dims).fill(0);
  for (const { weight, read, kind } of slots) {
    const own = new Map();
    for (const { word, weight: certainty, idf } of read) {
      if (word.number !== undefined) own.set(word.number, Math.max(own.get(word.number) ?? 0, (weight * certainty * idf) / word.idf));
    }
    for (const [number, value] of own) weights.set(number, (weights.get(number) ?? 0) + value);
    const isWord = kind !== "whole" && kind !== "name";
    const vector = isWord ? read.find(({ word }) => word.vector.length === dims)?.word.vector : undefined;
    vector?.forEach((value, i) => (sum[i] += value));
  }
  const sparse = [...weights].filter(([, value]) => value > 0).sort(([a], [b]) => a - b);
  const length = Math.hypot(...sum);
  return {
    sparse: { indices: sparse.map(([number]) => number), values: sparse.map(([, value]) => value) },
    dense: length > 0 ? sum.map((value) => value / length) : [],
  };
}

/** Every form of the question's words with its weight, for excerpts. */
function marksOf(slots) {
  const marks = new Map();
  for (const { term, weight, read, kind } of slots.filter(({ kind }) => kind !== "name")) {
    if (kind !== "part") marks.set(term, weight * (read[0]?.idf ?? 0.1));
    for (const { word, idf } of read) for (const form of word.words) marks.set(form, Math.max(marks.get(form) ?? 0, weight * idf));
  }
  return marks;
}

/** What a collection cannot be asked of the question. */
function unread({ isCut, signs }) {
  const skip = (step, reason) => ({ step, reason });
  return [
    ...(isCut ? [skip("words", "the words after the 64th")] : []),
    ...(signs.phrases ? [skip("phrase", "a collection holds words, not their order: a phrase is asked as its words")] : []),
    ...(signs.excluded ? [skip("excluded", "a collection cannot leave out the pages with a word: -word was left out of the question")] : []),
  ];
}
