/** Pages below the rows of `<knarr-search related>`. */

import { dress } from "./element-more-style.js";

/** Results of which related pages are shown, and how many of each are asked for: one costs about 5 kB. */
const RELATED_OF = 2;
const MAX_ASKED = 3;

/** Most pages shown below the results. */
const MAX_RELATED = 4;

/** Shows pages that the best results link to or resemble below the rows, which stay as they are, also where these fail. */
export async function showRelated(knarr, results, signal, { list, ...view }) {
  const of = async ({ uri }) => {
    try {
      return await knarr.relations(uri, { limit: MAX_ASKED, signal });
    } catch {
      return [];
    }
  };
  const related = relatedRows(results, await Promise.all(results.slice(0, RELATED_OF).map(of)));
  if (related.length === 0 || signal.aborted) return;
  dress(list);
  list.querySelector(".end").before(relatedGroup(related, view));
  list.querySelectorAll("[role=option]").forEach((row, at) => (row.id = `row-${at}`));
}

/** Of lists of relations, one of each in turn: each page once, none that is a result. With the result that each is related to. */
export function relatedRows(results, lists) {
  const known = new Set(results.map(({ uri }) => uri));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) => lists.map((list, of) => [list[at], results[of]])).flat();
  const isNew = ([hit]) => hit && hit.title !== "" && !known.has(hit.uri) && known.add(hit.uri);
  return inTurn.filter(isNew).slice(0, MAX_RELATED);
}

/** A group of such rows. */
export function relatedGroup(related, { base, strings, node, row }) {
  const rows = related.map(([related, result]) => {
    const hit = { ...related, excerpt: { text: related.abstract, highlights: [] } };
    return row(hit, { query: "", base, kind: "related", strings, result });
  });
  const heading = node("div", { className: "heading", role: "presentation" }, () => strings.related);
  return node("div", { role: "group", className: "group", part: "group", ariaLabel: () => strings.related }, heading, ...rows);
}
