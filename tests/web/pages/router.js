/** Client routers as they are written: each takes clicks on links in its own way. `?router=` chooses one. */

const took = (href) => {
  globalThis.visited = href;
  globalThis.lockedThen = document.documentElement.style.overflow;
  history.pushState(null, "", href);
  document.getElementById("view").textContent = href;
};
const take = (event, link) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || !link?.href) return;
  event.preventDefault();
  took(link.href);
};

const ROUTERS = {
  // VitePress: a capturing listener of the window, and the target's own ancestors.
  vitepress: () => addEventListener("click", (event) => take(event, event.target.closest("a")), { capture: true }),
  // MkDocs Material: the body.
  material: () => document.body.addEventListener("click", (event) => take(event, event.target.closest("a"))),
  // Astro, Turbo, SvelteKit: the first of the composed path.
  astro: () => document.addEventListener("click", (event) => take(event, event.composedPath()[0].closest("a"))),
  // The page's own: what the README has.
  own: () => document.addEventListener("knarr-select", (event) => {
    event.preventDefault();
    took(event.detail.url);
  }),
  // Next.js: links of its own component only; its router is a global.
  next: () => (globalThis.next = { router: { push: took } }),
  none: () => {},
};

ROUTERS[new URLSearchParams(location.search).get("router") ?? "none"]();
