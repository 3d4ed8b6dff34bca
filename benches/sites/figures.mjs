/** From the rows that a search showed on a site to the columns of the table. */

/** Pages that count for the first right one. */
const DEPTH = 8;

/** Words of templates, which no title or excerpt should have: navigation, buttons, numbers of lines, glued labels of tabs. */
const LEAK = /skip to (main )?content|edit (this page|on github)|return to top|back to top|last updated|^previous\b|\bprevious:|terminal window|npmpnpm|copy (to clipboard|item path|code)|\b1 ?2 ?3 ?4\b|[¶§\u200b]|\[(source|docs)\]|view (page )?source|show source|(made|built) with|powered by|all rights reserved|\bmenu\b.*\btop\b/i;

/** A heading of templates, which sentences have too. */
const LEAK_HEADING = /On this page/;

/** Addresses of what a site has besides its content. */
const NO_CONTENT = /(^|\/)(404|print|toc|genindex|py-modindex|search|help|settings|all|index-of-tags)(\.html|\/|$)|\/(tags?|authors?|archives?|archive|category|categories|_modules|src|static\.files|page)(\/|\.html|$)/i;

/** The path of a page, however its address is written. */
export const plain = (url) => new URL(url).pathname.replace(/(index)?\.html$/, "").replace(/\/$/, "");

/** A title is right when it is a heading of its page, part of one, or a path that ends with one. */
export function isTitle(title, headings) {
  // Generators put spaces between the parts of a heading, or none.
  const same = (text) => text.toLowerCase().replace(/[\s`"'’]+/g, "");
  if (headings.some((heading) => same(heading).includes(same(title)))) return true;
  const parts = title.split(/ › | > | » |::/);
  return parts.length > 1 && isTitle(parts.at(-1), headings);
}

const isRelevant = (href, relevant, base) => relevant.some((page) => plain(new URL(page.replace(/#.*/, ""), `http://x${base}`).href) === plain(href));

/**
 * The figures of a search on a site. `asked`: its questions with their rows; `facts`: of every address of a row, what stands there.
 */
export function summary(asked, facts, site) {
  const questions = asked.filter(({ isTemplate }) => !isTemplate);
  const rows = asked.flatMap(({ rows }) => rows);
  const pagesOf = (list) => [...new Set(list.map(({ href }) => plain(href)))].slice(0, DEPTH);
  const ranks = questions.map(({ rows, relevant }) => 1 + pagesOf(rows).findIndex((path) => isRelevant(`http://x${path}`, relevant, site.base)));
  const links = new Set([...facts.values()].flatMap(({ links }) => links));
  const distinct = [...new Set(rows.map(({ href }) => href))];
  const resolves = (href) => facts.get(href).status === 200 && facts.get(href).hasTarget;
  const right = questions.flatMap(({ rows, lang = site.lang ?? "en" }) => rows.map(({ href }) => (facts.get(href).lang || lang).slice(0, 2) === lang));
  const titles = [...new Map(rows.map((row) => [`${row.title} ${row.href}`, row])).values()];
  return {
    questions: questions.length, found: ranks.filter(Boolean).length, first: ranks.filter((rank) => rank === 1).length,
    mrr: ranks.reduce((sum, rank) => sum + (rank ? 1 / rank : 0), 0) / ranks.length,
    rows: rows.length, pages: questions.reduce((sum, { rows }) => sum + pagesOf(rows).length, 0) / questions.length,
    titles: titles.length, wrongTitles: titles.filter(({ title, href }) => !isTitle(title, facts.get(href).headings) || LEAK.test(title)),
    leaks: titles.filter(({ text }) => LEAK.test(text) || LEAK_HEADING.test(text)),
    addresses: distinct.length, broken: distinct.filter((href) => !resolves(href)), foreign: distinct.filter((href) => !links.has(new URL(href).pathname)),
    languages: right.length, otherLanguage: right.filter((is) => !is).length,
    noContent: rows.filter(({ href }) => NO_CONTENT.test(new URL(href).pathname.slice(site.base.length - 1))),
    clicks: questions.filter(({ clicked }) => clicked !== undefined).length, landed: questions.filter(({ clicked }) => clicked).length,
  };
}
