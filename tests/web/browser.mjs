/** Headless Chromium for tests. */

import { chromium } from "playwright-core";

/** Starts the browser named by `CHROMIUM`. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * A page that fails the test on any error of its own: uncaught errors and refused resources are collected in
 * `page.complaints`. Answers with a status are left to the test.
 */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) page.complaints.push(text);
  });
  await page.goto(address);
  return page;
}
