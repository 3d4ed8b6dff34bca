/**
 * FlexSearch with the `forward` tokenizer (prefixes) and suggestions (every word optional), the setting its
 * documentation recommends for site search.
 *
 * It has no weights; words nearer to the beginning of a field count more. By default the title is put before the text in
 * one field; `options.fields` makes two fields, which FlexSearch merges by listing the title's hits first.
 */

import { Charset, Document, Index } from "flexsearch";
import { needsSegmenter } from "../words.mjs";

export function open(documents, { options, language, progress }) {
  const encoder = needsSegmenter(language) ? { encoder: Charset.CJK } : {};
  const index = options.fields
    ? new Document({ tokenize: "forward", ...encoder, document: { id: "id", index: ["title", "text"] } })
    : new Index({ tokenize: "forward", ...encoder });
  documents.forEach(({ title, text }, at) => {
    if (options.fields) index.add({ id: at, title, text });
    else index.add(at, `${title}\n${text}`);
    progress(`${at} of ${documents.length} documents`);
  });
  return (query, limit) => {
    const found = index.search(query, { limit, suggest: true, merge: true });
    return found.map((hit) => documents[hit.id ?? hit].id).slice(0, limit);
  };
}
