export const options = {
  fields: ["title", "text"],
  storeFields: ["title"],
  searchOptions: { boost: { title: 2 }, fuzzy: 0.2, prefix: true },
};
