/** A query typed letter by letter into the real element on a fresh page, counted at the server with the cache on. */

import { rounds } from "./first.mjs";

/** Milliseconds without a request after which nothing more is expected. */
const QUIET_MS = 700;

/** Milliseconds until a query that was never answered is given up. */
const PATIENCE_MS = 30_000;

/**
 * Types `query` with `gap` milliseconds from letter to letter, or pastes it with a gap of 0, into the element of a page
 * of its own, `ahead` milliseconds after its field got the focus. Answers counts of the server, and the page's
 * milliseconds from the first and last letter.
 */
export async function typed(browser, server, query, gap, ahead) {
  const page = await browser.openPage(`${server.origin}/element.html`, { cache: true });
  const before = server.requests.length;
  const connections = server.connections;
  const times = await typeInto(page, server, query, gap, ahead);
  const made = server.requests.slice(before);
  await page.close();
  const ranges = made.map(({ url, range }) => `${url} ${range}`);
  return {
    letters: Array.from(query).length, requests: made.length, aborted: made.filter(({ aborted }) => aborted).length,
    twice: ranges.length - new Set(ranges).size, bytes: made.reduce((sum, { bytes }) => sum + bytes, 0),
    rounds: rounds(made), connections: server.connections - connections, ...times,
  };
}

/** Types `query` into the element of a page, and waits for its rows with excerpts, and until the server has rested. */
export async function typeInto(page, server, query, gap, ahead = 0) {
  await page.run(watch);
  await sleep(ahead);
  const letters = gap === 0 ? [query] : Array.from(query);
  for (const letter of letters) {
    await page.send("Input.insertText", { text: letter });
    await sleep(gap);
  }
  return finished(page, server, query.trim());
}

/** Focuses the field, and from now on notes letters, answers and rows. Runs in the page. */
async function watch() {
  await customElements.whenDefined("knarr-search");
  const search = document.querySelector("knarr-search");
  const typed = { letters: [], rows: [] };
  globalThis.typed = typed;
  const opened = search.bundle;
  // What the element was told, and when it next changed its rows.
  let told = [];
  search.bundle = async function () {
    const knarr = await opened.call(search);
    return {
      async find(query, options) {
        const answer = await knarr.find(query, options);
        if (!options.signal?.aborted && options.limit > 1) told.push({ query, whole: options.excerpts !== false });
        return answer;
      },
    };
  };
  new MutationObserver(() => {
    if (told.length === 0 || search.shadowRoot.querySelector(".group .page") === null) return;
    typed.rows.push(...told.map((answer) => ({ ...answer, at: performance.now() })));
    told = [];
  }).observe(search.shadowRoot.querySelector("#results"), { childList: true });
  const input = search.shadowRoot.querySelector("input");
  input.addEventListener("input", () => typed.letters.push(performance.now()));
  input.focus({ preventScroll: true });
}

/** The times of the page, once the query has its rows with excerpts and the server has rested. */
async function finished(page, server, query) {
  const began = performance.now();
  for (;;) {
    await sleep(50);
    const { letters, rows } = await page.run(() => globalThis.typed);
    const whole = rows.find((row) => row.query === query && row.whole);
    const quiet = server.requests.every(({ end }) => end !== undefined && performance.now() - end > QUIET_MS);
    if (whole && quiet) {
      const [first] = rows;
      const own = rows.find((row) => row.query === query);
      return {
        first: first.at - letters[0], last: own.at - letters.at(-1), excerpts: whole.at - letters.at(-1),
        beginnings: new Set(rows.map((row) => row.query)).size,
      };
    }
    if (performance.now() - began > PATIENCE_MS) throw new Error(`no rows for ${query}`);
  }
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
