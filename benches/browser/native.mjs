/** The same queries on the command line: user CPU of `knarr find`. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How often the file of queries is repeated: start and end of the process then hardly count. */
const REPEATS = 5;

/**
 * `{ ms, coldMs, peakMb }`, by GNU time: milliseconds of user CPU per query when the parts have been read, and in the
 * first pass, which reads them and holds the process's start; and the process's peak memory.
 */
export function native(knarr, bundle, queries, options = []) {
  const folder = mkdtempSync(join(tmpdir(), "knarr-native-"));
  try {
    const run = (name, asked) => {
      const file = join(folder, name);
      writeFileSync(file, asked.map((query) => `${JSON.stringify({ query })}\n`).join(""));
      const report = join(folder, `${name}.time`);
      const { status, stderr, error } = spawnSync(
        "/usr/bin/time",
        ["-f", "%U %M", "-o", report, knarr, "find", bundle, "--queries", file, "--json", ...options],
        { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] },
      );
      if (error || status !== 0) throw new Error(`knarr find failed: ${error?.message ?? stderr}`);
      const [seconds, kilobytes] = spawnSync("tail", ["-1", report], { encoding: "utf8" }).stdout.split(" ").map(Number);
      return { seconds, kilobytes };
    };
    // Everything is loaded after the first pass, so passes two to six are warm and the first two runs differ by them.
    const many = run("many.jsonl", Array(REPEATS + 1).fill(queries).flat());
    const once = run("once.jsonl", queries);
    return {
      ms: (1000 * (many.seconds - once.seconds)) / (REPEATS * queries.length),
      coldMs: (1000 * once.seconds) / queries.length,
      peakMb: many.kilobytes / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
