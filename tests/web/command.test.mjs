/** `npx knarr`: the command line of the package, beside the native one, and the index it builds for programs. */

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { launch, openPage } from "./browser.mjs";
import { AGENT_TREE, LARGE_SITE, PACKAGE, SITE, VARIANTS_SITE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const NATIVE = process.env.KNARR_BIN ?? fileURLToPath(new URL("../../target/debug/knarr", import.meta.url));
const CORPUS = fileURLToPath(new URL("../corpus", import.meta.url));
const HANDBOOKS = fileURLToPath(new URL("../corpora/handbooks", import.meta.url));
const ENTRY = join(PACKAGE, "bin/knarr.mjs");

let scratch;
before(() => (scratch = mkdtempSync(join(tmpdir(), "knarr-command-"))));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the package's command line. */
function knarr(args, options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, ...args], { encoding: "utf8", ...options });
  return { status, stdout, stderr };
}

/** Every file of a folder with its bytes. */
const contents = (folder) => Object.fromEntries(readdirSync(folder).sort().map((name) => [name, readFileSync(join(folder, name), "base64")]));

const MOUNTS = ["user", "agent", "resources"].flatMap((folder) => ["--mount", `${folder}=viking://${folder}`]);
for (const [what, input, more] of [
  ["pages of three languages", CORPUS, []],
  ["its entities", CORPUS, ["--graph", "--packs"]],
  ["a site in one file", SITE, []],
  ["a site in packs", LARGE_SITE, []],
  ["two languages and versions", VARIANTS_SITE, []],
  ["an agent's tree", AGENT_TREE, MOUNTS],
  ["handbooks", HANDBOOKS, []],
]) {
  test(`the bytes are the native command's: ${what}`, () => {
    const [ours, theirs] = ["ours", "theirs"].map((name) => join(scratch, `${what.replaceAll(" ", "-")}-${name}`));
    const args = (out) => ["build", input, "--out", out, "--quiet", ...more];
    assert.deepEqual(knarr(args(ours)), { status: 0, stdout: "", stderr: "" });
    execFileSync(NATIVE, args(theirs));
    assert.deepEqual(contents(ours), contents(theirs));
  });
}

// The C library made relative paths whole in one buffer for all threads: of 400 pages one was another, once in six builds.
test("threads that read pages of a relative path each read their own", () => {
  for (let at = 0; at < 1000; at++) {
    mkdirSync(join(scratch, `many/folder-${at % 25}`), { recursive: true });
    writeFileSync(join(scratch, `many/folder-${at % 25}/page-${at}.md`), `# Page ${at}\n\nWord${at} is here alone.\n`);
  }
  const options = { cwd: scratch, env: { ...process.env, RAYON_NUM_THREADS: "8" } };
  const built = (input) => {
    assert.deepEqual(knarr(["build", input, "--out", "many-index", "--name", "many", "--quiet"], options), { status: 0, stdout: "", stderr: "" });
    return contents(join(scratch, "many-index"));
  };
  const whole = built(join(scratch, "many"));
  for (let time = 0; time < 4; time++) assert.deepEqual(built("many"), whole);
});

// A thread's files are not open in another, or are others there: nothing was kept, and a shard could not be merged.
test("pages are kept for the next build, and shards merged", () => {
  const [cold, kept, cache] = ["cold", "kept", "cache"].map((name) => join(scratch, `pages-${name}`));
  const build = (...more) => assert.deepEqual(knarr(["build", LARGE_SITE, "--name", "docs", "--quiet", ...more]), { status: 0, stdout: "", stderr: "" });
  build("--out", cold);
  const written = () => {
    const { status, stdout, stderr } = knarr(["build", LARGE_SITE, "--name", "docs", "--out", kept, "--cache", cache]);
    assert.equal(status, 0, stderr + stdout);
    assert.doesNotMatch(stderr, /warning/);
    assert.deepEqual(contents(kept), contents(cold));
    assert.deepEqual(readdirSync(cache).sort(), ["pages.cache", "pages.json"]);
    return statSync(join(cache, "pages.cache"));
  };
  const { size } = written();
  assert.ok(size > 10_000, `${size}`);
  assert.equal(written().size, size, "what was read from it is kept again");
  // Of nothing but the cache.
  const shards = ["--include", "--exclude"].map((option) => {
    const shard = join(scratch, `shard${option}`);
    build("--out", join(scratch, `part${option}`), option, "guide/", "--cache", shard);
    return shard;
  });
  const merged = join(scratch, "pages-merged");
  assert.deepEqual(knarr(["merge", ...shards, "--out", merged, "--quiet"]), { status: 0, stdout: "", stderr: "" });
  assert.deepEqual(contents(merged), contents(cold));
});

