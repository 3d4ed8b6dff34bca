/** `knarr mdbook`: a renderer of mdBook's, which tells it of the book on standard input. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { addSearch } from "./build.mjs";
import { indexed } from "./pages.mjs";

export const MDBOOK_HELP = `Put the search into a book that mdBook has rendered; mdBook runs this command itself

In book.toml:

  [output.html]

  [output.knarr]
  command = "npx knarr mdbook"

With two renderers mdBook writes the pages to book/html, and this puts the search into them.
Further keys of [output.knarr] are options of knarr build: exclude = ["drafts/**"]`;

/** Runs the command and returns its exit code. */
export async function mdbook() {
  const refuse = (code, message) => (console.error(`error[${code}]: ${message}`), 1);
  if (process.stdin.isTTY) return (console.log(MDBOOK_HELP), 2);
  let book;
  try {
    book = JSON.parse(await text(process.stdin));
  } catch {
    return refuse("INVALID_ARGUMENT", "standard input is not what mdBook writes to its renderers (see knarr mdbook --help)");
  }
  if (typeof book?.destination !== "string") return refuse("INVALID_ARGUMENT", "mdBook named no folder for its output");
  // Every renderer of a book has a folder of its own name beside the others'.
  const site = join(book.destination, "..", "html");
  if (!existsSync(site)) return refuse("NOT_FOUND", `${site} is not there: the search needs [output.html] in book.toml, beside [output.knarr]`);
  const { command, optional, ...options } = book.config?.output?.knarr ?? {};
  try {
    const { files, pages } = await addSearch({ ...options, site });
    console.log(`[knarr] ${indexed(files)}, the search field put into ${pages}`);
    return 0;
  } catch (error) {
    return refuse(error.code ?? "INTERNAL", error.message);
  }
}
