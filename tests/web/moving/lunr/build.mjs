import lunr from "lunr";
import { readFileSync, writeFileSync } from "node:fs";

const documents = readFileSync("documents.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line));
const index = lunr(function () {
  this.ref("id");
  this.field("title", { boost: 5 });
  this.field("text");
  for (const document of documents) this.add(document);
});
const titles = Object.fromEntries(documents.map(({ id, title }) => [id, title]));
writeFileSync("site/index.json", JSON.stringify({ index, titles }));
