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

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table } from "./debian/report.mjs";
import { ask, bundleOf, chosen, pageOf, WORK } from "./debian/sites.mjs";
import { readLines } from "./relevance/lines.mjs";
import { measure } from "./relevance/metrics.mjs";

/** Places that are looked at. */
const DEPTH = 8;
const KINDS = ["name", "question", "half", "typo"];

/** Sites by name, as debian/sites.mjs has them: of large packages the part that is searched. */
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

const { values } = parseArgs({ options: { sites: { type: "string" }, work: { type: "string", default: WORK }, help: { type: "boolean", short: "h" } } });
if (values.help) {
  console.log("node debian.mjs [--sites A,B] [--work FOLDER]: MRR@8 on nineteen sites from Debian's packages");
  process.exit();
}

/** Reciprocal ranks of a site's questions, each with its kind. */
function ranks(name) {
  const file = fileURLToPath(new URL(`queries/debian/${name}.jsonl`, import.meta.url));
  const found = ask(bundleOf(values.work, name, SITES[name]), file, DEPTH);
  return readLines(file).map(({ relevant, kind }, at) => ({ kind, mrr: measure(found[at], new Set(relevant.map(pageOf)), found[at].length, DEPTH).mrr }));
}

console.log(table(`MRR@${DEPTH}`, "mrr", KINDS, chosen(SITES, values.sites).map((name) => [name, ranks(name)])));
