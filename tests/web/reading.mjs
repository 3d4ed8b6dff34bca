/** What a reader does on a site with the element, whatever its generator. */

import assert from "node:assert/strict";

/** Types a question, which has this page as its first answer. */
export async function ask(page, query, title) {
  await page.locator("knarr-search button.trigger").locator("visible=true").waitFor({ timeout: 60_000 }); // The script is there.
  await page.keyboard.press("Control+k");
  await page.locator("knarr-search").getByRole("combobox").fill(query);
  await page.locator("knarr-search .group:first-child .page .title").getByText(title).waitFor({ timeout: 60_000 });
}

/** Light or dark, by the background of the dialog. */
async function scheme(page) {
  await page.keyboard.press("Control+k");
  const color = await page.locator("knarr-search .panel").evaluate((panel) => getComputedStyle(panel).backgroundColor);
  await page.keyboard.press("Control+k");
  const [red, green, blue] = color.match(/[\d.]+/g).map(Number);
  return red + green + blue > 384 ? "light" : "dark";
}

/** Turns the theme, by buttons or by a list of themes: the dialog goes with it. */
export async function turn(page, toggle) {
  const before = await scheme(page);
  if (Array.isArray(toggle)) {
    for (const button of toggle) await page.locator(button).locator("visible=true").first().click();
  } else {
    await page.locator(toggle.select).locator("visible=true").first().selectOption(toggle.values.find((value) => value !== before));
  }
  await page.waitForTimeout(600); // Pages fade.
  assert.notEqual(await scheme(page), before, "the dialog has the page's theme");
}
