/** The last searches, in the page's `localStorage`. */

const KEY = "knarr-recent";
const MAX = 5;

/** What was searched for, the latest first. */
export function recents() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((query) => typeof query === "string").slice(0, MAX) : [];
  } catch {
    return []; // Storage is blocked or holds something else: a page must search without it.
  }
}

/** Puts a query in front. */
export function remember(query) {
  store([query, ...recents().filter((other) => other !== query)].slice(0, MAX));
}

/** Forgets all. */
export function forget() {
  store([]);
}

function store(queries) {
  try {
    localStorage.setItem(KEY, JSON.stringify(queries));
  } catch {
    // Nothing is remembered where storage is blocked.
  }
}
