/** Asks a search on a site all its questions, and looks at what its rows lead to. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { openPage } from "../../tests/web/browser.mjs";
import { plain, summary } from "./figures.mjs";
import { ask, follow } from "./searches.mjs";

/** Questions that only the template of a page answers. */
const TEMPLATE = ["Skip to content", "Edit this page", "On this page", "Return to top", "404", "tags"];

/** First rows that are followed, of a long list of questions. */
const CLICKS = 10;

/** The facts about a page, computed in a page of the same origin: headings as a reader sees them, without their links to themselves. */
async function factsOf(address) {
  const response = await fetch(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const { hash } = new URL(address);
  const target = hash ? page.getElementById(decodeURIComponent(hash.slice(1))) : undefined;
  const signs = "a.header-anchor, a.headerlink, a.hash-link, .sl-anchor-link, a.anchor, a.doc-anchor, button, rustdoc-toolbar, .VPBadge, .sr-only, .visually-hidden";
  for (const sign of page.querySelectorAll(signs)) sign.remove();
  const text = (element) => element.textContent.replace(/[\u200b#¶§]/g, "").replace(/\s+/g, " ").trim();
  const path = (link) => {
    try {
      return new URL(link.getAttribute("href"), address).pathname;
    } catch {
      return "";
    }
  };
  return {
    status: response.status, hasTarget: !hash || Boolean(target), lang: page.documentElement.lang,
    // The definition of a name has the whole name as its id.
    headings: [...Array.from(page.querySelectorAll("h1, h2, h3, h4, h5, h6, dt[id], dfn, .name, .VPHero .text, summary"), text), ...(target?.tagName === "DT" ? [target.id] : [])],
    links: Array.from(page.querySelectorAll("a[href], link[rel=canonical]"), path),
  };
}

/** Asks a site all questions; the figures of its search. */
export async function measure(browser, server, site, search) {
  const context = { bypassCSP: true };
  const say = (text) => process.stderr.write(`${site.name}, ${search.label}: ${text}\n`);
  const home = (question) => server.origin + site.base + (question.start ?? site.start ?? "");
  const asked = [];
  const facts = new Map();
  const look = async (page, href) => {
    if (!facts.has(href)) facts.set(href, await page.evaluate(factsOf, href).catch(() => ({ status: 0, headings: [], links: [] })));
  };
  const looking = await openPage(browser, home({}), context);
  let page = await openPage(browser, home({}), context);
  let at = home({});
  for (const question of [...site.questions, ...TEMPLATE.map((query) => ({ query, isTemplate: true }))]) {
    if (at !== home(question)) await page.goto((at = home(question)));
    const rows = await ask(page, search, question.query, site).catch((error) => (say(`${question.query}: ${error.message.split("\n")[0]}`), []));
    for (const { href } of rows) await look(looking, href);
    const isFollowed = asked.length < CLICKS && !question.isTemplate && rows.length > 0;
    asked.push({ ...question, rows, clicked: isFollowed ? await click(page, search, rows[0]) : undefined });
    if (!isFollowed) continue;
    await page.context().close();
    page = await openPage(browser, home({}), context);
    at = home({});
  }
  await page.context().close();
  await looking.context().close();
  return summary(asked, facts, site);
}

/** True when the first row leads to its page, at its section, without an error that the page before had not. */
async function click(page, search, { href }) {
  const known = new Set(page.complaints);
  await follow(page, search).catch(() => {});
  await page.waitForURL((url) => plain(url.href) === plain(href), { timeout: 8000 }).catch(() => {});
  await page.waitForTimeout(800); // Pages scroll.
  const { hash } = new URL(href);
  const isThere = plain(page.url()) === plain(href) && (await page.evaluate((hash) => {
    const target = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : document.body;
    if (!target) return false;
    // An anchor may be empty and stand above its heading.
    const { top, bottom } = target.getBoundingClientRect();
    return !hash || (bottom >= -5 && top < innerHeight);
  }, hash).catch(() => false));
  return isThere && page.complaints.every((complaint) => known.has(complaint));
}

/** Bytes of the files below a folder that a search owns. */
export function onDisk(folder, isOwn) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => isOwn(name.replaceAll("\\", "/")));
  return files.map((name) => statSync(join(folder, name))).reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

const COMPRESSED = /\.(js|mjs|css|wasm|json|html|svg)$/;

/** Bytes and requests from a page that has loaded to the rows of one question; scripts, styles and data in text by brotli. */
export async function untilRows(browser, server, folder, site, search, isOwn) {
  const page = await openPage(browser, server.origin + site.base + (site.start ?? ""), { bypassCSP: true });
  await page.waitForTimeout(1500);
  const seen = server.requests.length;
  const path = (request) => request.path.slice(site.base.length);
  const early = server.requests.filter((request) => isOwn(path(request)));
  const known = new Set(server.requests.map(({ path }) => path));
  await ask(page, search, site.questions[0].query, site);
  // A search on a page of its own loads that page; what the site's pages share is there already.
  const late = server.requests.slice(seen).filter((request) => /\.\w+$/.test(request.path) && !request.path.endsWith(".html") && (request.range || !known.has(request.path)));
  await page.context().close();
  const bytes = [...new Set([...early, ...late])].map((request) => weight(join(folder, path(request)), request.range));
  server.reset();
  return { requests: bytes.length, bytes: bytes.reduce((sum, one) => sum + one, 0) };
}

function weight(file, range) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (from !== undefined) return to - from + 1;
  let content;
  try {
    content = readFileSync(file);
  } catch {
    return 0;
  }
  return COMPRESSED.test(file) ? brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length : content.length;
}
