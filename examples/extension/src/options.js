/** The options: which bundle is searched. A bundle at an address is used only after it was opened. */

import { Knarr } from "./knarr/core.js";
import { chosen, choose, permissionFor, SHIPPED } from "./settings.js";

/** Milliseconds that a server has to answer with the head of its bundle. */
const PATIENCE_MS = 20_000;

/** Places of an index below its site: where `knarr add` and the plugins put it, and where `knarr build` does. */
const PLACES = ["", "knarr/search/", "search/"];

const byId = (id) => document.getElementById(id);
const [form, address, told, use] = ["form", "address", "told", "use"].map(byId);
const isShipped = () => form.elements.from.value === "shipped";

let current = await chosen();
byId("shipped").textContent = SHIPPED.name;
byId("keyword").textContent = chrome.runtime.getManifest().omnibox.keyword;
form.elements.from.value = current.address === SHIPPED.address ? "shipped" : "address";
address.value = current.given ?? "";
arrange();

form.addEventListener("change", arrange);
address.addEventListener("input", () => address.removeAttribute("aria-invalid"));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const using = isShipped() ? useShipped() : useAddress();
  use.disabled = true;
  using.then(tell, (error) => tell(error.message, true)).finally(() => (use.disabled = false));
});

// Disabled until here: the index that is searched would be chosen over the reader's own choice.
byId("which").disabled = use.disabled = false;

function arrange() {
  byId("where").hidden = isShipped();
}

function tell(text, failed = false) {
  told.textContent = text;
  told.classList.toggle("failed", failed);
  told.hidden = false;
  if (!failed || isShipped()) return;
  address.setAttribute("aria-invalid", "true");
  address.focus();
}

/** Makes a bundle the one that is searched, and gives the permission back that the one before needed. */
async function change(bundle) {
  await choose(bundle);
  const before = permissionFor(current.address);
  current = bundle ?? SHIPPED;
  if (before && before.origins[0] !== permissionFor(current.address)?.origins[0]) await chrome.permissions.remove(before);
}

async function useShipped() {
  await change(undefined);
  return `${SHIPPED.name} is searched now.`;
}

/** Nothing is awaited before the browser is asked: it shows its prompt only as the answer to a click. */
async function useAddress() {
  const given = addressIn(address.value);
  const permission = permissionFor(given.href);
  const asking = chrome.permissions.request(permission);
  tell(`The browser asks whether this extension may read ${given.host} …`);
  const isGranted = await asking;
  if (!isGranted) throw new Error(`Without the permission to read ${given.host} its index cannot be opened. Nothing has changed.`);
  tell(`Opening the index of ${given.host} …`);
  try {
    const { files, ...bundle } = await open(given);
    await change(bundle);
    return `${bundle.name} is searched now: ${files} pages, by the index at ${bundle.address}.`;
  } catch (error) {
    if (permissionFor(current.address)?.origins[0] !== permission.origins[0]) await chrome.permissions.remove(permission);
    throw error;
  }
}

/** The address that was typed; `docs.example.org` is one too. */
function addressIn(typed) {
  const text = typed.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  // Browsers make an address of "not a site", too, with its spaces in the name of the host.
  if (text === "" || /\s/.test(text) || !url || url.host.includes("%") || !/^https?:$/.test(url.protocol) || url.username) {
    throw new Error("This is not the address of a site. It looks like https://docs.example.org/");
  }
  url.search = url.hash = "";
  return url;
}

/** Opens the first index that is there: at the address, or where sites have it. */
async function open(given) {
  const root = given.href.endsWith(".knarr") || given.href.endsWith("/") ? given.href : `${given.href}/`;
  const places = root.endsWith(".knarr") ? [""] : PLACES;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (const place of places) {
    const at = new URL(place, root).href;
    try {
      const knarr = await Knarr.open(at, { signal });
      const { name, files } = await knarr.inspect();
      knarr.close();
      return { address: at, base: place ? root : siteOf(at), name: name === "root" || name === "" ? given.host : name, given: given.href, files };
    } catch (error) {
      // A host may answer an address that it does not know with a page.
      const isElsewhere = error.code === "BUNDLE_MISSING" || error.code === "BUNDLE_FORMAT";
      if (!isElsewhere) throw new Error(reason(error, given), { cause: error });
    }
  }
  throw new Error(`There is no Knarr index at ${root}${places.length > 1 ? ", nor in knarr/search/ or search/ below it" : ""}. Give the address of the folder that has the file index.knarr.`);
}

/** The site that an index belongs to: the folder around it, or around `knarr/search/`. */
function siteOf(at) {
  return new URL(/\/knarr\/search\/(\w+\.knarr)?$/.test(at) ? "../.." : "..", at.replace(/[^/]*\.knarr$/, "")).href;
}

function reason({ code, message }, { host }) {
  if (code === "UNAVAILABLE" && navigator.onLine === false) return "There is no connection to the internet.";
  if (code === "UNAVAILABLE") return `${host} could not be reached, or refused to answer. Is the address right? (${message})`;
  if (code === "DEADLINE_EXCEEDED") return `${host} did not answer within ${PATIENCE_MS / 1000} seconds.`;
  if (code === "BUNDLE_VERSION") return `The index of ${host} is of another version than this extension: ${message}`;
  return `The index of ${host} cannot be opened: ${message} (${code})`;
}
