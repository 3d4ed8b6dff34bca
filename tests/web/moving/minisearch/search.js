import MiniSearch from "minisearch";
import { options } from "./options.js";

const index = MiniSearch.loadJSON(await fetch("/index.json").then((response) => response.text()), options);

export async function search(question) {
  const rows = index.search(question).slice(0, 10);
  return rows.map(({ id, title }) => ({ id, title }));
}
