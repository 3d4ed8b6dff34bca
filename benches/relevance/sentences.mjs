/** The sentence that a question is about, guessed without the engine. */

import lunr from "lunr";

/** A function that answers the sentence of a document that is nearest to a question. */
export function guess(corpus) {
  const split = new Intl.Segmenter("en", { granularity: "sentence" });
  const sentences = new Map([...corpus].map(([id, text]) => [id, Array.from(split.segment(text), ({ segment }) => segment.trim())]));
  const counts = new Map();
  let n = 0;
  for (const sentence of [...sentences.values()].flat()) {
    n += 1;
    for (const stem of stems(sentence)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const idf = (stem) => Math.log(1 + n / (counts.get(stem) ?? n));
  return (question, doc) => {
    const asked = stems(question);
    const weigh = (sentence) => [...stems(sentence)].filter((stem) => asked.has(stem)).reduce((sum, stem) => sum + idf(stem), 0);
    const all = sentences.get(doc).map((sentence) => ({ sentence, weight: weigh(sentence) }));
    return all.sort((a, b) => b.weight - a.weight || a.sentence.length - b.sentence.length)[0].sentence;
  };
}

function stems(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map((word) => lunr.stemmer(new lunr.Token(word, {})).toString()));
}

/** A text in one line, without ellipses. */
export function plain(text) {
  return text.replaceAll("…", "").replace(/\s+/g, " ").trim();
}

/** Length of the longest text that both have. */
export function common(a, b) {
  let longest = 0;
  let last = new Uint16Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const row = new Uint16Array(b.length + 1);
    for (let j = 0; j < b.length; j++) {
      if (a[i] === b[j]) longest = Math.max(longest, (row[j + 1] = last[j] + 1));
    }
    last = row;
  }
  return longest;
}
