#!/usr/bin/env node
/**
 * Documentation sites that nobody wrote for a test: nineteen of Debian 12's packages, as many generators, twelve questions each.
 *
 *   node debian.mjs [options]: a Markdown table on standard output, progress on standard error
 *
 *   --sites A,B    only these sites (default: all)
 *   --work FOLDER  where packages, sites and bundles are kept (default: below the system's temporary folder)
 *
 * The questions (queries/debian/) were written before any search, from knowledge of the documentation; the first of the
 * eight results that is a wanted page counts, by its reciprocal rank. Needs `apt-get` and `dpkg-deb`.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { binary, checksum } from "./relevance/knarr.mjs";
import { readLines } from "./relevance/lines.mjs";
import { mean } from "./relevance/metrics.mjs";
import { plain } from "./sites/figures.mjs";

/** Places that are looked at. */
const DEPTH = 8;
const KINDS = ["name", "question", "half", "typo"];

/** Sites by name: the package, the folder of its pages below `usr/share`, and of large ones the part that is searched. */
const SITES = {
  apache: { package: "apache2-doc", root: "doc/apache2-doc/manual" },
  eigen: { package: "libeigen3-doc", root: "doc/libeigen3-dev/html" },
  ghc: {
    package: "ghc-doc",
    root: "doc/ghc-doc/html",
    include: ["index.html", "users_guide/**", ...["base", "containers", "text", "bytestring", "mtl"].map((name) => `libraries/${name}-*/**`)],
  },
  git: { package: "git-doc", root: "doc/git-doc" },
  gtk4: { package: "libgtk-4-doc", root: "doc/libgtk-4-doc/gtk4" },
  java: {
    package: "openjdk-17-doc",
    root: "doc/openjdk-17-jre-headless/api",
    include: ["*.html", ...["base", "sql", "net.http", "logging"].map((name) => `java.${name}/**`)],
  },
  nodejs: { package: "nodejs-doc", root: "doc/nodejs/api" },
  postgresql: { package: "postgresql-doc-15", root: "doc/postgresql-doc-15/html" },
  python: { package: "python3.11-doc", root: "doc/python3.11/html" },
  sqlite: { package: "sqlite3-doc", root: "doc/sqlite3" },
  boost: { package: "libboost1.74-doc", root: "doc/libboost1.74-doc/doc/html" },
  erlang: { package: "erlang-doc", root: "doc/erlang-doc" },
  gimp: { package: "gimp-help-en", root: "gimp/2.0/help/en" },
  libreoffice: { package: "libreoffice-help-en-us", root: "libreoffice/help", include: ["en-US/**"] },
  octave: { package: "octave-doc", root: "doc/octave/octave.html" },
  pandas: { package: "python-pandas-doc", root: "doc/python-pandas-doc/html" },
  qt: { package: "qtbase5-doc-html", root: "qt5/doc" },
  racket: { package: "racket-doc", root: "doc/racket" },
  scala: { package: "scala-doc", root: "doc/scala-2.11/api/library" },
};

const { values } = parseArgs({ options: { sites: { type: "string" }, work: { type: "string" }, help: { type: "boolean", short: "h" } } });
if (values.help) {
  console.log("node debian.mjs [--sites A,B] [--work FOLDER]: MRR@8 on nineteen sites from Debian's packages");
  process.exit();
}
const work = values.work ?? join(tmpdir(), "knarr-debian");
const names = values.sites?.split(",") ?? Object.keys(SITES);
const unknown = names.filter((name) => !(name in SITES));
if (unknown.length > 0) throw new Error(`no such site: ${unknown.join(", ")}; there are ${Object.keys(SITES).join(", ")}`);

/** The unpacked folder of a site's pages. */
function unpacked(site) {
  const folder = join(work, "packages", site.package);
  if (!existsSync(join(folder, "usr"))) {
    console.error(`fetching ${site.package}`);
    mkdirSync(folder, { recursive: true });
    execFileSync("apt-get", ["download", "-qq", site.package], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const [archive] = readdirSync(folder).filter((file) => file.endsWith(".deb"));
    execFileSync("dpkg-deb", ["-x", join(folder, archive), folder]);
  }
  return join(folder, "usr/share", site.root);
}

/** Builds the site's bundle, or finds the one that this command line built before. */
function bundleOf(name, site) {
  const bundle = join(work, "bundles", `${name}-${checksum()}`);
  if (!existsSync(bundle)) {
    const pages = unpacked(site);
    console.error(`building ${name}`);
    const include = (site.include ?? []).flatMap((glob) => ["--include", glob]);
    try {
      execFileSync(binary(), ["build", pages, "--out", bundle, "--quiet", ...include], { stdio: ["ignore", "ignore", "inherit"] });
    } catch (error) {
      rmSync(bundle, { recursive: true, force: true });
      throw error;
    }
  }
  return bundle;
}

/** Address without what hosts add and take off, and without a fragment. */
const pageOf = (address) => plain(new URL(address, "https://site/").href);

/** Reciprocal ranks of a site's questions, each with its kind. */
function ranks(name) {
  const file = fileURLToPath(new URL(`queries/debian/${name}.jsonl`, import.meta.url));
  const questions = readLines(file);
  const options = ["find", bundleOf(name, SITES[name]), "--queries", file, "--limit", String(DEPTH), "--json", "--no-excerpts"];
  const lines = execFileSync(binary(), options, { encoding: "utf8", maxBuffer: 1 << 28 }).trimEnd().split("\n");
  return questions.map(({ relevant, kind }, at) => {
    const wanted = new Set(relevant.map(pageOf));
    const rank = JSON.parse(lines[at]).results.findIndex(({ url }) => wanted.has(pageOf(url)));
    return { kind, value: rank < 0 ? 0 : 1 / (rank + 1) };
  });
}

const figure = (rows) => mean(rows.map(({ value }) => value)).toFixed(3).replace(/^0/, "");
const row = (label, rows) => `| ${label} | ${[...KINDS.map((kind) => figure(rows.filter((r) => r.kind === kind))), figure(rows)].join(" | ")} |`;
const measured = names.map((name) => [name, ranks(name)]);
console.log(`| MRR@${DEPTH} | ${KINDS.join(" | ")} | all |\n|---|${"--:|".repeat(KINDS.length + 1)}`);
for (const [name, rows] of measured) console.log(row(name, rows));
console.log(row("all", measured.flatMap(([, rows]) => rows)));
