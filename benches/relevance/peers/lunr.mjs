/**
 * Lunr as its guide sets up a site search: stems, each word also as a beginning of words at a tenth of the weight, the
 * title ten times as heavy as the text.
 */

import lunr from "lunr";
import { needsSegmenter, segmenter } from "../words.mjs";

export function open(documents, { language, progress }) {
  const words = needsSegmenter(language) ? segmenter(language) : undefined;
  const index = lunr(function () {
    if (words !== undefined) {
      // Its pipeline is English; trimming drops every word without a Latin letter.
      this.pipeline.reset();
      this.searchPipeline.reset();
      this.tokenizer = (text) => words(String(text ?? "")).map((word) => new lunr.Token(word.toLowerCase(), {}));
    }
    this.ref("at");
    this.field("title", { boost: 10 });
    this.field("text");
    documents.forEach(({ title, text }, at) => {
      this.add({ at, title, text });
      progress(`${at} of ${documents.length} documents`);
    });
  });
  return (query, limit) => {
    const tokens = words === undefined ? lunr.tokenizer(query) : words(query).map((word) => new lunr.Token(word.toLowerCase(), {}));
    const hits = index.query((clauses) => {
      for (const token of tokens) {
        clauses.term(token.toString(), { boost: 10 });
        clauses.term(token.toString(), { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
      }
    });
    return hits.slice(0, limit).map(({ ref }) => documents[Number(ref)].id);
  };
}
