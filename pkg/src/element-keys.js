/** Whose a key is: the page's, a field's, or the search's. */

/** Whether shortcuts are written for a Mac. */
export function isApple() {
  return /Mac|iPhone|iPad/.test(navigator.userAgentData?.platform ?? navigator.platform);
}

/** Whether a key is meant for the field, wherever a click has left the focus. Buttons keep their own keys. */
export function isForField({ key, ctrlKey, metaKey, altKey }, target) {
  if (ctrlKey || metaKey || altKey) return false;
  const isButton = /^(button|summary)$/i.test(target.tagName);
  return /^Arrow(Up|Down)$/.test(key) || (!isButton && (key?.length === 1 || key === "Enter" || key === "Backspace"));
}

/** Whether a key writes a character into the element's field. */
export const isText = (event, target) => event.key?.length === 1 && isForField(event, target);

/** Whether a key goes into a field of the page, however deep in shadow roots. */
export function isTyping(event) {
  const [target] = event.composedPath();
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName ?? "");
}