/** Runs the command line with a module that is loaded before it, in every thread. */
function preloaded(name, lines, args, env = {}) {
  const module = join(scratch, name);
  writeFileSync(module, lines.join("\n"));
  const options = `--import ${pathToFileURL(module).href}`;
  return knarr(args, { timeout: 120_000, env: { ...process.env, ...env, NODE_OPTIONS: options } });
}

test("its threads can wait for a lock", () => {
  const module = brotliDecompressSync(readFileSync(join(PACKAGE, "bin/knarr.wasm.br")));
  assert.ok(module.includes("parking_lot"), "the parser's names lie behind such locks");
  assert.ok(!module.includes("Parking not supported on this platform"));
});

test("folders are listed where Node's WASI does not, as on Windows", () => {
  const out = join(scratch, "unlisted");
  const theirs = join(scratch, "listed");
  const without = [
    'import { WASI } from "node:wasi";',
    "const { getImportObject } = WASI.prototype;",
    "WASI.prototype.getImportObject = function () {",
    "  const { wasi_snapshot_preview1: calls } = getImportObject.call(this);",
    "  return { wasi_snapshot_preview1: { ...calls, fd_readdir: () => 52 } };",
    "};",
  ];
  const { status, stderr } = preloaded("unlisted.mjs", without, ["build", LARGE_SITE, "--out", out, "--quiet"]);
  assert.equal(status, 0, stderr);
  execFileSync(NATIVE, ["build", LARGE_SITE, "--out", theirs, "--quiet"]);
  assert.deepEqual(contents(out), contents(theirs));
});

test("a build has as many threads as it is given, and the same bytes with any number", () => {
  const counts = [
    'import { writeSync } from "node:fs";',
    'import { threadId } from "node:worker_threads";',
    "if (threadId > 0) writeSync(2, `thread\\n`);",
  ];
  const built = ["1", "3"].map((threads) => {
    const out = join(scratch, `threads-${threads}`);
    const { status, stderr } = preloaded("counts.mjs", counts, ["build", LARGE_SITE, "--out", out, "--quiet"], { RAYON_NUM_THREADS: threads });
    assert.equal(status, 0, stderr);
    return { bytes: contents(out), began: stderr.split("thread").length - 1 };
  });
  assert.deepEqual(built[0].bytes, built[1].bytes);
  assert.equal(built[1].began - built[0].began, 2);
});

