/** What a page of a built site has to land on: its letters in order, where its anchors open, and all that may be its title. */

/** Letters and digits alone, in one case: what markup and spaces cannot change. */
export const letters = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Words of a text, each as its letters. */
export const words = (text) => text.split(/[\s|/]+/u).map(letters).filter((word) => word !== "");

/** A page's source as a browser would decode it. */
export function decode(bytes) {
  const head = bytes.subarray(0, 2048).toString("latin1");
  const [, charset = "utf-8"] = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ?? /<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(head) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/**
 * Reads a page's source with the browser's own parser. Runs in Chromium, so it refers to nothing outside of itself.
 *
 * `pieces` are the texts in order, those of `alt` among them; `anchors` and `headings` count pieces.
 */
export function parse(source) {
  const page = new DOMParser().parseFromString(source, "text/html");
  const pieces = [];
  const anchors = {};
  const headings = [];
  const alts = [];
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return void pieces.push(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || ["SCRIPT", "STYLE", "ANNOTATION"].includes(node.tagName.toUpperCase())) return;
    // KaTeX's formula for the eyes, beside that of MathML.
    if (node.ariaHidden === "true" && node.classList.contains("katex-html")) return;
    const at = pieces.length;
    const level = /^H([1-6])$/.exec(node.tagName)?.[1];
    if (node.alt) {
      pieces.push(` ${node.alt} `);
      alts.push(node.alt);
    }
    (node.content ?? node).childNodes.forEach(visit);
    const end = pieces.length;
    if (level) headings.push({ at, end, level: Number(level), text: node.textContent });
    for (const name of [node.id, node.getAttribute("name")]) {
      if (name && !(name in anchors)) anchors[name] = { at, end };
    }
  };
  visit(page.body);
  const meta = (name) => page.querySelector(`meta[property="${name}" i], meta[name="${name}" i]`)?.content ?? "";
  const titles = [page.title, meta("og:title"), ...headings.map(({ text }) => text), ...alts];
  const described = ["description", "og:description", "twitter:description"].map(meta).concat(titles);
  return { title: page.title, titles, described, pieces, anchors, headings };
}

/** A parsed page with places in its letters in place of places in its pieces. */
export function measured({ title, titles, described, pieces, anchors, headings }) {
  const starts = [0];
  const parts = pieces.map(letters);
  for (const part of parts) starts.push(starts.at(-1) + part.length);
  const placed = ({ at, end, ...rest }) => ({ at: starts[at], end: starts[end], ...rest });
  return {
    title, text: pieces.join(" "), letters: parts.join(""), titles: titles.map(letters), described: described.map(letters),
    headings: headings.map(placed),
    anchors: new Map(Object.entries(anchors).map(([name, range]) => [name, placed(range)])),
  };
}

/** Letters between an anchor and the heading behind it that it belongs to, at most. */
const BESIDE = 80;

/** The letters of the section that an anchor opens: to the next heading that is no part of it, or to the end of its element. */
export function section(page, anchor) {
  const { at, end } = page.anchors.get(anchor);
  const own = page.headings.find((heading) => heading.end >= at && heading.at <= at + BESIDE);
  const next = page.headings.find((heading) => heading.at > (own?.at ?? at) && heading.level <= (own?.level ?? 6));
  return { from: at, to: Math.max(end, next?.at ?? page.letters.length) };
}
