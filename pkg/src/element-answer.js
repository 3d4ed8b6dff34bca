/** The sentences of `<knarr-search answer>`. Loaded when there is an answer. */

/**
 * Sentences of a page over the rows, with their link, made by the element's own `node`, `passage` and `address`. What the
 * bundle says enters as text, as everywhere; `choose` is told of a click on the link.
 */
export function answerNote(answer, { address, node, passage, base, strings }, choose) {
  const place = [answer.title, answer.section].filter((name, at, all) => name !== "" && name !== all[at - 1]).join(" › ");
  const link = node("a", { className: "source", part: "answer-link", href: address(answer.url, base) }, place);
  link.knarrHit = { hit: answer, result: answer };
  link.addEventListener("click", (event) => choose(event, link));
  const text = node("p", {}, ...passage(answer.text));
  return node("div", { role: "group", className: "answer", part: "answer", ariaLabel: () => strings.answer }, text, link);
}