test("a reader that takes its time gets the whole output", async () => {
  const out = join(scratch, "slowly-read");
  assert.equal(knarr(["build", LARGE_SITE, "--out", out, "--quiet"]).status, 0);
  const child = spawn(process.execPath, [ENTRY, "find", out, "boat", "--limit", "1000", "--explain", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  await sleep(1500);
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk;
  assert.ok(text.length > 1 << 18, `${text.length} letters fill no pipe`);
  assert.ok(JSON.parse(text).results.length > 0);
});

test("a thread that fails ends the command, which had waited for it", () => {
  const fails = [
    'import { workerData } from "node:worker_threads";',
    'if (workerData?.task) throw new Error("no room for a thread");',
  ];
  const { status, stderr } = preloaded("fails.mjs", fails, ["build", SITE, "--out", join(scratch, "failed"), "--quiet"]);
  assert.equal(status, 1);
  assert.match(stderr, /no room for a thread/);
});

test("one word builds a site's index where the element looks for it", () => {
  const site = join(scratch, "plain");
  cpSync(SITE, site, { recursive: true });
  const { status, stdout, stderr } = knarr(["build", "plain"], { cwd: scratch });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /files/);
  assert.doesNotMatch(stderr, /Experimental|WASI/);
  const found = knarr(["find", "plain/search", "bowline"], { cwd: scratch });
  assert.match(found.stdout, /Mooring a boat/);
  // The bundle lies in the site, and is no page of it.
  assert.equal(knarr(["build", site, "--json", "--quiet"]).status, 0);
  const again = JSON.parse(knarr(["build", site, "--json", "--quiet"]).stdout);
  assert.equal(again.files, JSON.parse(execFileSync(NATIVE, ["build", SITE, "--out", join(scratch, "twin"), "--json", "--quiet"])).files);
});

test("errors are the native command's", () => {
  for (const args of [["build"], ["build", "nowhere"], ["find", "nowhere", "x"], ["frobnicate"], ["build", ENTRY]]) {
    const theirs = spawnSync(NATIVE, args, { encoding: "utf8", cwd: scratch });
    const ours = knarr(args, { cwd: scratch });
    assert.equal(ours.status, theirs.status, args.join(" "));
    // Systems number their errors differently.
    const told = ({ stderr }) => stderr.replace(/ \(os error \d+\)/, "");
    assert.equal(told(ours), told(theirs));
  }
});

test("a folder that is not there does not come to be", () => {
  assert.equal(knarr(["build", "nowhere"], { cwd: scratch }).status, 1);
  assert.ok(!existsSync(join(scratch, "nowhere")));
});

test("a build with a model says that this command line has no network, and leaves nothing behind", () => {
  for (const model of [["--llm", "http://127.0.0.1:9/"], ["--embed", "http://127.0.0.1:9/", "--embed-model", "m"], ["--graph-llm", "http://127.0.0.1:9/"]]) {
    const { status, stderr } = knarr(["build", SITE, "--out", "modelled", ...model, "--yes"], { cwd: scratch });
    assert.equal(status, 1, model[0]);
    assert.match(stderr, /^error\[FAILED_PRECONDITION\]: .*without a network: the native one asks endpoints/m);
    assert.ok(!existsSync(join(scratch, "modelled")) && !existsSync(join(scratch, "modelled.cache")));
  }
});

test("help names every command of the package", () => {
  const { status, stdout } = knarr(["--help"]);
  assert.equal(status, 0);
  assert.match(stdout, /^ {2}build /m);
  for (const own of ["add", "init", "mdbook"]) assert.match(stdout, new RegExp(`^ {2}${own} `, "m"));
  assert.match(knarr(["init", "--help"]).stdout, /Usage: knarr init \[--answers\] \[--attribute <NAME=TEXT>\]\.\.\. \[--pages\] <SITE>/);
  const [options, models] = knarr(["build", "--help"]).stdout.split("\nModels ");
  for (const own of ["watch", "cache <FOLDER>"]) assert.match(options, new RegExp(`^ {6}--${own} `, "m"));
  assert.match(models, /^ {6}--llm <URL> /m);
});

test("the native command is used where it is named", () => {
  const { stdout } = knarr(["--help"], { env: { ...process.env, KNARR_NATIVE: NATIVE } });
  assert.match(stdout, /^ {2}serve /m);
});

test("init puts what a page needs beside it, and the page searches", async () => {
  const site = join(scratch, "init");
  cpSync(LARGE_SITE, site, { recursive: true });
  const early = knarr(["init", site]);
  assert.equal(early.status, 0, early.stderr);
  assert.match(early.stdout, /The index is still to be made: npx knarr build/);
  assert.equal(knarr(["build", site, "--quiet"]).status, 0);
  const { stdout } = knarr(["init", site]);
  assert.doesNotMatch(stdout, /still to be made/);
  assert.match(stdout, /below a path, such as \/docs\//);
  const lines = stdout.match(/^ {2}<.*$/gm).map((line) => line.trim());
  assert.equal(lines.length, 2);
  writeFileSync(join(site, "start.html"), `<!doctype html><html lang="en"><title>Start</title><body>${lines.join("\n")}</body></html>`);
  const [texts, names] = [true, false].map((are) => readdirSync(join(site, "knarr")).filter((name) => name.startsWith("strings-") === are));
  assert.equal(texts.length, 50, "a file for each language besides English, two for Chinese and Serbian, and the table of more");
  const server = await serve({ "/": site });
  const browser = await launch();
  try {
    for (const worker of ["", "off"]) {
      const page = await openPage(browser, `${server.origin}/start.html`);
      await page.evaluate((worker) => document.querySelector("knarr-search").setAttribute("worker", worker), worker);
      await page.locator("button.trigger").first().click();
      await page.getByRole("combobox").fill("bowline");
      await page.locator(".group .page").first().waitFor();
      assert.match(await page.locator(".group .page").first().textContent(), /Mooring a boat/);
      assert.deepEqual(page.complaints, []);
      // It comes behind the rows.
      for (let waited = 0; waited < 10_000 && !server.requests.some(({ path }) => path === "/knarr/knarr_core_rest.wasm"); waited += 100) await page.waitForTimeout(100);
      await page.context().close();
    }
    const asked = server.requests.map(({ path }) => path).filter((path) => path.startsWith("/knarr/"));
    const later = ["element-marks.js", "element-more.js", "several.js"]; // For a choice, and attributes.
    const loaded = [...new Set(asked)].map((path) => path.slice("/knarr/".length));
    assert.deepEqual(names.toSorted(), [...loaded, ...later].toSorted(), "what is there is loaded");
  } finally {
    await browser.close();
    await server.close();
  }
  assert.equal(knarr(["init", join(scratch, "nowhere")]).status, 1);
  assert.equal(knarr(["init"]).status, 2);
});

test("init names the place of the index that add has made, and where to make one the command that npx runs", async () => {
  const site = join(scratch, "added");
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "index.html"), "<html lang=en><head><title>Harbour</title></head><body><main><h1>Harbour</h1><p>A bowline.</p></main></body></html>");
  assert.match(knarr(["init", "--pages", site]).stdout, /The index is still to be made: npx knarr build .* --out .*knarr.search/);
  assert.equal(knarr(["add", site, "--quiet"]).status, 0);
  const { stdout } = knarr(["init", site]);
  assert.match(stdout, /^ {2}<knarr-search src="\/knarr\/search\/" base="\/"><\/knarr-search>$/m);
  assert.doesNotMatch(stdout, /still to be made/);
  // What `build` makes is where it always is, and comes first.
  assert.equal(knarr(["build", site, "--quiet"]).status, 0);
  assert.match(knarr(["init", site]).stdout, /<knarr-search src="\/search\/">/);
});

