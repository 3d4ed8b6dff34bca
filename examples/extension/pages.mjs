/** Knarr's documentation as pages: the Markdown of the repository, with its links and anchors. */

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { Marked } from "marked";

/** Files of the repository and the pages that they become. */
function sources(root) {
  const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  return new Map([
    ["README.md", "index.html"], ["ARCHITECTURE.md", "architecture.html"], ["CHANGELOG.md", "changelog.html"],
    ["pkg/README.md", "npm.html"], ["crates/knarr-cli/python/README.md", "python.html"],
    ...docs.map((name) => [`docs/${name}`, `${basename(name, ".md").toLowerCase()}.html`]),
  ]);
}

const escaped = (text) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The name of a heading in links, as GitHub makes it; the second of a name has a number. */
function slugs() {
  const seen = new Map();
  return (text) => {
    const slug = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** One file as a page. `linked` gives a link's place among the pages, or undefined. */
function page(markdown, linked) {
  const slug = slugs();
  const renderer = {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      return `<h${depth} id="${slug(this.parser.parseInline(tokens, this.parser.textRenderer))}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const to = linked(href);
      const inner = this.parser.parseInline(tokens);
      return to === undefined ? inner : `<a href="${escaped(to)}">${inner}</a>`;
    },
    image: ({ href, text }) => `<img src="${escaped(linked(href) ?? "")}" alt="${escaped(text)}">`,
    html: ({ text }) => escaped(text),
    tablecell({ tokens, header }) {
      const tag = header && tokens.length > 0 ? "th" : "td";
      return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
    },
  };
  // What scrolls sideways is reached by the keyboard.
  const body = new Marked({ renderer }).parse(markdown).replace(/<(pre|table)>/g, '<$1 tabindex="0">');
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? "Knarr";
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="pages.css"></head>
<body>
<nav><a href="index.html">Knarr</a></nav>
<main>
${body}</main>
</body>
</html>
`;
}

/** Writes the pages of the repository at `root` into `out`, and returns their number. */
export function writePages(root, out) {
  const all = sources(root);
  mkdirSync(out, { recursive: true });
  for (const [file, name] of all) {
    const linked = (href) => {
      if (/^(https?:|#)/.test(href)) return href;
      const [path, anchor] = href.split("#");
      const target = relative(root, join(root, dirname(file), path));
      if (target.startsWith("docs/images/")) {
        copyFileSync(join(root, target), join(out, basename(target)));
        return basename(target);
      }
      // What is no page, such as a source file, stays a word.
      return all.has(target) ? `${all.get(target)}${anchor ? `#${anchor}` : ""}` : undefined;
    };
    writeFileSync(join(out, name), page(readFileSync(join(root, file), "utf8"), linked));
  }
  return all.size;
}
