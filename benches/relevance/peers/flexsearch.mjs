/**
 * FlexSearch with the `forward` tokenizer (prefixes) and suggestions (every word optional), the setting its
 * documentation recommends for site search.
 *
 * It has no weights; words nearer to the beginning of a field count more, so the title is put before the text in one
 * field. With `options.fields` they are two, and it lists the title's hits before the text's: better where queries are
 * titles, worse everywhere else, so both are measured.
 */

import { Charset, Document, Index } from "flexsearch";
import { needsSegmenter } from "../words.mjs";

export function open(documents, { options, language, progress }) {
  const encoder = needsSegmenter(language) ? { encoder: Charset.CJK } : {};
  const index = options.fields
    ? new Document({ tokenize: "forward", ...encoder, document: { id: "at", index: ["title", "text"] } })
    : new Index({ tokenize: "forward", ...encoder });
  documents.forEach(({ title, text }, at) => {
    if (options.fields) index.add({ at, title, text });
    else index.add(at, `${title}\n${text}`);
    progress(`${at} of ${documents.length} documents`);
  });
  return (query, limit) => {
    const hits = index.search(query, { limit, suggest: true, merge: true });
    return hits.slice(0, limit).map((hit) => documents[options.fields ? hit.id : hit].id);
  };
}
