/**
 * docs/MOVING.md, followed: a site is built with the other search, the page's changed lines are applied to it as they
 * stand there, it is built again, and both searches are asked the same questions in Chromium.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { PACKAGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const HANDBOOKS = path("../corpora/handbooks");
const OUT = path("out/moving");
const PAGE = readFileSync(path("../../docs/MOVING.md"), "utf8");

/** The changes of a section of the page, in order: the file that is named above a block, and the block. */
function changes(heading) {
  const [, section] = PAGE.split(new RegExp(`^###? ${heading}$`, "m"));
  const found = [];
  let file;
  let diff;
  for (const line of section.split(/^##+ From/m)[0].split("\n")) {
    if (diff && line === "```") diff = undefined;
    else if (diff) diff.push(line);
    else if (line === "```diff") found.push([file, (diff = [])]);
    else file = /`([\w./-]+)`[^`]*:$/.exec(line)?.[1] ?? file;
  }
  assert.ok(found.length > 1, `${heading} has changes`);
  return found;
}

/** Applies a change; the lines that it takes away, or leaves around it, have to be there. */
function apply(root, file, lines) {
  const side = (sign) => lines.filter((line) => line[0] !== sign).map((line) => `${line.slice(1)}\n`).join("");
  const text = readFileSync(join(root, file), "utf8");
  const [was, is] = [side("+"), side("-")];
  assert.equal(text.split(was).length, 2, `once in ${file}:\n${was}`);
  writeFileSync(join(root, file), text.replace(was, () => is));
}

/** A copy of a site of tests/web/moving, with a package of ours beside the others. */
function siteOf(name) {
  const root = join(OUT, name);
  cpSync(path(`moving/${name}`), root, { recursive: true });
  mkdirSync(join(root, "node_modules/@docsearch"), { recursive: true });
  symlinkSync(PACKAGE, join(root, "node_modules/knarr"));
  for (const tool of ["css", "js"]) symlinkSync(path(`node_modules/@docsearch/${tool}`), join(root, `node_modules/@docsearch/${tool}`));
  return root;
}

/** `npm run build`, with `knarr` among the programs. */
function build(root) {
  const bin = join(OUT, "bin");
  const env = { ...process.env, PATH: [bin, path("node_modules/.bin"), process.env.PATH].join(delimiter), NODE_TEST_CONTEXT: undefined };
  try {
    execFileSync("npm", ["run", "build"], { cwd: root, env, stdio: "pipe" });
  } catch (error) {
    throw new Error(`${root}\n${error.stdout}${error.stderr}`);
  }
}

function move(root, heading) {
  for (const [file, lines] of changes(heading)) apply(root, file, lines);
}

/** Titles of a handbook, by the names of their pages. */
const titlesOf = (handbook) => Object.fromEntries(readdirSync(join(HANDBOOKS, handbook)).map((file) => [
  file.replace(/\.md$/, ""), /^# (.*)/.exec(readFileSync(join(HANDBOOKS, handbook, file), "utf8"))[1],
]));

let browser;
before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(join(OUT, "bin"), { recursive: true });
  symlinkSync(join(PACKAGE, "bin/knarr.mjs"), join(OUT, "bin/knarr"));
  browser = await launch();
});
after(() => browser.close());

/** Opens a page of a folder of files. */
async function at(folder, address, look) {
  const server = await serve({ "/": folder }, { policy: false });
  const page = await openPage(browser, `${server.origin}${address}`);
  try {
    const seen = await look(page);
    assert.deepEqual(page.complaints, []);
    return seen;
  } finally {
    await page.context().close();
    await server.close();
  }
}

/** Types a question into the element and follows the first row. */
async function follow(page, question, target) {
  await page.locator("knarr-search button.trigger").click();
  await page.locator("knarr-search").getByRole("combobox").fill(question);
  await page.locator("knarr-search").getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(target);
}

const WORDS = ["genoa", "transits", "wetsuit", "halyard", "gelcoat", "starboard", "fenders", "bilge", "spinnaker", "kill cord"];

test("from Pagefind: the same site, the same pages", async () => {
  const root = siteOf("pagefind");
  cpSync(join(HANDBOOKS, "sailing"), root, { recursive: true });
  writeFileSync(join(root, "index.md"), "# Sailing handbook\n\nOf the club.\n");
  // Marks of every kind that is read.
  writeFileSync(join(root, "rules.md"), `---\npart: rules\n---\n<h1 data-pagefind-meta="title">Rules of the quay</h1>\n
<p data-pagefind-ignore>The quokka is asleep.</p>\n<p data-pagefind-index-attrs="title" title="A narwhal is a whale">The sign says so.</p>
<p data-pagefind-filter="author:Ann">Nobody feeds the capybara.</p>\n`);
  writeFileSync(join(root, "heavy.md"), `<h1>Heavy things</h1>\n<p>The capybara is mentioned, and once more: capybara.</p>\n<p data-pagefind-weight="0.1">The capybara again.</p>\n`);
  // A page that stands for another, and one that has a keeper of its own.
  writeFileSync(join(root, "charter.md"), `---\npart: rules\n---\n<h1>Charter</h1>\n<p>Ask the pangolin.</p>
<a data-pagefind-meta="url[href]" href="/club/charter/?from=search">The club's page</a>\n`);
  writeFileSync(join(root, "harbour.md"), `---\npart: rules\n---\n<h1>Harbour</h1>\n<p>The pangolin sleeps there.</p>
<p>Kept by <b data-pagefind-meta="keeper">Ann</b>.</p>\n`);
  // Numbers, of which 10 is more than 9, and pages without one.
  for (const [name, berths] of [["gannet", 9], ["fulmar", 10], ["petrel", 2.5], ["skua", undefined]]) {
    const mark = berths === undefined ? "" : `data-pagefind-sort="berths[data-berths], boat" data-berths="${berths}"`;
    writeFileSync(join(root, `${name}.md`), `---\npart: rules\n---\n<h1>${name}</h1>\n<p ${mark}>${name}</p>\n<p>A trimaran for hire.</p>\n`);
  }
  const found = (questions) => at(join(root, "_site"), "/", (page) => page.evaluate(async (asked) => {
    const { found, byBerths, parts } = await import("/found.js");
    const answers = {};
    for (const [question, part] of asked) answers[`${part}: ${question}`] = (await found(question, part)).map(([url, title]) => `${url} ${title}`);
    answers.keepers = (await found("pangolin", "rules")).map(([url, , , keeper]) => `${url} ${keeper}`).sort();
    for (const question of ["trimaran", "trimarans hire"]) answers[`sorted: ${question}`] = await byBerths(question);
    for (const question of ["", "capybara", "quokka"]) {
      // Pagefind names values that no page has.
      const counts = await parts(question);
      answers[`parts: ${question}`] = Object.entries(counts).filter(([, count]) => count > 0).sort();
    }
    return answers;
  }, questions));
  const titles = Object.entries(titlesOf("sailing"));
  const questions = [
    ...titles.map(([, title]) => [title, "boats"]), ...WORDS.map((word) => [word, "boats"]),
    ["capybara", "rules"], ["narwhal", "rules"], ["quokka", "rules"], ["wombat", "boats"],
  ];

  build(root);
  const earlier = await found(questions);
  move(root, "From Pagefind");
  rmSync(join(root, "_site"), { recursive: true });
  build(root);
  const now = await found(questions);

  for (const [name, title] of titles) assert.equal(now[`boats: ${title}`][0], `/${name}/ ${title}`);
  for (const word of WORDS) {
    const [was, is] = [earlier, now].map((answers) => answers[`boats: ${word}`]);
    assert.ok(was.length > 0, word);
    // Both stem; a page that one of them has alone has another form of the word.
    const missing = was.filter((page) => !is.includes(page));
    assert.ok(was.length === 5 || missing.length === 0, `${word}: ${missing} of ${was} is not in ${is}`);
  }
  // A mark is a mark: title, filter, attribute; what is ignored is not found.
  for (const answers of [earlier, now]) {
    assert.deepEqual(answers["rules: capybara"], ["/rules/ Rules of the quay"]);
    assert.deepEqual(answers["rules: narwhal"], ["/rules/ Rules of the quay"]);
    assert.deepEqual(answers["rules: quokka"], []);
    assert.deepEqual(answers["boats: wombat"], []);
    assert.deepEqual(answers["sorted: trimaran"], ["/fulmar/", "/gannet/", "/petrel/"]);
    assert.deepEqual(answers["sorted: trimarans hire"], ["/fulmar/", "/gannet/", "/petrel/"]);
    assert.deepEqual(answers["parts: capybara"], [["boats", 1], ["rules", 1]]);
    assert.deepEqual(answers["parts: quokka"], []);
    assert.deepEqual(answers["parts: "], earlier["parts: "]);
    assert.ok(answers["parts: "].length === 2);
    assert.deepEqual(answers.keepers, ["/club/charter/?from=search The club", "/harbour/ Ann"]);
  }
  await at(join(root, "_site"), "/fog/", async (page) => {
    const accent = await page.locator("knarr-search").evaluate((field) => getComputedStyle(field).getPropertyValue("--knarr-accent"));
    assert.equal(accent, "#0a5d7d");
    await follow(page, "choosing the place for an anchor", /\/anchoring\/#choosing-the-place$|\/anchoring\//);
  });
});

test("from DocSearch: no key, no crawler", async () => {
  const root = siteOf("docsearch");
  cpSync(join(HANDBOOKS, "bakery"), root, { recursive: true });
  writeFileSync(join(root, "index.md"), "# Bakery handbook\n\nOf a small bakery.\n");
  build(root);
  await at(join(root, "_site"), "/", async (page) => {
    await page.locator(".DocSearch-Button").click();
    await page.locator(".DocSearch-Modal").waitFor();
  });
  move(root, "From DocSearch");
  rmSync(join(root, "_site"), { recursive: true });
  build(root);
  for (const [name, title] of Object.entries(titlesOf("bakery")).slice(0, 4)) {
    await at(join(root, "_site"), "/", async (page) => {
      assert.equal(await page.locator(".DocSearch-Button").count(), 0);
      await follow(page, title, new RegExp(`/${name}/`));
    });
  }
});

for (const [name, heading] of [["lunr", "From lunr"], ["minisearch", "From MiniSearch"], ["orama", "From Orama"]]) {
  test(`${heading.replace("From", "from")}: the same documents, found by the same questions`, async () => {
    const root = siteOf(name);
    mkdirSync(join(root, "site"));
    writeFileSync(join(root, "site/index.html"), "<!doctype html><title>Handbook</title>");
    const titles = titlesOf("sailing");
    writeFileSync(join(root, "documents.jsonl"), Object.entries(titles).map(([id, title]) => {
      const text = readFileSync(join(HANDBOOKS, "sailing", `${id}.md`), "utf8").replace(/^# .*\n+/, "");
      return `${JSON.stringify({ id, title, text })}\n`;
    }).join(""));
    const ask = () => at(join(root, "site"), "/", (page) => page.evaluate(async (questions) => {
      const { search } = await import("/search.js");
      const answers = {};
      for (const question of questions) answers[question] = (await search(question)).map(({ id }) => id);
      return answers;
    }, [...Object.values(titles), ...WORDS]));

    build(root);
    const earlier = await ask();
    move(root, heading);
    build(root);
    const now = await ask();
    for (const [id, title] of Object.entries(titles)) assert.equal(now[title][0], id);
    for (const word of WORDS) {
      assert.ok(earlier[word].length > 0, word);
      assert.ok(now[word].slice(0, 3).includes(earlier[word][0]), `${word}: ${earlier[word]} became ${now[word]}`);
    }
  });
}
