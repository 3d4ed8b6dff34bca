/** The blocks of docs/HOSTING.md, read by the programs that they are for: what is then sent for each file. */

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parseAllHeaders } from "@netlify/headers-parser";
import { getTransformedRoutes } from "@vercel/routing-utils";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE } from "./bundles.mjs";
import { apache, lacks, nginx } from "./hosts.mjs";
import { KNARR_POLICY, serve } from "./server.mjs";

const PAGE = readFileSync(new URL("../../docs/HOSTING.md", import.meta.url), "utf8");
const block = (opening) => new RegExp(`^\`\`\`${opening}\\n(.*?)^\`\`\``, "ms").exec(PAGE)[1];

const FOREVER = "public, max-age=31536000, immutable";
const HOUR = "public, max-age=3600";
/** What is to be sent for a file; undefined where the host's own way does, which is to revalidate. */
const WANTED = {
  "/knarr/search/03e97e7dbe5c.pack": FOREVER, "/knarr/search/index.knarr": undefined,
  "/knarr/knarr-search.js": HOUR, "/knarr/knarr_core_first.wasm": HOUR, "/index.html": undefined,
  "/app.js": undefined, "/app/theme.js": undefined, // The site's own scripts are not ours to keep.
};

let site;
before(() => {
  site = mkdtempSync(join(tmpdir(), "knarr-hosting-"));
  chmodSync(site, 0o755); // The server's workers are somebody else.
  for (const folder of ["knarr/search", "app"]) mkdirSync(join(site, "public", folder), { recursive: true });
  for (const path of Object.keys(WANTED)) {
    const file = join(site, "public", path);
    writeFileSync(file, "x".repeat(5000));
    const published = Date.now() / 1000 - 3600; // Of a file of this second Apache says only that it may be the same.
    utimesSync(file, published, published);
  }
});
after(() => rmSync(site, { recursive: true, force: true }));

test("Netlify", async () => {
  const file = join(site, "_headers");
  writeFileSync(file, block("text \\[_headers\\]"));
  const { headers, errors } = await parseAllHeaders({ headersFiles: [file], minimal: false });
  assert.deepEqual(errors, []);
  for (const [path, wanted] of Object.entries(WANTED)) {
    const own = headers.filter(({ forRegExp }) => forRegExp.test(path));
    assert.deepEqual(own.map(({ values }) => values["Cache-Control"] ?? values["cache-control"]), wanted ? [wanted] : [], path);
  }
});

test("Vercel", () => {
  const { routes, error } = getTransformedRoutes(JSON.parse(block("json \\[vercel.json\\]")));
  assert.equal(error, null);
  for (const [path, wanted] of Object.entries(WANTED)) {
    const own = (routes ?? []).filter(({ src, headers }) => headers && new RegExp(src).test(path));
    assert.deepEqual(own.map(({ headers }) => headers["Cache-Control"]), wanted ? [wanted] : [], path);
  }
});

/** Asks a server for everything. */
const ask = (program) => async (origin) => {
  for (const [path, wanted] of Object.entries(WANTED)) {
    const { headers } = await fetch(origin + path, { headers: { "accept-encoding": "gzip" } });
    const control = path.endsWith(".knarr") ? "no-cache" : wanted;
    assert.equal(headers.get("cache-control"), control ?? null, path);
    assert.ok(headers.get("etag") ?? headers.get("last-modified"), path);
    if (path.endsWith(".wasm")) assert.equal(headers.get("content-type"), "application/wasm");
    if (path.endsWith(".js")) assert.match(headers.get("content-type"), /javascript/);
    if (program === "nginx" && control === HOUR) assert.deepEqual(["content-encoding", "vary"].map((name) => headers.get(name)), ["gzip", "Accept-Encoding"], path);
    if (/\.(pack|knarr)$/.test(path)) assert.equal(headers.get("content-encoding"), null, path);
  }
  // A range at its own address, as the engine asks.
  const [pack] = Object.keys(WANTED);
  const part = await fetch(`${origin}${pack}?100-199`, { headers: { Range: "bytes=100-199", "accept-encoding": "gzip" } });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get("cache-control"), FOREVER);
  assert.match(part.headers.get("etag"), /^"/);
  assert.equal((await part.arrayBuffer()).byteLength, 100);
};

const served = () => ({ scratch: site, folder: `${site}/public`, path: "/index.html" });

test("nginx", { skip: lacks("nginx") }, async () => {
  await nginx({ ...served(), block: block("nginx") }, ask("nginx"));
  // A server that compresses whatever it serves.
  await nginx({ ...served(), block: `gzip on; gzip_types *;\n${block("nginx")}` }, ask("nginx"));
});

test("Apache", { skip: lacks("apache2") }, async () => {
  writeFileSync(join(site, "public/.htaccess"), block("apache"));
  await apache(served(), ask("apache2"));
});

test("Trusted Types: no report without a worker, and a worker with the page's policy", async () => {
  const folder = join(site, "trusted");
  mkdirSync(folder);
  const [, policy] = /^ {2}```js\n {2}(trustedTypes.*)\n/m.exec(PAGE);
  writeFileSync(join(folder, "policy.js"), policy);
  const browser = await launch();
  try {
    for (const [names, script, attributes, workers, complaints] of [
      ["'none'", "", "", 0, 1],
      ["'none'", "", ' worker="off"', 0, 0],
      ["default", '<script src="/policy.js"></script>', "", 1, 0],
    ]) {
      writeFileSync(join(folder, "index.html"), `<!doctype html><title>x</title>${script}<script type="module" src="/knarr/knarr-search.js"></script><knarr-search src="/search/"${attributes}></knarr-search>`);
      const server = await serve({ "/": folder, "/knarr/": DIST, "/search/": LARGE }, { policy: `${KNARR_POLICY}; require-trusted-types-for 'script'; trusted-types ${names}` });
      const page = await openPage(browser, `${server.origin}/`);
      await page.locator("button.trigger").click();
      await page.getByRole("combobox").fill("bowline");
      await page.getByRole("option").first().waitFor();
      assert.equal(page.workers().length, workers, names + attributes);
      assert.equal(page.complaints.length, complaints, `${names}${attributes}: ${page.complaints}`);
      await page.context().close();
      await server.close();
    }
  } finally {
    await browser.close();
  }
});
