/** The sites that MkDocs and Sphinx built with the wheel's plugins: type, choose, arrive. Run by `cargo xtask test python`. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { serve } from "./server.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const [generator, target] of [["mkdocs", "/docs/guide/mooring/"], ["sphinx", "/docs/guide/mooring.html"]]) {
  test(`${generator}: a result opens its page, from any page, below a folder`, async () => {
    const server = await serve({ "/docs/": `${process.env.OUT}/${generator}` }, { policy: false });
    try {
      for (const start of ["/docs/index.html", target.endsWith("/") ? "/docs/guide/weather/index.html" : "/docs/guide/weather.html"]) {
        const page = await openPage(browser, server.origin + start);
        const trigger = page.locator("knarr-search button.trigger").first();
        await trigger.waitFor({ state: "visible" });
        await trigger.click();
        await page.getByRole("combobox").fill("bowline");
        await page.locator(".group .page").first().waitFor();
        await page.keyboard.press("Enter");
        await page.waitForURL(`**${target}*`);
        await page.context().close();
      }
    } finally {
      await server.close();
    }
  });
}
