/**
 * The words of a question marked on the page that was chosen for it. Loaded when there is something to mark.
 *
 * The marks are a highlight of CSS (Chrome 105, Safari 17.2, Firefox 140) over the page's own text: no node is added, so that
 * neither a framework that owns the nodes nor a script that counts them sees any of it. Older browsers show none.
 */

/** The highlight, in which the page's own `::highlight(knarr)` counts more than the rule below. */
const NAME = "knarr";
const RULES = `@layer ${NAME} {
  ::highlight(${NAME}) { background-color: #ffe58f; color: #1d1b19; }
  @media (forced-colors: active) { ::highlight(${NAME}) { background-color: Mark; color: MarkText; } }
}`;

/** A client router may take this long to bring the page. */
const WAITS_MS = 5000;
/** A page that takes longer to come was left, or another was opened. */
const KEPT_MS = 30000;
/** After its last change a page is taken to be complete. */
const SETTLES_MS = 1500;
/** A page of a thousand marks says nothing with more. */
const MAX_MARKS = 1000;

/** What is no text of the page: its frame, what nobody sees, and what is typed. */
const OTHERS = "script, style, noscript, template, textarea, select, svg, nav, footer, knarr-search, [hidden], [aria-hidden=true]";

let ending = () => {};

/**
 * Marks what `sessionStorage` keeps under `key`: the address of a page, forms of words with spaces between them, and when it
 * was chosen. Where that is `chosen` by this page, it may be one that a client router brings, or this one, loaded anew.
 */
export async function showMarks(key, chosen) {
  const [url, words, at] = JSON.parse(sessionStorage.getItem(key));
  const done = () => sessionStorage.removeItem(key);
  const pattern = patternOf(words);
  if (!globalThis.CSS?.highlights || !pattern || Date.now() - at > KEPT_MS) return done();
  for (let waited = 0; !isAt(url); waited += 50) {
    if (waited > WAITS_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (chosen !== location.href) done(); // Without a section a link to the page that it is in loads it anew.
  mark(pattern);
}

/** Marks the page until the reader goes on. */
function mark(pattern) {
  ending();
  putStyle();
  const { highlights } = CSS;
  const paint = () => highlights.set(NAME, new Highlight(...rangesOf(pattern)));
  paint();
  // A client router changes the address first, and a framework may put its own nodes in the place of those that came.
  let settling;
  const watching = new MutationObserver(() => (clearTimeout(settling), (settling = setTimeout(paint, 100))));
  watching.observe(document.body, { childList: true, subtree: true, characterData: true });
  const calm = setTimeout(() => watching.disconnect(), SETTLES_MS);
  const listening = new AbortController();
  ending = () => {
    highlights.delete(NAME);
    [settling, calm].forEach(clearTimeout);
    watching.disconnect();
    listening.abort();
  };
  const { signal } = listening;
  // As for the marks of a browser's own: they go when the reader goes on.
  addEventListener("click", () => ending(), { signal });
  addEventListener("keydown", ({ key }) => key === "Escape" && ending(), { signal });
}

/** True where the page is at an address, whatever its section and however a host writes it (`/a`, `/a/`, `/a.html`, `/a/index.html`). */
function isAt(url) {
  const place = ({ origin, pathname, search }) => origin + pathname.replace(/(\/index)?(\.html?)?\/*$/, "") + search;
  return place(new URL(url)) === place(location);
}

/** What matches any of the words: whole ones, but in scripts without spaces between them. */
export function patternOf(words) {
  const said = words.toLowerCase().split(/\s+/).filter((word) => !/^-[^-]/.test(word)); // A word that the page must not have.
  const forms = [...new Set(said)].map((word) => word.replace(/^["“”(\[]+|[^\p{L}\p{N}+#]+$/gu, ""));
  const own = forms.filter((word) => /[\p{L}\p{N}]/u.test(word)).sort((a, b) => b.length - a.length);
  if (own.length === 0) return undefined;
  const isRunning = (letter) => /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(letter);
  const bounded = (word) => {
    const [before, after] = [word, word.slice(-1)].map((end) => (/^[\p{L}\p{N}]/u.test(end) && !isRunning(end) ? "[\\p{L}\\p{N}_]" : ""));
    const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    return `${before && `(?<!${before})`}${escaped}${after && `(?!${after})`}`;
  };
  return new RegExp(own.map(bounded).join("|"), "giu");
}

/** The places of the words in the text of the page: in its main element, or wherever there is none. */
function rangesOf(pattern) {
  const root = document.querySelector("main, [role=main]") ?? document.body;
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.nodeType === Node.TEXT_NODE ? NodeFilter.FILTER_ACCEPT : node.matches(OTHERS) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP,
  );
  const ranges = [];
  while (nodes.nextNode() && ranges.length < MAX_MARKS) {
    for (const { index, 0: word } of nodes.currentNode.data.matchAll(pattern)) {
      const range = new StaticRange({ startContainer: nodes.currentNode, startOffset: index, endContainer: nodes.currentNode, endOffset: index + word.length });
      ranges.push(range);
    }
  }
  return ranges.slice(0, MAX_MARKS);
}

/** Puts the rules into the page, once. */
function putStyle() {
  if (document.adoptedStyleSheets.some(({ knarrMarks }) => knarrMarks)) return;
  const sheet = Object.assign(new CSSStyleSheet(), { knarrMarks: true });
  sheet.replaceSync(RULES);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
