import MiniSearch from "minisearch";
import { readFileSync, writeFileSync } from "node:fs";
import { options } from "./options.js";

const documents = readFileSync("documents.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line));
const index = new MiniSearch(options);
index.addAll(documents);
writeFileSync("site/index.json", JSON.stringify(index));
