/**
 * Light or dark, as the page is. Few themes say so by `color-scheme`: most put a mark of their own on `html` or `body`,
 * and some only paint.
 */

/** Marks whose value names the theme: Furo, rustdoc and Docusaurus; MkDocs Material; Bootstrap. */
const MARKS = ["data-theme", "data-md-color-scheme", "data-bs-theme"];

/** A background that covers less shows what is below it. */
const OPAQUE = 0.5;

/**
 * "dark", "light" or both, by the reader's system, where the element has to be told, and "" where it has inherited the right one.
 *
 * @param {Element} element whose `color-scheme` is what the page, or its attribute `theme`, gives it
 * @param {HTMLElement} probe inside it, to compute colors with
 */
export function schemeOf(element, probe) {
  const theme = element.getAttribute("theme");
  if (theme !== null) return theme === "auto" ? "light dark" : theme;
  const given = getComputedStyle(element).colorScheme ?? "";
  // With both, the reader's system decides; the page may have its own switch beside that.
  if (/dark/.test(given) !== /light/.test(given)) return "";
  const roots = [document.body, document.documentElement].filter(Boolean);
  return marked(roots) || painted(probe);
}

/** Calls `changed` whenever the page may have become dark or light, until `signal` says stop. */
export function watch(changed, signal) {
  const observer = new MutationObserver(changed);
  const roots = [document.documentElement, document.body].filter(Boolean);
  for (const root of [...roots, content()]) observer.observe(root, { attributeFilter: [...MARKS, "class", "style"] });
  signal.addEventListener("abort", () => observer.disconnect());
  globalThis.matchMedia?.("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal });
  // A page that fades is measured when it has arrived.
  document.addEventListener("transitionend", ({ target }) => target.contains(content()) && changed(), { signal });
}

function marked(roots) {
  for (const root of roots) {
    if (root.classList.contains("dark")) return "dark";
    const marks = MARKS.map((name) => root.getAttribute(name) ?? "");
    if (marks.some((mark) => /dark|slate/i.test(mark))) return "dark";
    if (marks.some((mark) => /light/i.test(mark))) return "light";
  }
  return "";
}

/** What the page's text is in. */
function content() {
  return document.querySelector("main, [role=main]") ?? document.querySelector("article") ?? document.body;
}

/** By the lightness of what the page's text stands on, which need not be its body; "" where nothing is painted. */
function painted(probe) {
  for (let root = content(); root; root = root.parentElement) {
    const color = getComputedStyle(root).backgroundColor;
    // Any color space comes out of the mixer as parts of red, green and blue.
    probe.style.color = `color-mix(in srgb, ${color}, ${color})`;
    const parts = getComputedStyle(probe).color.match(/^color\(srgb (.*)\)$/)?.[1].split(/[\s/]+/).map(Number) ?? [];
    const [red, green, blue, alpha = 1] = parts;
    const lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue; // Nothing where the mixer is unknown.
    if (alpha >= OPAQUE && !Number.isNaN(lightness)) return lightness < 0.5 ? "dark" : "light";
  }
  return "";
}
