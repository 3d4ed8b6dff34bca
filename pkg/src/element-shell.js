/** The frame of `<knarr-search>`: the field, the places of rows and notes, the button and the dialog. */

import { isApple } from "./element-keys.js";
import { hasTouchKeyboard, styleOf } from "./element-page.js";
import style from "./element-style.js";
import { SECOND_TAP_MS } from "./element-times.js";
import { hints, icon, node } from "./element-view.js";

/** The panel with its parts, empty; `landmark` gives its name. */
export function panelOf(strings, landmark, inline, query) {
  const input = node("input", {
    role: "combobox", part: "input", id: "input", value: query, placeholder: () => strings.placeholder,
    ariaLabel: () => strings.label, autocomplete: "off", autocapitalize: "none", spellcheck: false, enterKeyHint: "go",
    ariaExpanded: "false", ariaAutoComplete: "list", "aria-controls": "results", autoCorrect: "off", // As an attribute: the property is a truth value.
  });
  const clear = node("button", { type: "button", className: "tool clear", ariaLabel: () => strings.clear }, icon("clear"));
  const cancel = node("button", { type: "button", className: "cancel" }, () => strings.cancel);
  const head = node("div", { className: "head", role: "search", ariaLabel: landmark }, icon("search"), input, clear, cancel);
  const above = node("div", { className: "above" });
  // A browser puts what scrolls into the Tab order by itself; its rows are reached from the field.
  const list = node("div", {
    id: "results", role: "listbox", part: "results", className: "list", ariaLabel: () => strings.results, tabIndex: -1,
  });
  const note = node("div", { className: "below" });
  const live = node("div", { role: "status", className: "unseen" });
  const foot = node("div", { className: "foot", ariaHidden: "true" }, ...hints(strings, inline));
  const panel = node("div", { className: "panel", part: "panel" }, head, above, list, note, foot, live);
  return { input, clear, cancel, above, list, note, live, panel };
}

/** Fits the field to its text: a text has its own direction, an empty field the panel's, and nothing to clear. */
export function fitField({ input, clear }) {
  input.dir = input.value === "" ? "" : "auto";
  clear.hidden = input.value === "";
}

/** Puts a phone's keyboard away. The focus stays where keys are heard, for one that is not on the screen. */
export function leaveField(panel) {
  panel.tabIndex = -1;
  panel.focus({ preventScroll: true });
}

/** The button that opens the dialog. */
export function triggerOf(strings, hotkeys) {
  const trigger = node(
    "button",
    { type: "button", className: "trigger", part: "trigger", "aria-haspopup": "dialog" },
    icon("search"),
    node("span", { className: "label" }, () => strings.label),
  );
  if (hotkeys) {
    trigger.append(node("kbd", { className: "shortcut" }, isApple() ? "⌘K" : "Ctrl K"));
    trigger.setAttribute("aria-keyshortcuts", isApple() ? "Meta+K /" : "Control+K /");
  }
  return trigger;
}

/** The dialog around a panel, that a tap beside it closes, too, and a request to close once `clear` has emptied the field. */
export function dialogOf(strings, { panel, cancel, input }, close, clear) {
  const dialog = node("dialog", { part: "dialog", ariaLabel: () => strings.label }, panel);
  for (const outside of [cancel, dialog]) {
    outside.addEventListener("click", ({ target }) => {
      const isSecondTap = performance.now() - dialog.knarrOpened < SECOND_TAP_MS;
      if (target === outside && !isSecondTap) close();
    });
  }
  dialog.addEventListener("cancel", (event) => {
    // Android's gesture to go back comes as such a request, too, and means to leave.
    if (input.value === "" || hasTouchKeyboard()) return;
    event.preventDefault();
    clear();
  });
  return dialog;
}

/** Puts content into a shadow root, in an element that is returned, styled by the sheet of this script, or by the page's own at `href`: hidden until that one is there. */
export function putStyled(root, content, href) {
  const shell = node("div", { className: "shell", hidden: href !== null }, ...content);
  const own = href === null ? styleOf(root.ownerDocument) : undefined;
  root.adoptedStyleSheets = own ? [own] : [];
  root.replaceChildren(shell);
  if (own) return shell;
  const sheet = href === null ? node("style", {}, style) : node("link", { rel: "stylesheet", href });
  for (const type of ["load", "error"]) sheet.addEventListener(type, () => (shell.hidden = false));
  root.prepend(sheet);
  return shell;
}

/**
 * Keeps an open dialog in what a keyboard on the screen leaves of the window. Browsers lay the page out below it: rows at the
 * window's end could not be reached.
 */
export function fitDialog(dialog) {
  const { visualViewport: seen } = window;
  if (dialog && seen && hasTouchKeyboard()) dialog.style.cssText = `--_window:${seen.height}px;--_top:${seen.offsetTop}px`;
}

/** Shows a dialog. jsdom has the element without its methods. */
export function openDialog(dialog) {
  dialog.knarrOpened = performance.now();
  if (dialog.showModal) dialog.showModal();
  else dialog.open = true;
  fitDialog(dialog);
}

/** Closes a dialog, which tells of it by the event `close`. */
export function closeDialog(dialog) {
  if (dialog.close) return dialog.close();
  dialog.open = false;
  dialog.dispatchEvent(new Event("close"));
}
