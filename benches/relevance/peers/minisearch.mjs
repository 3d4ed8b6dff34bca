/**
 * MiniSearch with the options of VitePress, the integration most people meet it in: prefixes, edit distance 0.2 of a
 * word's length, the title four times and the text twice as heavy as the headings above.
 *
 * VitePress indexes sections; `options.sections` does the same and takes the best section of a page for the page.
 * Without it a page is one document, with its own text in place of the sections'.
 */

import MiniSearch from "minisearch";
import { collapse, needsSegmenter, segmenter } from "../words.mjs";

export function open(documents, { options, language, progress }) {
  const index = new MiniSearch({
    fields: ["title", "titles", "text"],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
    // Its own cutting is at spaces and punctuation; Chinese, Japanese and Korean users are told to bring a segmenter.
    ...(needsSegmenter(language) ? { tokenize: segmenter(language) } : {}),
  });
  documents.forEach(({ id, title, text, sections }, at) => {
    const rows = options.sections
      ? sections.map((section, number) => ({ id: `${id}#${number}`, ...section, titles: section.titles.join(" ") }))
      : [{ id: `${id}#0`, title, titles: "", text }];
    index.addAll(rows);
    progress(`${at} of ${documents.length} documents`);
  });
  return (query, limit) => collapse(index.search(query).map(({ id }) => id), limit);
}
