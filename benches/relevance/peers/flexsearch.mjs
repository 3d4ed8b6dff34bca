/**
 * FlexSearch with the `forward` tokenizer (prefixes) and suggestions (every word optional), the setting its
 * documentation recommends for site search.
 *
 * It has no weights; words nearer to the beginning of a field count more, so the title is put before the text in one
 * field. Its other form, title and text as two fields whose hits it lists one field after the other, does worse.
 */

import { Charset, Index } from "flexsearch";
import { needsSegmenter } from "../words.mjs";

export function open(documents, { language, progress }) {
  const index = new Index({ tokenize: "forward", ...(needsSegmenter(language) ? { encoder: Charset.CJK } : {}) });
  documents.forEach(({ title, text }, at) => {
    index.add(at, `${title}\n${text}`);
    progress(`${at} of ${documents.length} documents`);
  });
  return (query, limit) => index.search(query, { limit, suggest: true }).map((at) => documents[at].id);
}
