/** The element in a page of its own, as its tests drive it. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE, LARGE_SITE } from "./bundles.mjs";
import { serve } from "./server.mjs";

/** A server with the bundle, and a browser. */
export class Bench {
  static async start(mounts = {}) {
    const bench = new Bench();
    const pages = fileURLToPath(new URL("pages", import.meta.url));
    bench.server = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE, "/site/": LARGE_SITE, ...mounts });
    bench.browser = await launch();
    return bench;
  }

  async stop() {
    await this.browser?.close();
    await this.server?.close();
  }

  /** Opens a page, and waits for the element's button where it has one. */
  async show(options, path = "/element.html") {
    this.page = await openPage(this.browser, `${this.server.origin}${path}`, options);
    if (path !== "/blank.html") await this.page.locator("button.trigger").first().waitFor();
    return this.page;
  }

  /** Ends a test: the page had no complaint. */
  async end() {
    assert.deepEqual(this.page.complaints, []);
    await this.page.context().close();
    this.server.reset();
  }

  get input() {
    return this.page.getByRole("combobox").and(this.page.locator("input")); // A filter is one, too.
  }

  get rows() {
    return this.page.getByRole("option");
  }

  get live() {
    return this.page.locator("knarr-search [role=status]").first();
  }

  /** Fills the field and waits for results, and until the dialog has its full size. */
  async ask(query) {
    await this.input.fill(query);
    await this.page.locator(".list:not([aria-busy]) .group .page").first().waitFor();
    await this.page.locator("dialog[open]").evaluateAll((dialogs) => Promise.allSettled(dialogs.flatMap((dialog) => dialog.getAnimations()).map(({ finished }) => finished)));
  }

  /**
   * Puts a stand-in for the bundle under the element. It answers every question with pages named after it, once
   * `answer()` is called in the page or at once; `asked` lists the questions.
   */
  async standIn({ held = false, pages = 3, none = [] } = {}) {
    await this.page.evaluate(({ held, pages, none }) => {
      globalThis.asked = [];
      let release;
      const gate = held ? new Promise((resolve) => (release = resolve)) : undefined;
      globalThis.answer = () => release();
      const excerpt = { text: "", highlights: [] };
      const find = async (query) => {
        globalThis.asked.push(query);
        await gate;
        const resources = Array.from({ length: none.includes(query) ? 0 : pages }, (_, at) => ({
          uri: `viking://resources/x/page-${at}`, url: `blank.html?${encodeURIComponent(query)}&${at}`, title: `${query} ${at}`,
          score: 1 - at / 100, excerpt, sections: [], abstract: "", tags: [], level: 2, context_type: "resource",
        }));
        return { resources, memories: [], skills: [], total: resources.length, corrections: [], skipped: [] };
      };
      const search = document.querySelector("knarr-search");
      search.setAttribute("base", "/");
      search.knarr = { find };
    }, { held, pages, none });
  }
}
