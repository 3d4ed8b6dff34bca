/**
 * The service worker: searches from the address bar, and for the extension's other scripts.
 *
 * The browser ends it when it has been idle for half a minute. Nothing here has to survive that: every event starts from
 * the stored choice, and opens the bundle again where it is not open.
 */

import { Knarr } from "./knarr/direct.js";
import { chosen, isAllowed, linkOf } from "./settings.js";

const SUGGESTIONS = 6;

/** The bundle that is open, `{ address, knarr }`; `knarr` is a promise. */
let opened;

async function bundle() {
  const choice = await chosen();
  if (!(await isAllowed(choice))) throw new Error(`This extension may not read ${new URL(choice.address).host} any more: open its options.`);
  if (opened?.address !== choice.address) {
    opened?.knarr.then((old) => old.close(), () => {});
    const opening = { address: choice.address, knarr: Knarr.open(choice.address) };
    opened = opening;
    opening.knarr.catch(() => opened === opening && (opened = undefined)); // The next event tries again.
  }
  return { knarr: await opened.knarr, choice };
}

/** Rows for a question: pages with the best section of each. */
async function rows(query, options) {
  const { knarr, choice } = await bundle();
  const { resources } = await knarr.find(query, { limit: SUGGESTIONS, ...options });
  return resources.flatMap(({ title, url, sections: [section] }) => {
    const best = section?.anchor ? section : undefined;
    const href = linkOf(best?.url ?? url, choice);
    return href ? [{ href, title: best && best.title !== title ? `${title} › ${best.title}` : title }] : [];
  });
}

// Chromium reads descriptions as XML, Firefox as they are.
const isXml = location.protocol === "chrome-extension:";
const text = (plain) => (isXml ? plain.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`) : plain);
const faint = (plain) => (isXml ? `<dim>${text(plain)}</dim>` : plain);

/** The search of what stands in the address bar: a later one ends it. */
let typing;

chrome.omnibox.onInputChanged.addListener(async (typed, suggest) => {
  typing?.abort();
  const query = typed.trim();
  if (query === "") return;
  const { signal } = (typing = new AbortController());
  try {
    const [first, ...others] = await rows(query, { signal });
    const description = first ? text(first.title) : faint(`Nothing found for ${query}`);
    chrome.omnibox.setDefaultSuggestion({ description });
    suggest(others.map(({ href, title }) => ({ content: href, description: text(title) })));
  } catch (error) {
    if (!signal.aborted) chrome.omnibox.setDefaultSuggestion({ description: faint(error.message) });
  }
});

// A suggestion is its address. Text as it was typed opens what the first row names, and without one the panel's page,
// which says why.
chrome.omnibox.onInputEntered.addListener(async (entered, disposition) => {
  const query = entered.trim();
  const first = async () => (await rows(query, { limit: 1 }).catch(() => []))[0]?.href;
  const isSuggestion = /^(https?|chrome-extension|moz-extension):\/\/\S+$/.test(query);
  const url = (isSuggestion ? query : await first()) ?? `${chrome.runtime.getURL("panel.html")}?${new URLSearchParams({ q: query })}`;
  if (disposition === "currentTab") await chrome.tabs.update({ url });
  else await chrome.tabs.create({ url, active: disposition !== "newBackgroundTab" });
});

// For the extension's pages and content scripts: { find: "refund", options: { limit: 3 } }.
chrome.runtime.onMessage.addListener(({ find, options }, sender, respond) => {
  if (typeof find !== "string") return false;
  const answer = bundle().then(({ knarr }) => knarr.find(find, options));
  answer.then((found) => respond({ found }), ({ code, message }) => respond({ error: { code, message } }));
  return true; // The answer comes later.
});

// Chromium has the side panel, Firefox the sidebar.
const { sidePanel, sidebarAction } = chrome;
if (sidePanel) sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
else chrome.action.onClicked.addListener(() => sidebarAction.toggle());