test("init --answers puts the full engine there too, and the page answers in sentences", async () => {
  const site = join(scratch, "answers");
  cpSync(LARGE_SITE, site, { recursive: true });
  assert.equal(knarr(["build", site, "--quiet"]).status, 0);
  const { stdout } = knarr(["init", "--answers", site]);
  const lines = stdout.match(/^ {2}<.*$/gm).map((line) => line.trim());
  assert.equal(lines[1], '<knarr-search src="/search/" answer></knarr-search>');
  writeFileSync(join(site, "start.html"), `<!doctype html><html lang="en"><title>Start</title><body>${lines.join("\n")}</body></html>`);
  const server = await serve({ "/": site });
  const browser = await launch();
  try {
    const page = await openPage(browser, `${server.origin}/start.html`);
    await page.locator("button.trigger").first().click();
    await page.getByRole("combobox").fill("which fall of a barometer announces a gale in three hours");
    await page.locator(".answer p").filter({ hasText: "announces a gale" }).waitFor();
    assert.deepEqual(page.complaints, []);
    assert.ok(!server.requests.some(({ path }) => path.includes("knarr_core_")), "one engine is enough");
  } finally {
    await browser.close();
    await server.close();
  }
  assert.equal(knarr(["init", "--pages", "--answers", site]).status, 0);
  assert.match(readFileSync(join(site, "guide/mooring.html"), "utf8"), /<knarr-search [^>]* answer>/);
});

