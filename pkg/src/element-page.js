/** The page around `<knarr-search>`: addresses in it, and its scrolling. */

/** An address made absolute, or nothing where it is none. */
export function absolute(address, base) {
  try {
    return new URL(address, base).href;
  } catch {
    return undefined;
  }
}

/** The folder that a bundle lies in, which is the site; the page's own root where the bundle is another host's. */
export function siteOf(bundle, page) {
  const folder = bundle.replace(/[?#].*$/, "").replace(/\/[^/]*\.knarr$/, "/").replace(/\/*$/, "/");
  const site = absolute("..", folder);
  return site && new URL(site).origin === new URL(page).origin ? site : "/";
}

let scrollBefore;

/** Keeps the page behind the dialog from scrolling, without a jump where scroll bars take space. */
export function lockScroll(on) {
  const { style, clientWidth } = document.documentElement;
  if (on && scrollBefore === undefined) {
    scrollBefore = [style.overflow, style.paddingInlineEnd];
    const bar = window.innerWidth - clientWidth;
    style.overflow = "hidden";
    if (bar > 0) style.paddingInlineEnd = `${bar}px`;
  } else if (!on && scrollBefore !== undefined) {
    [style.overflow, style.paddingInlineEnd] = scrollBefore;
    scrollBefore = undefined;
  }
}
