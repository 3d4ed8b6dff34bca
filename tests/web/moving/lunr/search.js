import lunr from "lunr";

const { index, titles } = await fetch("/index.json").then((response) => response.json());
const loaded = lunr.Index.load(index);

export async function search(question) {
  const rows = loaded.search(question).slice(0, 10);
  return rows.map(({ ref }) => ({ id: ref, title: titles[ref] }));
}
