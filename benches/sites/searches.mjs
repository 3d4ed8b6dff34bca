/**
 * The search boxes that are measured, each as a reader meets it: how it is opened, where the question goes, and the rows
 * that it shows. A row is `{ title, text, href }`; a page's sections are rows of their own.
 */

/** Milliseconds for which rows have to stay as they are before they count as the answer. */
const SETTLED_MS = 700;
const PATIENCE_MS = 20_000;

const clean = `const clean = (element) => (element?.textContent ?? "").replace(/\\s+/g, " ").trim();`;

/** Rows by a script that runs in the page; `code` returns them, with `clean(element)` for its text. */
const reader = (code) => (page) => page.evaluate(`(() => { ${clean} ${code} })()`);

/** Types into a field that is on the page, or appears when `trigger` was clicked; or pastes. */
const typed = (input, trigger) => async (page, query, { isPasted = false }) => {
  const field = page.locator(input).locator("visible=true").first();
  if (trigger && (await field.count()) === 0) await page.locator(trigger).locator("visible=true").first().click();
  await field.fill(isPasted ? query : "");
  if (isPasted) return;
  await field.pressSequentially(query, { delay: 15 }); // Some listen to keys only.
};

export const SEARCHES = {
  knarr: {
    label: "Knarr",
    ask: typed("knarr-search input[role=combobox]", "knarr-search button.trigger"),
    rows: reader(`
      return [...document.querySelectorAll("knarr-search")].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll("a.row")]).map((row) =>
        ({ title: clean(row.querySelector(".title")), text: clean(row.querySelector(".excerpt")), href: row.href, isPage: row.classList.contains("page") }));`),
    done: `[...document.querySelectorAll("knarr-search")].every(({ shadowRoot }) => !shadowRoot.querySelector("[aria-busy]") && (shadowRoot.querySelector("a.row, .note") || !shadowRoot.querySelector("dialog[open]")))`,
    first: "knarr-search a.row",
  },
  pagefind: {
    label: "Pagefind",
    ask: typed(".pagefind-ui__search-input"),
    rows: reader(`
      return [...document.querySelectorAll(".pagefind-ui__result")].flatMap((result) => [result.querySelector(".pagefind-ui__result-inner"), ...result.querySelectorAll(".pagefind-ui__result-nested")]
        .filter((row) => row?.querySelector("a")).map((row) => { // One that is still loaded has no link.
          const link = row.querySelector(":scope > .pagefind-ui__result-title > a, :scope > p > a, a");
          return { title: clean(link), text: clean(row.querySelector(":scope > .pagefind-ui__result-excerpt")), href: link.href, isPage: row.className.includes("inner") };
        }));`),
    done: `/^(No|\\d+) results? /i.test(text(".pagefind-ui__message")) && text(".pagefind-ui__message").includes(query) && !document.querySelector(".pagefind-ui__loading")`,
    first: ".pagefind-ui__result-link",
  },
  starlight: {
    label: "Starlight's (Pagefind)",
    ask: typed("site-search .pagefind-ui__search-input", "site-search button[data-open-modal]"),
    done: `/^(No|\\d+) results? /i.test(text(".pagefind-ui__message")) && text(".pagefind-ui__message").includes(query) && !document.querySelector(".pagefind-ui__loading")`,
    first: "site-search .pagefind-ui__result-link",
  },
  vitepress: {
    label: "VitePress's (MiniSearch)",
    ask: typed("#localsearch-input", ".VPNavBarSearch button"),
    rows: reader(`
      return [...document.querySelectorAll(".VPLocalSearchBox a.result")].map((row) => {
        const titles = [...row.querySelectorAll(".titles .title .text")].map(clean);
        return { title: titles.join(" › "), text: clean(row.querySelector(".excerpt")), href: row.href, isPage: titles.length === 1 };
      });`),
    done: `document.querySelector(".VPLocalSearchBox a.result, .VPLocalSearchBox .no-results")`,
    first: ".VPLocalSearchBox a.result",
  },
  docusaurus: {
    label: "search-local (Lunr)",
    // The rows under the field are no links; the plugin's page of results has the same ones as links.
    ask: async (page, query, { base }) => { await page.goto(new URL(`${base}search?q=${encodeURIComponent(query)}`, page.url()).href); },
    rows: reader(`
      return [...document.querySelectorAll("article[class*=searchResultItem]")].map((row) => {
        const link = row.querySelector("h2 a");
        return { title: clean(link), text: clean(row.querySelector("p[class*=Summary]")), href: link.href, isPage: !link.hash };
      });`),
    done: `/documents? (were )?found/.test(document.body.textContent)`,
    first: "article[class*=searchResultItem] h2 a",
  },
  mkdocs: {
    label: "Material's (Lunr)",
    ask: typed(".md-search__input"),
    rows: reader(`
      return [...document.querySelectorAll(".md-search-result__item a.md-search-result__link")].map((link) => {
        const title = link.querySelector("h1, h2");
        const article = link.querySelector("article");
        return { title: clean(title), text: clean(article).replace(clean(title), ""), href: link.href.replace(/[?&]h=[^#]*/, ""), isPage: title?.tagName === "H1" };
      });`),
    done: `/matching/.test(text(".md-search-result__meta"))`,
    first: "a.md-search-result__link",
  },
  sphinx: {
    label: "Sphinx's",
    ask: async (page, query, { base }) => { await page.goto(new URL(`${base}search.html?q=${encodeURIComponent(query)}`, page.url()).href); },
    rows: reader(`
      return [...document.querySelectorAll("ul.search li")].map((row) => {
        const link = row.querySelector("a");
        return { title: clean(link), text: clean(row.querySelector(".context")), href: link.href.replace(/[?&]highlight=[^#]*/, ""), isPage: !link.hash };
      });`),
    done: `/found|did not match/i.test(text(".search-summary"))`,
    first: "ul.search li a",
  },
  mdbook: {
    label: "mdBook's (elasticlunr)",
    ask: async (page, query) => { await page.goto(`${page.url().replace(/[?#].*/, "")}?search=${encodeURIComponent(query)}`); },
    rows: reader(`
      return [...document.querySelectorAll("#mdbook-searchresults li, #searchresults li")].filter((row) => row.querySelector("a")).map((row) => {
        const link = row.querySelector("a");
        return { title: clean(link), text: clean(row.querySelector(".teaser")), href: link.href.replace(/\\?highlight=[^#]*/, ""), isPage: !link.hash };
      });`),
    done: `text("#mdbook-searchresults-header, #searchresults-header")`,
    first: "#mdbook-searchresults li a, #searchresults li a",
  },
  rustdoc: {
    label: "rustdoc's",
    ask: async (page, query) => { await page.goto(`${page.url().replace(/[?#].*/, "")}?search=${encodeURIComponent(query)}`); },
    rows: reader(`
      return [...document.querySelectorAll(".search-results.active a")].map((link) =>
        ({ title: clean(link.querySelector(".result-name")).split(" ").at(-1), text: clean(link.querySelector(".desc")), href: link.href, isPage: true }));`),
    done: `document.querySelector(".search-results, #results")`,
    first: ".search-results.active a",
  },
};
SEARCHES.starlight.rows = SEARCHES.pagefind.rows;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const isDone = (page, { done }, query) => page.evaluate(`(() => { const query = ${JSON.stringify(query)}; const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? ""; return Boolean(${done}); })()`);

/** Asks a question on an open page; the rows, when the search has answered and they have settled. */
export async function ask(page, search, query, site) {
  await search.ask(page, query, site);
  const start = performance.now();
  let [before, since, rows] = ["", start, []];
  while (performance.now() - start < PATIENCE_MS) {
    const isAnswer = await isDone(page, search, query).catch(() => false); // A page on its way has none.
    rows = await search.rows(page).catch(() => []);
    const now = JSON.stringify(rows);
    if (now !== before || !isAnswer) [before, since] = [now, performance.now()];
    if (performance.now() - since > SETTLED_MS) break;
    await wait(100);
  }
  return rows;
}

/** Follows the first row as a reader does. */
export async function follow(page, search) {
  await page.locator(search.first).locator("visible=true").first().click();
}
