/** The sentences of `<knarr-search answer>`. */

import { dress } from "./element-more-style.js";

/**
 * Sentences of a page over the rows, with their link, made by the element's own `node`, `passage` and `address`. What the
 * bundle says enters as text, as everywhere; `choose` is told of a click on the link. The `lines` that are announced begin
 * with them.
 */
export function showAnswer(answer, lines, { above, address, node, passage, base, strings }, choose) {
  const place = [answer.title, answer.section].filter((name, at, all) => name !== "" && name !== all[at - 1]).join(" › ");
  const link = node("a", { className: "source", part: "answer-link", href: address(answer.url, base) }, place);
  link.knarrHit = { hit: answer, result: answer };
  link.addEventListener("click", (event) => choose(event, link));
  const text = node("p", {}, ...passage(answer.text));
  dress(above);
  above.append(node("div", { role: "group", className: "answer", part: "answer", ariaLabel: () => strings.answer }, text, link));
  lines.unshift({ textContent: `${strings.answer}: ${answer.text.text}` });
}
