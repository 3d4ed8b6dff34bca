/**
 * Pagefind: its own indexer over rendered pages (content marked with `data-pagefind-body`, as site owners do), and its
 * own client in Chromium with all settings at their defaults.
 *
 * The page asks for ids only; which page an id is, its fragment file says, and those are read here from disk.
 */

import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import * as pagefind from "pagefind";
import { launch } from "../../browser/chromium.mjs";
import { serve } from "../../browser/server.mjs";
import { pageHtml, splitPage } from "../documents.mjs";

const PAGES = fileURLToPath(new URL("../../browser/pages", import.meta.url));

/** What a fragment file begins with, once inflated. */
const SIGNATURE = "pagefind_dcd";

export async function open(documents, { site, folder, language, progress }) {
  const bundle = join(folder, "pagefind");
  await build(documents, { site, bundle, language, progress });
  const pages = fragments(bundle, new Map(documents.map(({ id, file }) => [`/${file}`, id])));
  const server = await serve({ "/": PAGES, "/pagefind": bundle });
  const browser = await launch();
  const page = await browser.openPage(`${server.origin}/`);
  const search = async (query, limit) => {
    const ids = await page.run(
      // Runs in the page.
      async (query, limit) => {
        globalThis.pagefind ??= await import("/pagefind/pagefind.js");
        const { results } = await globalThis.pagefind.search(query);
        return results.slice(0, limit).map(({ id }) => id);
      },
      query,
      limit,
    );
    return ids.map((id) => pages.get(id));
  };
  search.close = async () => {
    await browser.close();
    await server.close();
  };
  return search;
}

/** Indexes the pages into `bundle`, unless they are. */
export async function build(documents, { site, bundle, language, progress }) {
  if (existsSync(bundle)) return;
  const { index, errors } = await pagefind.createIndex();
  if (errors.length > 0) throw new Error(errors.join("; "));
  for (const [at, { file }] of documents.entries()) {
    const content = pageHtml(splitPage(readFileSync(join(site, file), "utf8")), language);
    const added = await index.addHTMLFile({ url: `/${file}`, content });
    if (added.errors.length > 0) throw new Error(`${file}: ${added.errors.join("; ")}`);
    progress(`${at} of ${documents.length} documents`);
  }
  // In one step, and under a name of this process: two runs at once must not mix their files.
  const part = `${bundle}.${process.pid}`;
  const written = await index.writeFiles({ outputPath: part });
  if (written.errors.length > 0) throw new Error(written.errors.join("; "));
  await pagefind.close();
  if (existsSync(bundle)) rmSync(part, { recursive: true });
  else renameSync(part, bundle);
}

function fragments(bundle, documents) {
  const folder = join(bundle, "fragment");
  const entries = readdirSync(folder).map((name) => {
    const text = gunzipSync(readFileSync(join(folder, name))).toString("utf8");
    if (!text.startsWith(SIGNATURE)) throw new Error(`${name} is not a fragment of the kind this program knows`);
    const { url } = JSON.parse(text.slice(SIGNATURE.length));
    if (!documents.has(url)) throw new Error(`${name} is of ${url}, which is no document`);
    return [name.replace(/\.pf_fragment$/, ""), documents.get(url)];
  });
  return new Map(entries);
}
