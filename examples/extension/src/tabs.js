/** Opens pages as a reader expects: beside what they were reading, and in one tab for one site. */

/** Shows a result. The tab in front is taken where it shows the same site already. */
export async function show(href) {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  // Without the permission "tabs" an address is told for pages that the extension may read: its own, and the site's.
  const isSame = tab?.url !== undefined && new URL(tab.url).origin === new URL(href).origin && !isOwnPage(tab.url);
  await (isSame ? chrome.tabs.update(tab.id, { url: href }) : chrome.tabs.create({ url: href }));
}

/** The panel and the options in a tab are not what a result replaces. */
function isOwnPage(url) {
  return ["panel.html", "options.html"].some((page) => url.startsWith(chrome.runtime.getURL(page)));
}