test("what add and init cannot do is told in one line", () => {
  const site = join(scratch, "blocked");
  cpSync(SITE, site, { recursive: true });
  const watched = knarr(["add", site, "--watch"], { timeout: 60_000 });
  assert.deepEqual([watched.status, watched.stderr.split("\n").length], [2, 2], watched.stderr);
  assert.match(watched.stderr, /^error\[INVALID_ARGUMENT\]: --watch is an option of build/);
  writeFileSync(join(site, "knarr"), "a file");
  const { status, stderr } = knarr(["init", site]);
  assert.equal(status, 1);
  assert.match(stderr, /^error\[IO\]: .*knarr'?\n$/);
  rmSync(join(site, "knarr"));
  const old = readdirSync(site).find((name) => name.endsWith(".html"));
  for (const name of ["OLD.HTM", "book.xhtml"]) cpSync(join(site, old), join(site, name));
  const quiet = knarr(["add", site, "-q"]);
  assert.deepEqual([quiet.status, quiet.stdout], [0, ""], quiet.stderr);
  assert.match(readFileSync(join(site, "OLD.HTM"), "utf8"), /<knarr-search/);
  assert.doesNotMatch(readFileSync(join(site, "book.xhtml"), "utf8"), /<knarr-search/);
});

test("init --pages puts the field where the theme has room for it", async () => {
  const { put } = await import(pathToFileURL(join(PACKAGE, "bin/pages.mjs")).href);
  const own = "<html><head></head><body><knarr-search></knarr-search></body></html>";
  assert.equal(put(own, "./", "knarr"), own);
  assert.equal(put("<p>A fragment.</p>", "./", "knarr"), "<p>A fragment.</p>");
  const behind = (body) => put(`<html><head></head><body class=x>${body}</body></html>`, "../", "knarr").split("</knarr-search>")[1];
  assert.ok(behind('<nav class="md-header__inner"><a></a></nav>').startsWith("</nav>"));
  assert.ok(behind('<div class="navbar-header-items__end"></div><div class="navbar-persistent--mobile">').startsWith('<div class="navbar-persistent--mobile"'));
  assert.ok(behind('<div class="right-buttons">\n<a href="print.html">').startsWith("<a href"));
  assert.ok(behind("<header><h1>x</h1></header>").startsWith("</header>"));
  assert.ok(behind("<p>x</p>").startsWith("<p>"));
  assert.match(put("<html><head></head><body><p>x</p></body></html>", "./", "knarr"), /<head><script defer src="\.\/knarr\/knarr-place\.js"><\/script>/, "no style, which policies forbid");
  // Tags in capitals, and without those of the head, which HTML lets be left out.
  assert.match(put("<HTML><HEAD><TITLE>x</TITLE></HEAD ><BODY class=x><p>x</p>", "./", "knarr"), /<TITLE>x<\/TITLE><script.*<\/HEAD ><BODY class=x><knarr-search/);
  assert.match(put("<!doctype html><title>x</title><body><p>x</p>", "./", "knarr"), /<\/title><script.*<body><knarr-search/);

  const site = join(scratch, "pages");
  cpSync(VARIANTS_SITE, site, { recursive: true });
  const latin = Buffer.concat([Buffer.from("<html><head><meta charset=iso-8859-1><title>Caf"), Buffer.from([0xe9]), Buffer.from("</title></head><body>x</body></html>")]);
  writeFileSync(join(site, "latin.html"), latin);
  writeFileSync(join(site, "bare.html"), "<!doctype html><title>x</title><p>x</p>");
  mkdirSync(join(site, "assets"));
  writeFileSync(join(site, "assets/own.css"), "");
  writeFileSync(join(site, "404.html"), '<html><head><link href="https://x.org/a.css"><link href="/docs/assets/own.css?1"></head><body>Lost</body></html>');
  assert.equal(knarr(["build", site, "--out", join(site, "knarr/search"), "--quiet"]).status, 0);
  const told = knarr(["init", "--pages", site]);
  assert.match(told.stdout, /^2 pages have the search field now; \d+ had it before; (\d+ pages have|1 page has) no <body> to put it into\n$/m);
  assert.ok(readFileSync(join(site, "latin.html")).includes(Buffer.from([0x66, 0xe9, 0x3c])), "bytes stay");
  // Which address this page answers for is not known, but where the site's root is.
  assert.match(readFileSync(join(site, "404.html"), "utf8"), /src="\/docs\/knarr\/knarr-search\.js".*src="\/docs\/knarr\/search\/" base="\/docs\/"/);
  assert.match(knarr(["init", "--pages", site]).stdout, /^\d\d? pages have the search field already; /m);
  const server = await serve({ "/docs/": site }, { policy: false, clean: true });
  const browser = await launch();
  try {
    const page = await openPage(browser, `${server.origin}/docs/latin.html`);
    await page.locator("button.trigger").first().click();
    await page.getByRole("combobox").fill("timeoutMs");
    await page.locator(".group .page").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/**/settings/**");
  } finally {
    await browser.close();
    await server.close();
  }
});

test("programs build with the same options, progress and errors", async () => {
  const { addSearch, build } = await import(pathToFileURL(join(PACKAGE, "bin/build.mjs")).href);
  const lines = [];
  const out = join(scratch, "api");
  const report = await build({ input: LARGE_SITE, out, exclude: ["-x/**", "log/**"], baseUrl: "/docs/", onProgress: (line) => lines.push(line) });
  assert.equal(report.out, out);
  assert.ok(report.files > 3 && report.files < 50, `${report.files}`);
  assert.ok(lines.some((line) => line.startsWith("reading ")), lines.join());
  const { Knarr } = await import(pathToFileURL(join(PACKAGE, "dist/direct.js")).href);
  const opened = await Knarr.open(pathToFileURL(out));
  assert.match((await opened.find("bowline")).resources[0].url, /^\/docs\//);
  opened.close();
  await assert.rejects(build({ input: join(scratch, "nowhere"), out }), { name: "KnarrError", code: "IO" });
  await assert.rejects(build({ input: SITE, out, alpha: 3 }), { code: "INVALID_ARGUMENT" });
  await assert.rejects(build({}), { code: "INVALID_ARGUMENT" });
  for (const name of ["help", "version"]) await assert.rejects(build({ input: SITE, out, [name]: true }), { code: "INVALID_ARGUMENT", message: new RegExp(`no option \`${name}\``) });
  await assert.rejects(build({ input: SITE, out, keepSources: true }), { code: "INVALID_ARGUMENT", message: /^build has no option `keepSources`; a similar one is `keepSource`$/ });
  await assert.rejects(addSearch(), { code: "INVALID_ARGUMENT", message: /site is not a path/ });
  await assert.rejects(build({ input: LARGE_SITE, out, signal: AbortSignal.abort() }), { code: "ABORTED" });
  await assert.rejects(build({ input: LARGE_SITE, out, signal: AbortSignal.timeout(0) }), { code: "DEADLINE_EXCEEDED" });
  const mine = new Error("of the caller's own");
  const onProgress = () => {
    throw mine;
  };
  await assert.rejects(build({ input: LARGE_SITE, out, onProgress }), (error) => error === mine);
});

test("--watch goes on where the first build fails", { timeout: 120_000 }, async () => {
  const site = join(scratch, "watched-empty");
  mkdirSync(site);
  const child = spawn(process.execPath, [ENTRY, "build", site, "--watch", "--quiet"]);
  try {
    let told = "";
    child.stderr.on("data", (data) => (told += data));
    const until = async (text) => {
      while (!told.includes(text)) {
        assert.equal(child.exitCode, null, told);
        await sleep(50);
      }
    };
    await until("watching ");
    assert.match(told, /^error\[FAILED_PRECONDITION\]: nothing to index/);
    writeFileSync(join(site, "page.md"), "# Page\n\nA bowline.");
    await until("built again in");
    assert.match(knarr(["find", join(site, "search"), "bowline", "--json"]).stdout, /page\.md/);
  } finally {
    child.kill();
  }
});

test("--watch builds again when a page changes, also after the folder was written anew", { timeout: 120_000 }, async () => {
  const site = join(scratch, "watched");
  const write = (text) => {
    rmSync(site, { recursive: true, force: true });
    mkdirSync(site);
    writeFileSync(join(site, "page.html"), `<html lang="en"><head><title>Page</title></head><body><main><h1>Page</h1><p>${text}</p></main></body></html>`);
  };
  write("A bowline.");
  const child = spawn(process.execPath, [ENTRY, "build", site, "--watch", "--out", join(scratch, "watched-search")]);
  try {
    let told = "";
    child.stderr.on("data", (data) => (told += data));
    const until = async (happened) => {
      while (!happened()) {
        assert.equal(child.exitCode, null, told);
        await sleep(50);
      }
    };
    await until(() => told.includes("watching "));
    const found = (query) => knarr(["find", join(scratch, "watched-search"), query, "--json"]).stdout;
    assert.match(found("bowline"), /page\.html/);
    for (const word of ["barometer", "fender"]) {
      told = "";
      write(`A ${word}.`);
      await until(() => told.includes("built again in"));
      assert.match(found(word), /page\.html/);
    }
    told = "";
    await sleep(3000); // The bundle is no page.
    assert.equal(told, "");
  } finally {
    child.kill();
  }
  assert.equal(knarr(["build", site, "--watch", "--bits", "5"]).status, 2, "no change of the pages mends it");
  assert.match(knarr(["build", "--name", "x", site, "--watch"]).stderr, /^error\[INVALID_ARGUMENT\]: with --watch, name the folder right after build/);
});

test("a program's build goes on with `watch`, from a first one that fails until it is told to stop", { timeout: 240_000 }, async () => {
  const { addSearch, build } = await import(pathToFileURL(join(PACKAGE, "bin/build.mjs")).href);
  const input = join(scratch, "program");
  const siteFile = join(scratch, "program.json");
  const stop = new AbortController();
  const ends = [];
  const waiting = [];
  const onBuild = (end) => (waiting.shift() ?? ends.push.bind(ends))(end);
  const next = async () => ends.shift() ?? new Promise((done) => waiting.push(done));
  mkdirSync(input);
  writeFileSync(siteFile, "{}");
  const first = build({ input, siteFile, out: join(scratch, "program-search"), watch: true, onBuild, signal: stop.signal });
  assert.equal((await next()).error.code, "FAILED_PRECONDITION", "there is no page yet");
  writeFileSync(join(input, "page.md"), "# Page\n\nA bowline.");
  const report = await first;
  assert.equal(report.files, 1);
  assert.deepEqual((await next()).report, report);
  writeFileSync(siteFile, '{ "hide": [] }');
  assert.equal((await next()).error.code, "INVALID_ARGUMENT");
  writeFileSync(siteFile, "{}");
  writeFileSync(join(input, "more.md"), "# More\n\nA fender.");
  assert.equal((await next()).report.files, 2);
  stop.abort();
  writeFileSync(join(input, "late.md"), "# Late\n\nA buoy.");
  await sleep(2000);
  assert.deepEqual(ends, [], "it has stopped");

  await assert.rejects(build({ input, watch: true, bits: 5 }), { code: "INVALID_ARGUMENT" });
  await assert.rejects(build({ input, watch: true, signal: AbortSignal.abort() }), { code: "ABORTED" });
  await assert.rejects(addSearch({ site: input, watch: true }), { code: "INVALID_ARGUMENT", message: /watch is an option of build/ });
});

test("what the package lacks is named, with what helps", async () => {
  assert.match(knarr(["serve", SITE]).stderr, /^error\[UNIMPLEMENTED\]: knarr serve is in the native command line/);
  // A checkout whose command line nobody compiled.
  const folder = join(scratch, "unbuilt");
  cpSync(join(PACKAGE, "bin"), join(folder, "bin"), { recursive: true, filter: (name) => !name.endsWith(".br") });
  for (const name of ["dist", "package.json"]) symlinkSync(join(PACKAGE, name), join(folder, name));
  const { build } = await import(pathToFileURL(join(folder, "bin/build.mjs")).href);
  await assert.rejects(build({ input: SITE }), { code: "NOT_FOUND", message: /knarr\.wasm\.br is missing: .*cargo xtask wasm/ });
});

test("the packed package works where it is installed", () => {
  const folder = join(scratch, "installed");
  mkdirSync(folder);
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: PACKAGE, encoding: "utf8" }));
  writeFileSync(join(folder, "package.json"), "{\"private\":true}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--offline", `./${filename}`], { cwd: folder });
  cpSync(SITE, join(folder, "site"), { recursive: true });
  const told = execFileSync("npx", ["knarr", "build", "site", "--json", "--quiet"], { cwd: folder, encoding: "utf8" });
  assert.equal(relative("site", JSON.parse(told).out), "search");
  assert.match(execFileSync("npx", ["knarr", "--version"], { cwd: folder, encoding: "utf8" }), /^knarr \d/);
});
