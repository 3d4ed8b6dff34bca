/** The page around `<knarr-search>`: addresses in it, its scrolling, and the style sheet in it. */

import style from "./element-style.js";

/** An address made absolute, or nothing where it is none. */
export function absolute(address, base) {
  try {
    return new URL(address, base).href;
  } catch {
    return undefined;
  }
}

/** The folder that a bundle lies in, which is the site; the page's own root where the bundle is another host's. */
export function siteOf(bundle, page) {
  const folder = bundle.replace(/[?#].*$/, "").replace(/\/[^/]*\.knarr$/, "/").replace(/\/*$/, "/");
  const site = absolute("..", folder);
  return site && new URL(site).origin === new URL(page).origin ? site : "/";
}

/** The style sheet of this script by document: it may be used in the one that made it only. */
const styles = new WeakMap();

/**
 * The constructed style sheet of a document; undefined where there is no such thing (jsdom).
 *
 * A sheet beside the script would be an asset: bundlers rename it, empty it, put it in the place of the site's own or
 * leave it behind. A constructed one also needs no `style-src`.
 */
export function styleOf(document) {
  if (!styles.has(document) && "adoptedStyleSheets" in document) {
    const sheet = new document.defaultView.CSSStyleSheet();
    sheet.replaceSync(style);
    styles.set(document, sheet);
  }
  return styles.get(document);
}

/** The language and the version that the page is in: what the element says of them, else what the page does. */
export function variantOf(element) {
  const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content;
  const lang = element.getAttribute("docs-lang") ?? element.getAttribute("lang") ?? document.documentElement.lang;
  const version = element.getAttribute("docs-version") ?? meta("docsearch:version") ?? meta("docusaurus_version");
  const list = (tags = "") => {
    const named = tags.split(",").map((tag) => tag.trim()).filter(Boolean);
    return named.length > 0 ? named : undefined;
  };
  return { lang: list(lang), version: list(version) };
}

/** Follows a link as one of the page's own: a client router does not look for links behind a shadow root. */
export function visit(element, href) {
  const link = Object.assign(document.createElement("a"), { href });
  // Next.js sees links of its own component only. A whole address is one to which it adds no base path.
  const { next } = window;
  if (typeof next?.router?.push === "function" && link.origin === location.origin) {
    link.onclick = (event) => {
      event.preventDefault();
      next.router.push(href);
    };
  }
  element.append(link);
  link.click();
  link.remove();
}

/** Whether what is typed is typed on the screen, where the keyboard covers the rows. */
export function hasTouchKeyboard() {
  return globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;
}

let scrollBefore;

/** Elements whose dialogs are open. */
const locking = new Set();

/** Keeps the page behind an element's dialog from scrolling, without a jump where scroll bars take space: at the right, also of a page in Arabic. */
export function lockScroll(element, on) {
  const { style, clientWidth } = document.documentElement;
  locking[on ? "add" : "delete"](element);
  if (on && scrollBefore === undefined) {
    scrollBefore = [style.overflow, style.paddingRight];
    const bar = window.innerWidth - clientWidth;
    style.overflow = "hidden";
    if (bar > 0) style.paddingRight = `${bar}px`;
  } else if (locking.size === 0 && scrollBefore !== undefined) {
    [style.overflow, style.paddingRight] = scrollBefore;
    scrollBefore = undefined;
  }
}

/** Letters below which an excerpt says nothing, however large they are. */
const LEAST_EXCERPT = 60;

/**
 * Letters of an excerpt that has the lines of a row (two, three in narrow windows) beside its icons in this panel, of
 * which narrow windows show one. A letter is about half as wide as high, and a line's end stays empty where the next word is long.
 */
export function excerptLength(panel) {
  const size = parseFloat(getComputedStyle(panel).fontSize) || 16;
  const lines = window.innerWidth > 480 ? 2 : 3;
  const width = (panel.clientWidth || 640) - (window.innerWidth > 767 ? 7.5 : 4.5) * size;
  return Math.max(LEAST_EXCERPT, 10 * Math.round((lines * (width / (0.45 * size) - 8)) / 10));
}

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
