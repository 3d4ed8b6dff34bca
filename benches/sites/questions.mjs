/** The questions: the words of the kit's pages, and the labeled questions of real sites. */

import { readFileSync } from "node:fs";

/**
 * A word that stands on one page of the kit, and that page: in a comment of code, a table, an admonition, the second tab,
 * the text of a picture, numbered code, and the German page, where it is asked on that page.
 */
const WORDS = [
  ["kingfisher", "guide/getting-started"], ["timeoutMs", "guide/configuration"], ["barnacles", "guide/configuration"],
  ["pnpm", "guide/getting-started"], ["lighthouse", "guide/deployment"], ["walrus", "guide/deployment"],
];

/** `end` is what addresses end with; `lang` what the German page says it is written in. */
export const PAGES = ({ root = "", german, end = "/", lang = "de" }) => [
  ...WORDS.map(([query, page]) => ({ query, relevant: [root + page] })),
  { query: "Schaluppe", relevant: [german], start: german + end, lang },
];

/** Labeled questions, `{ query, relevant: [address] }` per line. */
export const labeled = (file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)).map(({ query, relevant }) => ({ query, relevant }));
