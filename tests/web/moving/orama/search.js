import { create, load, search as searchOrama } from "@orama/orama";
import { schema } from "./schema.js";

const database = create({ schema });
load(database, await fetch("/index.json").then((response) => response.json()));

export async function search(question) {
  const { hits } = await searchOrama(database, { term: question, limit: 10, boost: { title: 2 } });
  return hits.map(({ document }) => ({ id: document.id, title: document.title }));
}
