/** The bundle that is searched, as the options page left it, and what may be opened for it. */

/** The bundle that comes with the extension, over the pages that come with it. */
export const SHIPPED = {
  address: chrome.runtime.getURL("search/"),
  base: chrome.runtime.getURL("pages/"),
  name: chrome.runtime.getManifest().name,
};

/** The bundle to search: `address`, `base` that results are relative to, and `name`. */
export async function chosen() {
  const { bundle } = await chrome.storage.local.get("bundle");
  return bundle ?? SHIPPED;
}

/** Chooses a bundle; without one, the shipped one. */
export async function choose(bundle) {
  await (bundle ? chrome.storage.local.set({ bundle }) : chrome.storage.local.remove("bundle"));
}

/** The permission that a bundle at an address needs, or undefined for the shipped one. */
export function permissionFor(address) {
  const { protocol, hostname } = new URL(address);
  // Without the port, which Firefox does not take.
  return /^https?:$/.test(protocol) ? { origins: [`${protocol}//${hostname}/*`] } : undefined;
}

/** False when the permission for a bundle was taken back, which the browser's own settings can do. */
export async function isAllowed({ address }) {
  const permission = permissionFor(address);
  return permission === undefined || chrome.permissions.contains(permission);
}

/** The absolute address of a result, or undefined for one that no bundle has a right to: a page of the extension is for the shipped one only. */
export function linkOf(url, { base }) {
  try {
    const { protocol, href } = new URL(url.replace(/^[/\\]{2,}/, "/"), base);
    return /^https?:$/.test(protocol) || protocol === new URL(base).protocol ? href : undefined;
  } catch {
    return undefined;
  }
}
