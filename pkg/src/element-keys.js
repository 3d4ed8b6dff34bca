/** Whose a key is: the page's, a field's, or the search's. */

/** Whether shortcuts are written for a Mac. */
export function isApple() {
  return /mac|iphone|ipad/i.test(navigator.userAgentData?.platform ?? navigator.platform);
}

/** Whether a key is meant for the field, wherever a click has left the focus. Buttons keep their own keys, and an answer's link its Enter. */
export function isForField({ key, ctrlKey, metaKey, altKey }, target) {
  if (ctrlKey || metaKey || altKey || (key === "Enter" && target.matches(".source"))) return false;
  const isButton = /^(button|summary)$/i.test(target.tagName);
  return /^Arrow(Up|Down)$/.test(key) || (!isButton && (key?.length === 1 || key === "Enter" || key === "Backspace"));
}

/** Whether a key writes a character into the element's field. */
const isText = (event, target) => event.key?.length === 1 && isForField(event, target);

/** Keeps letters in the panel: the page sees the element in place of its field, and would take one for a shortcut of its own. */
export function keepLetters(panel) {
  for (const type of ["keydown", "keypress", "keyup"]) {
    panel.addEventListener(type, (event) => isText(event, event.composedPath()[0]) && event.stopPropagation());
  }
}

/** Whether a key goes into a field of the page, however deep in shadow roots. */
function isTyping(event) {
  const [target] = event.composedPath();
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName ?? "");
}

/**
 * What of a text is worth asking while it is typed: all but a last word of less than `least` letters, at most four, which
 * completes to anything. Scripts without spaces have such words.
 */
export function beginningOf(text, least = 3) {
  const [last] = /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{M}\p{N}_]){0,4}$/u.exec(text);
  const before = text.slice(0, text.length - last.length);
  return (last.length >= least || /[\p{L}\p{N}_]$/u.test(before) ? text : before).trim();
}

/** What a key of the page does to the dialog: `toggles`, `opens` or nothing. */
export function pageKey(event) {
  const { key, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (event.defaultPrevented || event.isComposing || altKey) return undefined;
  const isModified = metaKey || ctrlKey;
  if (isModified && !shiftKey && key?.toLowerCase() === "k") return "toggles";
  return !isModified && key === "/" && !isTyping(event) ? "opens" : undefined;
}
