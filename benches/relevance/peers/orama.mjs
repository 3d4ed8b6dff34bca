/** Orama with its defaults and the title four times as heavy as the text. */

import { create, insertMultiple, search as ask } from "@orama/orama";
import { needsSegmenter, segmenter } from "../words.mjs";

/** Documents per insertion, between two reports. */
const BATCH = 100;

/** Languages whose letters its default tokenizer is told of. */
const LANGUAGES = { en: "english", de: "german" };

export async function open(documents, { language, progress }) {
  const index = create({
    schema: { title: "string", text: "string" },
    ...(needsSegmenter(language)
      ? { components: { tokenizer: ownTokenizer(language) } }
      : { language: LANGUAGES[language] }),
  });
  for (let at = 0; at < documents.length; at += BATCH) {
    await insertMultiple(index, documents.slice(at, at + BATCH).map(({ title, text }, row) => ({ id: String(at + row), title, text })), BATCH);
    progress(`${at} of ${documents.length} documents`);
  }
  return async (term, limit) => {
    const { hits } = await ask(index, { term, limit, boost: { title: 4 } });
    return hits.map(({ id }) => documents[Number(id)].id);
  };
}

/** For languages without spaces Orama takes a tokenizer from outside; its own packages of them are segmenters too. */
function ownTokenizer(language) {
  const words = segmenter(language);
  return { language: "english", normalizationCache: new Map(), tokenize: (raw) => (raw ? [...new Set(words(raw.toLowerCase()))] : []) };
}
