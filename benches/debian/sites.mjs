/**
 * Sites from Debian's packages: fetched and unpacked once, their bundles built once per command line, and asked.
 *
 * A site is `{ package, root, include?, exclude? }`: the package, the folder of its pages below `usr/share`, and the globs of
 * the part that is searched. All lies below one folder, which programs may share.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, checksum } from "../relevance/knarr.mjs";
import { plain } from "../sites/figures.mjs";

/** Where packages and bundles are kept, unless told otherwise. */
export const WORK = join(tmpdir(), "knarr-debian");

/** The names of the sites to measure: those of a list with commas, or all. */
export function chosen(sites, list) {
  const names = list?.split(",") ?? Object.keys(sites);
  const unknown = names.filter((name) => !Object.hasOwn(sites, name));
  if (unknown.length > 0) throw new Error(`no such site: ${unknown.join(", ")}; there are ${Object.keys(sites).join(", ")}`);
  return names;
}

/** The unpacked folder of a site's pages. */
export function unpacked(work, site) {
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

/** Arguments of `knarr build` for the part of a site that is searched. */
export const globs = ({ include = [], exclude = [] }) =>
  [...include.flatMap((glob) => ["--include", glob]), ...exclude.flatMap((glob) => ["--exclude", glob])];

/** Builds the site's bundle with more options of `knarr build`, or finds the one that this command line built before in the same way. */
export function bundleOf(work, name, site, more = []) {
  const options = [...globs(site), ...more];
  // Programs that share the folder may search different parts of a package under one name.
  const way = createHash("sha256").update(JSON.stringify([site.package, site.root, options])).digest("hex").slice(0, 8);
  const bundle = join(work, "bundles", `${name}-${checksum()}-${way}`);
  if (!existsSync(bundle)) {
    const pages = unpacked(work, site);
    console.error(`building ${name}`);
    try {
      execFileSync(binary(), ["build", pages, "--out", bundle, "--quiet", ...options], { stdio: ["ignore", "ignore", "inherit"] });
    } catch (error) {
      rmSync(bundle, { recursive: true, force: true });
      throw error;
    }
  }
  return bundle;
}

/** The pages that a bundle finds for each question of a file of JSON lines, best first. */
export function ask(bundle, file, limit) {
  const options = ["find", bundle, "--queries", file, "--limit", String(limit), "--json", "--no-excerpts"];
  const lines = execFileSync(binary(), options, { encoding: "utf8", maxBuffer: 1 << 28 }).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).results.map(({ url }) => pageOf(url)));
}

/** The pages of a bundle as their files are named, without those that were left out. */
export function pagesOf(bundle) {
  const pages = JSON.parse(execFileSync(binary(), ["inspect", bundle, "--pages", "--json"], { encoding: "utf8", maxBuffer: 1 << 28 }));
  return new Set(Object.keys(pages).filter((page) => !pages[page].left_out));
}

/** Address without what hosts add and take off, and without a fragment. */
export const pageOf = (address) => plain(new URL(address, "https://site/").href);
