/** Puts the search element into built pages, where their theme has room for it. */

import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { htmlOf } from "./attributes.mjs";

const { keys: takeKeys, move, places } = JSON.parse(readFileSync(new URL("places.json", import.meta.url), "utf8"));

/** The script that places the field on pages whose theme is not known. */
const PLACER = "knarr-place.js";
const PLACER_FILE = new URL(`../dist/${PLACER}`, import.meta.url);

/** Whether a page has the field, or a script that puts it there. */
const hasField = (page) => page.includes("<knarr-search") || page.includes("createElement('knarr-search')");

/** The tag that a page's body begins with, from a position on. */
function bodyOf(page, from) {
  const body = /<body(\s[^>]*)?>/gi;
  body.lastIndex = from;
  return body.exec(page);
}

/** The first place of a page, below its head, with the position in it. */
function placeIn(page, head) {
  const opened = bodyOf(page, head);
  for (const place of places) {
    if (place.marks && new RegExp(place.marks).test(page)) return { ...place, at: head };
    if (place.marks) continue;
    const start = place.after ? page.indexOf(place.after, head) : (opened?.index ?? -1);
    const at = start < 0 ? -1 : page.indexOf(place.before, start);
    if (at >= 0) return { ...place, at };
  }
  return opened && { at: opened.index + opened[0].length, loose: true };
}

/** A page with the element; `root` leads from it to the site's root, and `folder` from there to the element's files. The field has more `attributes`, texts by name. */
export function put(page, root, folder, { attributes: more = {} } = {}) {
  const ended = page.search(/<\/head\s*>/i);
  const head = ended < 0 ? (bodyOf(page, 0)?.index ?? -1) : ended; // HTML lets both tags of a head be left out.
  // A fragment, or a page whose author put it there.
  if (head < 0 || hasField(page)) return page;
  const place = placeIn(page, head);
  if (!place) return page;
  const { at, attributes = "", keys, late, loose, narrow, style, without } = place;
  const leading = { src: `${root}${folder}/search/`, base: root };
  const element = `<knarr-search${htmlOf(leading)}${attributes}${htmlOf(more)}></knarr-search>`;
  const moved = narrow ? `(${move})(${narrow.map((text) => JSON.stringify(text))})` : undefined;
  // Letters beyond ASCII as escapes: a page may be in any encoding.
  const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const placed = late ? `(${late})(${JSON.stringify({ ...leading, ...more }).replace(/[^\x20-\x7e]|</g, escaped)})` : undefined;
  const scripts = [keys && `(${takeKeys})()`, moved, placed].filter(Boolean).map((text) => `<script>${text}</script>`);
  const own = (style ? `<style>${style}</style>` : "") + scripts.join("");
  const placer = loose ? `<script defer src="${root}${folder}/${PLACER}"></script>` : "";
  const loaded = `${own}${placer}<script type="module" src="${root}${folder}/knarr-search.js"></script>`;
  const changed = page.slice(0, head) + loaded + page.slice(head, at) + (late ? "" : element) + page.slice(at);
  return without ? changed.replace(new RegExp(without, "g"), "") : changed;
}

/**
 * The path of the site's root on its host, by what a page refers to there (`/docs/style.css`, which is `style.css` in the
 * site's folder). Nothing where a page refers to its neighbors only.
 */
function rootOf(site, page) {
  for (const [, path] of page.matchAll(/\s(?:href|src)=["']?\/([^/"'?#\s>][^"'?#\s>]*\.\w+)/g)) {
    const names = path.split("/");
    const at = names.findIndex((_, at) => existsSync(join(site, ...names.slice(at))));
    if (at >= 0) return ["", ...names.slice(0, at), ""].join("/");
  }
}

/** Puts the element into every page of a site that lacks it; the numbers of pages changed, of those that had it, and of those that have no place for it. */
export function putIntoPages(site, folder, options) {
  let changed = 0;
  let had = 0;
  let skipped = 0;
  let isLoose = false;
  for (const entry of readdirSync(site, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.html?$/i.test(entry.name)) continue; // Not .xhtml: what HTML forgives, XML refuses.
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const depth = relative(site, path).split(sep).length - 1;
    // As bytes: a page in an old encoding keeps its own.
    const page = readFileSync(path, "latin1");
    // Hosts answer with this page at any address below the site.
    const root = depth === 0 && entry.name === "404.html" ? (options?.root ?? rootOf(site, page)) : undefined;
    const now = put(page, root ?? ("../".repeat(depth) || "./"), folder, options);
    isLoose ||= now.includes(`/${PLACER}"></script>`);
    if (now === page) {
      if (hasField(page)) had++;
      else skipped++;
      continue;
    }
    writeFileSync(path, now, "latin1");
    changed++;
  }
  if (isLoose) copyFileSync(PLACER_FILE, join(site, folder, PLACER));
  return { changed, had, skipped };
}

/** What a build came to, for people. */
export const indexed = (files) => `${files} ${files === 1 ? "page" : "pages"} indexed`;

/** What was done to a site's pages, for a message. */
export function told({ changed, had, skipped }) {
  const counted = (pages) => (pages === 1 ? "1 page has" : `${pages} pages have`);
  const isNew = changed > 0 || had === 0;
  const before = had > 0 ? `; ${had} had it before` : "";
  const fields = isNew ? `${counted(changed)} the search field now${before}` : `${counted(had)} the search field already`;
  return `${fields}${skipped > 0 ? `; ${counted(skipped)} no <body> to put it into` : ""}`;
}
