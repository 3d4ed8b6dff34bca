/**
 * What `<knarr-search>` says, by language. A site overrides any string with the `strings` attribute or property.
 *
 * English is in this script, and of thirty languages what a page shows before anybody searches, the label of the button; the labels of
 * others are in strings-more.js, which a page in one of them loads at once. The rest is in a file for each language, which is loaded for
 * a panel of the page at once, for a dialog when it is about to be opened.
 */

/** `{…}` is replaced by the value of that name; counts choose by `Intl.PluralRules`: `one`, `other`. */
const ENGLISH = {
  label: "Search",
  placeholder: "Search documentation",
  clear: "Clear",
  cancel: "Cancel",
  results: "Search results",
  count: { one: "{count} result", other: "{count} results" },
  count_best: { one: "The best result", other: "The {count} best results" },
  corrected: "Showing results for",
  loading: "Loading",
  slow: "This takes longer than usual.",
  start: "Type a word, a name or a whole question.",
  recent: "Recent searches",
  forget: "Forget recent searches",
  suggestions: "Try",
  weak: "Nothing here seems to be about “{query}”. The nearest:",
  apart: "No page has the words in quotes next to each other. Pages with the words:",
  none: "No results for “{query}”",
  none_hint: "Check the spelling, or use fewer or more general words.",
  signs: "“{query}” has no word to search for",
  signs_hint: "Signs alone are not searched: type what they are called, such as “arrow” or “question mark”.",
  error: "Search is not working",
  error_hint: "Something is wrong with this site, not with what you typed. Please try again later.",
  unreachable: "Search cannot be reached",
  unreachable_hint: "Your connection or this site has a problem. Please try again in a moment.",
  offline: "You are offline",
  offline_hint: "Words that were loaded can still be found. The search goes on by itself when you are online again.",
  answer: "Answer",
  also: "Also in {languages}",
  related: "See also",
  old: "Results for “{query}”, from before",
  details: "Details",
  retry: "Try again",
  navigate: "to move",
  select: "to open",
  close: "to close",
  empty: "to clear",
  /** Kinds of pages that owners name in tags (`kind=guide`). Those of programming languages are nowhere translated. */
  kinds: {},
};

/** Languages, or a language with its script: the label, how the file of the other texts is loaded, and then what came of it, and its promise. */
const LANGUAGES = {
  en: [ENGLISH.label],
  ar: ["بحث", () => import("./strings-ar.js")],
  ca: ["Cerca", () => import("./strings-ca.js")],
  cs: ["Hledat", () => import("./strings-cs.js")],
  da: ["Søg", () => import("./strings-da.js")],
  de: ["Suchen", () => import("./strings-de.js")],
  el: ["Αναζήτηση", () => import("./strings-el.js")],
  es: ["Buscar", () => import("./strings-es.js")],
  fa: ["جستجو", () => import("./strings-fa.js")],
  fi: ["Hae", () => import("./strings-fi.js")],
  fr: ["Rechercher", () => import("./strings-fr.js")],
  he: ["חיפוש", () => import("./strings-he.js")],
  hi: ["खोजें", () => import("./strings-hi.js")],
  hu: ["Keresés", () => import("./strings-hu.js")],
  id: ["Cari", () => import("./strings-id.js")],
  it: ["Cerca", () => import("./strings-it.js")],
  ja: ["検索", () => import("./strings-ja.js")],
  ko: ["검색", () => import("./strings-ko.js")],
  nl: ["Zoeken", () => import("./strings-nl.js")],
  no: ["Søk", () => import("./strings-no.js")],
  pl: ["Szukaj", () => import("./strings-pl.js")],
  pt: ["Pesquisar", () => import("./strings-pt.js")],
  ro: ["Căutare", () => import("./strings-ro.js")],
  ru: ["Поиск", () => import("./strings-ru.js")],
  sv: ["Sök", () => import("./strings-sv.js")],
  th: ["ค้นหา", () => import("./strings-th.js")],
  tr: ["Ara", () => import("./strings-tr.js")],
  uk: ["Пошук", () => import("./strings-uk.js")],
  vi: ["Tìm kiếm", () => import("./strings-vi.js")],
  zh: ["搜索", () => import("./strings-zh.js")],
  zhHant: ["搜尋", () => import("./strings-zh-hant.js")],
};

/** Norwegian goes by three names. */
LANGUAGES.nb = LANGUAGES.nn = LANGUAGES.no;

