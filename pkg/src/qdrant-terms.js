/**
 * A question cut into terms as the builder cuts pages (`src/text`): case, width and marks folded, identifiers whole and
 * split, scripts without spaces as bigrams. The engine is not loaded for a server, and `Intl.Segmenter` is younger than
 * the oldest browsers, so the bounds of words are told by an expression.
 */

/** Words that count, names that are looked up, and the longest term, as in the engine. */
const MAX_WORDS = 64;
const MAX_NAMES = 4;
const MAX_TERM_BYTES = 64;

/** Characters of scripts written without spaces, as `is_unspaced` of the engine has them. */
const UNSPACED =
  "\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{323af}"
  + "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff々〇";
const RUN = `[${UNSPACED}]+`;
/** Letters, digits and marks; signs of UAX #29 between two letters or two digits. */
const WORD = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}\\p{Pc}\\u200c\\u200d]|(?<=\\p{L})['’.:·](?=\\p{L})|(?<=\\p{Nd})[.,;'’](?=\\p{Nd}))+`;
const PIECES = new RegExp(`${RUN}|${WORD}`, "gu");
const IS_RUN = new RegExp(`^${RUN}$`, "u");

/**
 * The terms of a question in reading order.
 *
 * @returns {{ term: string, kind: "word" | "whole" | "part" | "gram", start: number, end: number }[]}
 */
export function cut(text) {
  const terms = [];
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const isParticle = /^[가-힣]$/.test(piece) && /[\p{L}\p{N}]$/u.test(text.slice(0, index));
    if (isParticle) continue;
    if (IS_RUN.test(piece)) grams(piece, index, terms);
    else if (/[\p{L}\p{N}]/u.test(piece) && !/^[\u3131-\u318e]+$/.test(piece)) words(text, piece, index, terms);
  }
  return terms;
}

/** True for a bigram or character of a script without spaces. */
export const isGram = (term) => new RegExp(`^[${UNSPACED}]`, "u").test(term);

/**
 * A question as it is read: its text without signs, its terms, and the names that may be in it.
 *
 * @param {string} typed
 */
export function question(typed) {
  const { plain, signs } = unsigned(typed);
  const terms = cut(plain);
  const tokens = terms.slice(0, MAX_WORDS);
  const last = Math.max(0, ...tokens.map(({ end }) => end));
  const isOpen = ({ end, kind }) => last === typed.length && end === last && kind !== "whole";
  return { plain, tokens, names: names(plain), isOpen, isCut: terms.length > MAX_WORDS, signs };
}

/** What stands upon the letter before: vowels and tones of Thai, Lao, Burmese and Khmer, the voicing of narrow kana. */
const LETTERS = /.[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\uff9e\uff9f\u3099\u309a]*/gu;

function grams(run, start, terms) {
  const letters = run.match(LETTERS);
  const width = Math.min(2, letters.length);
  const katakana = [...run.matchAll(KATAKANA)].map(({ 0: word, index }) => ({ word, from: start + index, to: start + index + word.length }));
  let at = start;
  for (let i = 0; i + width <= letters.length; i++) {
    const gram = letters.slice(i, i + width).join("");
    const within = katakana.find(({ from, to }) => from <= at && at + gram.length <= to);
    const term = lengthless(normal(within?.word ?? ""));
    if (within?.from === at && new TextEncoder().encode(term).length <= MAX_TERM_BYTES) terms.push({ term, kind: "word", start: at, end: within.to });
    pair(gram, at, within ? "part" : "gram", terms);
    at += letters[i].length;
  }
}

/** A run of katakana is a word, and its pairs are pieces of it. */
const KATAKANA = /(?:[\u30a1-\u30fe\u31f0-\u31ff\uff66-\uff9f][\u3099\u309a\uff9e\uff9f]*){2,}/g;

/** Without the stroke at the end, which some write. */
const lengthless = (word) => (word.length > 3 ? word.replace(/ー$/, "") : word);

function pair(gram, at, kind, terms) {
  const term = normal(gram).replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  terms.push({ term, kind, start: at, end: at + gram.length });
}

function words(text, written, from, terms) {
  const article = ARTICLE.exec(written)?.[0].length ?? 0;
  const [word, start] = [written.slice(article), from + article];
  // C++, C#, F#: the sign is part of a short word.
  const sign = /^\p{L}{1,2}$/u.test(word) ? /^(\+\+|#)/.exec(text.slice(start + word.length))?.[0] ?? "" : "";
  const pieces = split(word);
  const isNumber = /^[\p{N}.,]+$/u.test(word);
  const whole = withoutArabicArticle(pieces.map(({ piece }) => folded(piece)).join(isNumber ? "." : "") + sign);
  if (whole === "") return;
  const isCompound = (pieces.length > 1 && !isNumber) || sign !== "";
  const end = start + word.length + sign.length;
  const add = (term) => term.term !== "" && new TextEncoder().encode(term.term).length <= MAX_TERM_BYTES && terms.push(term);
  add({ term: whole, kind: isCompound ? "whole" : "word", start, end });
  for (const { piece, at } of isCompound ? pieces : []) {
    add({ term: folded(piece), kind: "part", start: start + at, end: start + at + piece.length });
  }
}

/** Pieces of an identifier: cut at signs, `aB`, and before the last capital of `ABCd`. */
function split(word) {
  const bare = word.replace(/['’]s$/, "");
  const bounds = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
  const pieces = [];
  for (const { 0: run, index } of bare.matchAll(/[\p{L}\p{N}\u0300-\u0386\u0388-\u1fff\u200c\u200d'’ʼ＇]+/gu)) {
    let at = index;
    for (const piece of run.split(bounds)) {
      pieces.push({ piece, at });
      at += piece.length;
    }
  }
  return pieces;
}

/** An article or pronoun that lost its vowel, in French, Italian and Catalan, before two letters. */
const ARTICLE = /^([ldjmnstcv]|qu|un|all|dell|nell|dall|sull|coll|quell|bell|degl|gl|jusqu|lorsqu|puisqu|quoiqu)['’ʼ＇](?=..)/iu;

/** The Arabic article, joined to others or not, before three letters; words with letters of Persian begin so by chance. */
const withoutArabicArticle = (term) => (/[گچپژ]/.test(term) ? term : term.replace(/^(?:[وبكف]?ال|لل)(?=[\u0600-\u06ff]{3})/, ""));

/** NFKD without marks, NFC: width, compatibility forms and accents do not matter. */
const normal = (text) => text.normalize("NFKD").replace(/[\u02bc\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g, "").normalize("NFC");

/** Small letters as keyboards without them write them, and the other of two forms of one letter. */
const PLAIN = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", þ: "th", ς: "σ", ى: "ي", ی: "ي", ة: "ه", ک: "ك" };

/** In lower case, letters and digits only. Of all capitals, only the sigma looks at its neighbors. */
const folded = (piece) =>
  normal(piece).replace(/[^\p{Alphabetic}\p{N}]/gu, "").replace(/Σ/g, "σ").toLowerCase().replace(/[^\0-\x7f]/g, (letter) => PLAIN[letter] ?? digit(letter));

/** The digit that one of Arabic, Persian, Hindi or Bengali is. */
const digit = (letter) => (/[٠-٩۰-۹०-९০-৯]/.test(letter) ? String((letter.charCodeAt(0) % 16) - (letter < "ऀ" ? 0 : 6)) : letter);

/** An option behind one dash, of two letters and more. */
const OPTION = /^-\p{L}[^=]*[\p{L}\p{N}]/u;

/** Pieces that are names by their signs, and the whole of the question, as terms of the dictionary. */
function names(text) {
  const found = [];
  const add = (piece, start, isWritten, isOption = false) => {
    const dashes = piece.startsWith("--") ? "--" : isOption ? "-" : "";
    const term = `${dashes}${folded(withoutBrackets(isOption ? piece.split("=")[0] : piece))}=`;
    const isTerm = term.length > dashes.length + 1 && new TextEncoder().encode(term).length <= MAX_TERM_BYTES;
    if (isTerm && found.length < MAX_NAMES && !found.some((name) => name.term === term)) {
      found.push({ term, start, end: start + piece.length, isWritten });
    }
  };
  for (const { 0: piece, index } of text.matchAll(/\S+/g)) {
    const isOption = OPTION.test(piece);
    if (isOption || hasSigns(piece)) add(piece, index, true, isOption);
  }
  add(text.trim(), text.length - text.trimStart().length, !/\s/.test(text.trim()));
  return found;
}

/** `Vec::retain`, `fs.readFile`, `--release`. */
function hasSigns(piece) {
  const inner = piece.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return piece.startsWith("--") || /[.#/:]/.test(withoutBrackets(inner));
}

/** `Vec` of `Vec<T>`, `read` of `read(path)`. */
function withoutBrackets(name) {
  const end = name.search(/[<([{]/);
  return end > 0 ? name.slice(0, end) : name;
}

const LETTER = `(?![${UNSPACED}])[\\p{L}\\p{N}]`;
const PHRASE = new RegExp(`(?<!${LETTER})["“”„«「][^"“”„«»「」]*[\\p{L}\\p{N}][^"“”„«»「」]*["”“»」](?!${LETTER})`, "u");

/**
 * Quotes are signs, and what stands behind a `-` is left out of the words; `-p`, `--release`, `-Wall` and `-std=c99` are
 * options. A quote does not open behind a letter or digit, nor close before one.
 */
function unsigned(text) {
  const signs = { phrases: PHRASE.test(text), excluded: false };
  const blank = (found) => {
    signs.excluded = true;
    return " ".repeat(found.length);
  };
  const left = text.replace(/(?<=^|\s)-(?:["“„«「][^"“”„«»「」]*["”“»」]|(?!\S*[\p{Lu}=])[\p{L}\p{N}]\S+)/gu, blank);
  return /[\p{L}\p{N}]/u.test(left) ? { plain: left, signs } : { plain: text, signs: { phrases: false, excluded: false } };
}
