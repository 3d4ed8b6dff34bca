import { create, insertMultiple, save } from "@orama/orama";
import { readFileSync, writeFileSync } from "node:fs";
import { schema } from "./schema.js";

const documents = readFileSync("documents.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line));
const database = create({ schema });
await insertMultiple(database, documents);
writeFileSync("site/index.json", JSON.stringify(save(database)));
