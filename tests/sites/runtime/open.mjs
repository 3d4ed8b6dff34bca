// Node, Deno and Bun: a bundle by its address, from disk as one file and as a folder of packs, and from bytes.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Knarr } from "knarr";

const [address, file, folder] = process.argv.slice(2);
for (const source of [address, pathToFileURL(file), pathToFileURL(`${folder}/`).href, readFileSync(file)]) {
  const knarr = await Knarr.open(source);
  const { resources } = await knarr.find("bowline");
  const { count } = await knarr.grep("viking://resources/harbour", "bowline");
  if (`${resources[0].title} ${count}` !== "Mooring a boat 2") throw new Error(`${source}: ${resources[0].title} ${count}`);
  knarr.close();
}
console.log("opened");
process.exit(0);
