/**
 * One peer in a process of its own: takes one message with the task, sends progress, and answers with the rankings.
 *
 * A peer's module exports `open(documents, context)`, which indexes and answers a function from a query and a limit to
 * distinct document ids, best first (or a promise of them), with `close` on it if there is something to close.
 */

import { readFileSync } from "node:fs";

/** Milliseconds between two lines of progress. */
const PROGRESS_MS = 10_000;

process.once("message", async ({ module, documents, texts, limit, ...context }) => {
  try {
    const { open } = await import(`./peers/${module}.mjs`);
    const rows = JSON.parse(readFileSync(documents, "utf8"));
    let said = performance.now();
    const progress = (text) => {
      if (performance.now() - said < PROGRESS_MS) return;
      said = performance.now();
      process.send({ progress: text });
    };
    process.send({ progress: `indexing ${rows.length} documents` });
    const search = await open(rows, { ...context, progress });
    process.send({ progress: `answering ${texts.length} queries` });
    const rankings = [];
    for (const text of texts) {
      rankings.push(await search(text, limit));
      progress(`${rankings.length} of ${texts.length} queries`);
    }
    await search.close?.();
    process.send({ rankings }, () => process.exit(0));
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) }, () => process.exit(1));
  }
});
