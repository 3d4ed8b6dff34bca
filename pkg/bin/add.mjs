/** `knarr add SITE`: the index of a built site and the search field in its pages, in one command. */

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { takeAttributes } from "./attributes.mjs";
import { copyElement } from "./init.mjs";
import { putIntoPages, told } from "./pages.mjs";
import { run } from "./run.mjs";

export const ADD_HELP = `Build the index of a built site, and put the search field into its pages

Usage: knarr add <SITE> [OPTIONS]

Arguments:
  <SITE>  The folder that is published; the index and the element's files go into its folder "knarr"

Options:
      --answers  Show sentences of a page over the results, where they answer a question clearly; a page then loads the
                 full engine
      --attribute <NAME=TEXT>
                 Write an attribute on the field, such as facets=kind, or related for a switch; repeatable
                 (docs/ELEMENT.md lists them)
  -h, --help     Print help
  Every other option is one of knarr build (see knarr build --help)

The field stands where the theme has room for it. A page that has a <knarr-search> is left as it is.`;

/** Runs the command and returns its exit code. */
export async function add([site, ...given]) {
  const refuse = (code, message, exit) => (console.error(`error[${code}]: ${message}`), exit);
  let taken;
  try {
    taken = takeAttributes(given);
  } catch ({ code, message }) {
    return refuse(code, message, 2);
  }
  const { attributes, left: options } = taken;
  if (site === undefined || site.startsWith("-")) return refuse("INVALID_ARGUMENT", "name the folder of the built site first (see knarr add --help)", 2);
  if (options.includes("--watch")) return refuse("INVALID_ARGUMENT", "--watch is an option of build: the field is put into pages once, after they are written", 2);
  if (!existsSync(site) || !statSync(site).isDirectory()) return refuse("NOT_FOUND", `${site} is not a folder: build the site first`, 1);
  const folder = join(site, "knarr");
  // Before the pages are changed: what is put into them is not to be found.
  const code = await run(["build", site, "--out", join(folder, "search"), ...options]);
  if (code !== 0) return code;
  copyElement(folder, { answers: "answer" in attributes });
  const pages = putIntoPages(site, "knarr", { attributes });
  if (options.some((option) => ["-q", "--quiet", "--json"].includes(option))) return 0;
  console.log(told(pages));
  console.log(`To see it: npx http-server ${site} (browsers load no search into pages that are opened from disk)`);
  return 0;
}
