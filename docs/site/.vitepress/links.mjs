/** Links between files of the repository become links between pages of the site. */

import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

/** A name of a file as the text of a link. */
const isPath = (text) => /^[\w./-]+\.\w+$/.test(text);

/**
 * A link to a file that is a page leads to the page, and has its name where it had the file's. One to another file of the
 * repository is left as its text, since the site has no address for it; one to nothing stays, so that VitePress reports
 * it. `pages` are addresses, and `names` their names, by files.
 */
export function repositoryLinks(md, { root, pages, names, address }) {
  /** The file that a link names, from the root, with its fragment; nothing for other links. */
  const target = (href, env) => {
    const [path, fragment] = href.split("#");
    if (path === "" || /^([a-z]+:|\/)/i.test(path)) return undefined;
    const named = relative(root, resolve(dirname(env.realPath ?? env.path), decodeURIComponent(path)));
    return { file: pages.has(`${named}/index.md`) ? `${named}/index.md` : named, fragment };
  };
  const change = (open, inside, close, env) => {
    const { file, fragment } = target(open.attrGet("href"), env) ?? {};
    if (file === undefined) return;
    const alone = inside.length === 1 && isPath(inside[0].content) ? inside[0] : undefined;
    if (pages.has(file)) {
      open.attrSet("href", address(pages.get(file)) + (fragment ? `#${fragment}` : ""));
      if (alone && names.has(file)) alone.content = names.get(file);
    } else if (file === "README.md") {
      open.attrSet("href", fragment === "two-commands" ? "/start/#until-it-is-published" : "/");
    } else if (existsSync(resolve(root, file))) {
      open.type = close.type = "text";
      if (alone) alone.type = "code_inline";
    }
  };
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    for (const { children } of tokens) {
      let open;
      for (const [at, token] of (children ?? []).entries()) {
        if (token.type === "link_open") open = at;
        if (token.type === "link_close") change(children[open], children.slice(open + 1, at), token, env);
      }
    }
  });
}