/** Languages of strings-more.js: a line of a table costs every page more than a name here. */
const MORE = /^(af|bg|bn|et|eu|fil|gl|hr|ka|lt|lv|ms|sk|sl|sr|sw|ta|ur)$/;

/** What stands for them until their table has come, and joined the one above. */
const LATER = [ENGLISH.label, () => import("./strings-more.js").then((more) => Object.assign(LANGUAGES, more.default))];

/** Scripts that are written from right to left, also those of languages without texts here. */
const RIGHT_TO_LEFT = /Arab|Hebr|Syrc|Thaa/;

/** The tag of the language that strings are in. */
const TAG = Symbol("tag");

/** Milliseconds until a file that did not come is asked for once more, by the next use of an element. */
const AGAIN_MS = 10_000;

/** A tag as `Intl` takes it, of a malformed one its beginning: it is no reason to fail a search. */
function localeOf(tag) {
  try {
    return new Intl.Locale(tag.replaceAll("_", "-"));
  } catch {
    const [language] = tag.split(/[-_]/);
    return localeOf(language === tag ? "en" : language);
  }
}

/** What there is of a tag's language; English where there is no translation. */
function entryOf(tag) {
  const { language, script } = localeOf(tag).maximize();
  return LANGUAGES[`${language}${script}`] ?? LANGUAGES[language] ?? (MORE.test(language) ? LATER : LANGUAGES.en);
}

/** The strings for a language tag as far as they are there, with a site's own on top. */
export function stringsFor(tag, overrides) {
  const [label, , come] = entryOf(tag);
  const texts = { ...ENGLISH, label, ...come };
  // A site's own counts may be in a language that is not here.
  const own = come ?? overrides?.count ?? overrides?.count_best ?? overrides?.also;
  const kinds = { ...texts.kinds, ...overrides?.kinds };
  return { ...texts, ...overrides, kinds, [TAG]: own ? localeOf(tag) : "en" };
}

/**
 * Loads what is next of a tag's language, its label and, where they are used, its texts: a promise that never fails, or nothing where
 * all is there, or did not come a moment ago. Without them it stays English.
 */
export function loadStrings(tag, isUsed) {
  const entry = entryOf(tag);
  const [, load, come] = entry;
  if (!load || come || (!isUsed && entry !== LATER)) return undefined;
  return (entry[3] ??= load().then(
    (texts) => (entry[2] = texts.default),
    (error) => {
      entry[3] = false;
      setTimeout(() => (entry[3] = undefined), AGAIN_MS);
      console.warn(`knarr-search: the texts in “${tag}” did not come, and are English`, error);
    },
  ));
}

/** The direction of a language's texts. */
export function directionOf(tag) {
  const { script } = localeOf(tag).maximize();
  return RIGHT_TO_LEFT.test(script) ? "rtl" : "ltr";
}

/** Letters of scripts that are written from right to left. */
const HAS_RIGHT_TO_LEFT = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}]/u;

/** Fills the placeholders of a string. Where both directions may meet, a value keeps its own, and the string the order of its parts. */
export function fill(string, values) {
  const isolated = HAS_RIGHT_TO_LEFT.test(string + Object.values(values).join(""));
  const filled = (value) => (isolated ? `\u2068${value}\u2069` : value);
  return string.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? filled(values[name]) : whole));
}

/** A counted string in its plural form, with the number as the language writes it. */
export function counted(strings, name, count) {
  const forms = strings[name];
  const tag = strings[TAG];
  const values = { count: new Intl.NumberFormat(tag).format(count) };
  return fill(typeof forms === "string" ? forms : (forms[new Intl.PluralRules(tag).select(count)] ?? forms.other ?? ENGLISH[name].other), values);
}

/** Languages by their names in the language of the strings: “German and Japanese”. */
export function languageNames(strings, tags) {
  const tag = strings[TAG];
  const named = tags.map((other) => {
    try {
      return new Intl.DisplayNames(tag, { type: "language" }).of(other);
    } catch {
      return other;
    }
  });
  return new Intl.ListFormat(tag, { type: "conjunction" }).format(named);
}

/** The name of a page's kind: that of a programming language's, such as `struct`, is left as it is. */
export function kindName({ kinds }, kind) {
  return kinds[kind.toLowerCase().replace(/[-_]/g, " ")] ?? kind;
}
