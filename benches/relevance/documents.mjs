/**
 * Markdown pages as the peers take them: HTML for Pagefind, plain text and sections for the libraries.
 *
 * Knarr reads the Markdown itself; everyone else gets what `marked` makes of the same file. Front matter is dropped but
 * for the title, so that no peer sees a field that Knarr is told to skip.
 */

import { marked } from "marked";

/** Splits a page into `{ title, body }`; the title is the front matter's, or the first heading's. */
export function splitPage(markdown) {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(markdown);
  const body = match ? markdown.slice(match[0].length) : markdown;
  const line = match && /^title:[ \t]*(.*)$/m.exec(match[1]);
  const heading = /^#[ \t]+(.+?)[ \t#]*$/m.exec(body);
  return { title: line ? unquote(line[1].trim()) : plain(heading?.[1] ?? ""), body };
}

function unquote(text) {
  if (text.startsWith('"')) {
    try {
      return JSON.parse(text);
    } catch {
      return text.replace(/^"|"$/g, "");
    }
  }
  return text.startsWith("'") ? text.replace(/^'|'$/g, "").replaceAll("''", "'") : text;
}

function plain(markdown) {
  return markdown.replace(/[`*]/g, "").trim();
}

/** A page of a site: `lang` and the one region that holds its content, as site owners mark it for Pagefind. */
export function pageHtml({ title, body }, language) {
  const head = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escape(title)}</title></head>`;
  const html = marked.parse(body, { async: false });
  const heading = /<h1[\s>]/.test(html) ? "" : `<h1>${escape(title)}</h1>`;
  return `${head}<body><main data-pagefind-body>${heading}${html}</main></body></html>`;
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/**
 * A page for a library, `{ title, text, sections }`: the whole text, and one section per heading as `{ title, titles,
 * text }` with the headings above it in `titles`, the cut that documentation generators make.
 */
export function pageText({ title, body }) {
  const html = marked.parse(body, { async: false });
  const pieces = html.split(/<h([1-6])(?:\s[^>]*)?>([\s\S]*?)<\/h\1>/);
  const sections = [];
  const above = [];
  const add = (heading, titles, content) => {
    const text = strip(content);
    if (heading !== "" || text !== "") sections.push({ title: heading, titles, text });
  };
  add(title, [], pieces[0]);
  for (let at = 1; at < pieces.length; at += 3) {
    const level = Number(pieces[at]);
    const heading = strip(pieces[at + 1]);
    above.length = Math.min(above.length, level - 1);
    add(heading, above.filter((name) => name !== undefined), pieces[at + 2]);
    above[level - 1] = heading;
  }
  // The first heading of most pages is the title again; a section of its own without text would only repeat it.
  if (sections.length > 1 && sections[0].text === "") sections.shift();
  return { title, text: strip(html), sections };
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function strip(html) {
  return html
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (all, decimal, hexadecimal, name) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
      const code = decimal === undefined ? parseInt(hexadecimal, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .replace(/\s+/g, " ")
    .trim();
}
