/** Files of JSON lines, which all the programs read. */

import { readFileSync } from "node:fs";

/** The rows of a file of JSON lines. */
export function readLines(file) {
  return readFileSync(file, "utf8").split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}
