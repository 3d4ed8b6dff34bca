const pagefind = await import("/pagefind/pagefind.js");

/** The pages of a part of the handbook that have something about a question, as [address, title, excerpt, keeper]. */
export async function found(question, part) {
  const { results } = await pagefind.search(question, { filters: { part } });
  const rows = await Promise.all(results.slice(0, 5).map((result) => result.data()));
  return rows.map(({ url, meta, excerpt }) => [meta.url ?? url, meta.title, excerpt, meta.keeper]);
}

/** How many pages about a question each part of the handbook has; all pages are about no question. */
export async function parts(question) {
  await pagefind.filters();
  const { filters } = await pagefind.search(question || null);
  return filters.part;
}

/** The pages that have something about a question, those with the most berths first. */
export async function byBerths(question) {
  const { results } = await pagefind.search(question, { sort: { berths: "desc" } });
  const rows = await Promise.all(results.slice(0, 5).map((result) => result.data()));
  return rows.map(({ url }) => url);
}
