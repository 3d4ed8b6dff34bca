/** The extension of `examples/extension` in a Chromium of its own: packed, loaded, and its parts at hand. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** The extension's folder. */
export const EXTENSION = fileURLToPath(new URL("../../examples/extension", import.meta.url));

/** Packs the extension into a new folder, with `more` arguments of build.mjs. */
export function pack(...more) {
  const out = mkdtempSync(join(tmpdir(), "knarr-extension-"));
  const told = execFileSync(process.execPath, ["build.mjs", "--out", out, ...more], { cwd: EXTENSION, encoding: "utf8" });
  return { out, told, chromium: join(out, "chromium"), firefox: join(out, "firefox"), remove: () => rmSync(out, { recursive: true, force: true }) };
}

/** A browser with a packed extension, and nothing of any browser before it. */
export class Installed {
  /** The complaints of all pages of the extension. */
  complaints = [];

  /** Starts the browser. */
  static async start(folder) {
    const installed = new Installed();
    installed.profile = mkdtempSync(join(tmpdir(), "knarr-profile-"));
    installed.context = await chromium.launchPersistentContext(installed.profile, {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      headless: false, // Playwright's word for the old kind without extensions.
      ignoreDefaultArgs: ["--disable-extensions"],
      args: [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", `--disable-extensions-except=${folder}`, `--load-extension=${folder}`,
      ],
    });
    const { context } = installed;
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    installed.id = new URL(worker.url()).host;
    return installed;
  }

  async stop() {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
  }

  /** The address of one of the extension's files. */
  address(path) {
    return `chrome-extension://${this.id}/${path}`;
  }

  /** One of the extension's pages, as wide as a side panel or a window. */
  async open(path, { width = 380, height = 720 } = {}) {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    await page.setViewportSize({ width, height });
    await page.goto(this.address(path));
    return page;
  }

  /** A message to the service worker, which starts it where it does not run. */
  async wake(page) {
    await page.evaluate(() => chrome.runtime.sendMessage({}).catch(() => {}));
  }

  /** The service worker that runs now. */
  get worker() {
    return this.context.serviceWorkers().at(-1);
  }

  /** Ends the service worker as the browser does when it is idle. */
  async kill(page) {
    const session = await this.context.newCDPSession(page);
    await session.send("ServiceWorker.enable");
    const ended = new Promise((resolve) => session.on("ServiceWorker.workerVersionUpdated", ({ versions }) =>
      versions.some(({ runningStatus }) => runningStatus === "stopped") && resolve()));
    await session.send("ServiceWorker.stopAllWorkers");
    await ended;
    await session.detach();
  }

  /** Allows the extension an origin as its user does on the browser's page of extensions. */
  async allow(origin) {
    const page = await this.context.newPage();
    await page.goto("chrome://extensions");
    await page.evaluate(([id, origin]) => chrome.developerPrivate.addHostPermission(id, origin), [this.id, origin]);
    await page.close();
  }

  /** The rows below the address bar once `text` was typed after the keyword: `{ first, others }`. */
  type(text) {
    return this.worker.evaluate((text) => new Promise((resolve) => {
      const { setDefaultSuggestion } = chrome.omnibox;
      let first;
      chrome.omnibox.setDefaultSuggestion = (suggestion) => {
        first = suggestion.description;
        setDefaultSuggestion.call(chrome.omnibox, suggestion);
        setTimeout(() => resolve({ first, others: [] }), 200); // Where nothing else comes.
      };
      chrome.omnibox.onInputChanged.dispatch(text, (others) => resolve({ first, others }));
    }), text);
  }

  /** Enter in the address bar; the page that it opens. */
  async enter(text, disposition = "newForegroundTab") {
    const opening = this.context.waitForEvent("page");
    await this.worker.evaluate(([text, disposition]) => chrome.omnibox.onInputEntered.dispatch(text, disposition), [text, disposition]);
    const page = await opening;
    await page.waitForLoadState();
    return page;
  }
}
