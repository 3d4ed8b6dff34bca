/**
 * Browsers of other engines, as Debian has them: Firefox by WebDriver BiDi, and WebKit's MiniBrowser, which needs a display,
 * by WebDriver. Both have one window, and the few words that a journey needs.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import puppeteer from "puppeteer-core";
import { Builder, Capabilities, Key } from "selenium-webdriver";
import { lacks } from "./hosts.mjs";

/** Milliseconds for which a journey waits for what it wants to see. */
const PATIENCE_MS = 20_000;

/** The host of an extension's pages, which Firefox would draw at random. */
const EXTENSION = "2b0c9a56-6f0e-4c0e-9f6b-0d1a8c6d7e11";

/** Waits until `holds`, on this side of the driver. */
export async function soon(holds) {
  for (const late = Date.now() + PATIENCE_MS; !(await holds()); await sleep(50)) assert.ok(Date.now() < late, `not so in time: ${holds}`);
}

export class Firefox {
  static lacks = lacks("firefox-esr");

  /** Starts it, with a packed extension where a folder is given; its pages are those of a driver that may see them. */
  static async start(extension) {
    const browser = new Firefox();
    const id = extension && JSON.parse(readFileSync(join(extension, "manifest.json"), "utf8")).browser_specific_settings.gecko.id;
    browser.own = await puppeteer.launch({
      browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true,
      args: extension ? ["--remote-allow-system-access"] : [],
      extraPrefsFirefox: extension ? { "extensions.webextensions.uuids": JSON.stringify({ [id]: EXTENSION }) } : {},
    });
    if (extension) await browser.own.installExtension(extension);
    [browser.page] = await browser.own.pages();
    browser.complaints = [];
    browser.page.on("pageerror", (error) => browser.complaints.push(String(error)));
    return browser;
  }

  /** Opens a page of the extension, of whose loading the driver is told nothing. */
  async openExtension(path) {
    this.page.goto(`moz-extension://${EXTENSION}/${path}`).catch(() => {});
    await this.until((path) => location.pathname === path && document.readyState === "complete", `/${path}`);
  }

  /** Goes on in a new tab; the one before stays open. */
  async openInTab(address) {
    this.page = await this.own.newPage();
    await this.page.goto(address);
  }

  stop = () => this.own.close();
  open = (address) => this.page.goto(address);
  evaluate = (run, ...values) => this.page.evaluate(run, ...values);
  type = (text) => this.page.keyboard.type(text);
  press = (key) => this.page.keyboard.press(key);
  until = (holds, ...values) => this.page.waitForFunction(holds, { timeout: PATIENCE_MS }, ...values);
}

export class WebKit {
  static lacks = lacks("WebKitWebDriver") || lacks("Xvfb", "-help") || (minibrowser() ? false : "no MiniBrowser");

  static async start() {
    const browser = new WebKit();
    browser.complaints = [];
    try {
      await browser.#begin();
      return browser;
    } catch (error) {
      await browser.stop(); // What was started would keep this process from ending.
      throw error;
    }
  }

  processes = [];

  async #begin() {
    const screen = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], { stdio: ["ignore", "pipe", "ignore"] });
    this.processes.push(screen);
    const [data] = await once(screen.stdout, "data", { signal: AbortSignal.timeout(PATIENCE_MS) });
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const env = { ...process.env, DISPLAY: `:${String(data).trim()}` };
    this.processes.push(spawn("WebKitWebDriver", [`--port=${port}`], { stdio: "ignore", env }));
    const wanted = new Capabilities({
      browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary: minibrowser(), args: ["--automation"] },
    });
    const server = `http://127.0.0.1:${port}`;
    await soon(() => fetch(`${server}/status`).then(({ ok }) => ok, () => false));
    this.own = await new Builder().usingServer(server).withCapabilities(wanted).build();
  }

  async stop() {
    await this.own?.quit();
    for (const process of this.processes) process.kill();
  }

  async open(address) {
    await this.own.get(address);
    await this.own.executeScript(() => {
      globalThis.complaints = [];
      addEventListener("error", ({ message }) => globalThis.complaints.push(message));
      addEventListener("unhandledrejection", ({ reason }) => globalThis.complaints.push(String(reason)));
    });
  }

  async openInTab(address) {
    await this.own.switchTo().newWindow("tab");
    await this.own.get(address);
  }

  evaluate = (run, ...values) => this.own.executeScript(run, ...values);
  type = (text) => this.own.actions().sendKeys(text).perform();
  press = (key) => this.type({ ArrowDown: Key.ARROW_DOWN, Enter: Key.ENTER }[key] ?? key);
  until = (holds, ...values) => this.own.wait(() => this.own.executeScript(holds, ...values), PATIENCE_MS);
}

/** Where Debian has it: in a folder named after the processor. */
function minibrowser() {
  const folders = existsSync("/usr/lib") ? readdirSync("/usr/lib") : [];
  return folders.map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`).find((path) => existsSync(path));
}
