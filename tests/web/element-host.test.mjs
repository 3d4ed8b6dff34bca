/** `<knarr-search>` in a page that has ideas of its own: client routers and addresses. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

const state = () => bench.page.evaluate(() => ({
  open: document.querySelector("knarr-search").open, overflow: document.documentElement.style.overflow,
  links: document.querySelectorAll("knarr-search > *").length, visited: globalThis.visited, locked: globalThis.lockedThen,
}));

describe("a choice", () => {
  for (const router of ["vitepress", "material", "astro", "next", "own"]) {
    for (const by of ["keyboard", "mouse"]) {
      test(`goes through the page's router, ${router}, by ${by}`, async () => {
        const page = await bench.show({}, `/router.html?router=${router}`);
        await page.evaluate(() => (globalThis.same = true));
        await page.keyboard.press("/");
        await bench.ask("weather");
        if (by === "mouse") await bench.rows.nth(1).click();
        else await page.keyboard.press("Enter");
        await page.waitForFunction(() => globalThis.visited);
        assert.equal(await page.evaluate(() => globalThis.same), true, "the page was not loaded again");
        const { open, overflow, links, visited, locked } = await state();
        assert.deepEqual({ open, overflow, links }, { open: false, overflow: "", links: 0 });
        assert.equal(visited, page.url());
        if (router !== "own") assert.equal(locked, "", "the page could scroll when the router ran");
        // The element stays where the address is another: it still finds its bundle.
        await page.keyboard.press("/");
        await bench.ask("barometer");
      });
    }
  }

  test("without a router is followed by the browser", async () => {
    const page = await bench.show({}, "/router.html");
    await page.evaluate(() => document.querySelector("knarr-search").setAttribute("base", "/site/"));
    await page.keyboard.press("/");
    await bench.ask("barometer");
    await bench.rows.first().click();
    await page.waitForURL(`${bench.server.origin}/site/guide/weather.html*`);
    assert.ok(await page.getByRole("heading", { level: 1 }).isVisible());
  });

  test("that the page prevents closes the dialog, in another tab too", async () => {
    const page = await bench.show();
    await page.evaluate(() => document.addEventListener("knarr-select", (event) => event.preventDefault()));
    for (const key of ["Enter", "Control+Enter"]) {
      await page.keyboard.press("/");
      await bench.ask("barometer");
      await page.keyboard.press(key);
      const { open, overflow } = await state();
      assert.deepEqual({ open, overflow }, { open: false, overflow: "" });
    }
    assert.equal(page.url(), `${bench.server.origin}/element.html`);
    assert.equal(page.context().pages().length, 1);
  });
});

describe("an attribute", () => {
  test("that is no number is told in the console, once, and the default stands in for it", async () => {
    const page = await bench.show();
    const told = [];
    page.on("console", (message) => told.push(message.text()));
    await bench.standIn({ pages: 8 });
    await page.evaluate(() => {
      const search = document.querySelector("knarr-search");
      const { find } = search.knarr;
      search.knarr = { find: (query, options) => ((globalThis.limit = options.limit), find(query)) };
    });
    for (const limit of ["0", "-1", "abc", "", "2.5"]) {
      await page.evaluate((limit) => document.querySelector("knarr-search").setAttribute("limit", limit), limit);
      await page.evaluate(() => document.querySelector("knarr-search").show());
      await bench.ask(`fog ${limit}`);
      await bench.ask(`fog again ${limit}`);
      assert.equal(await page.evaluate(() => globalThis.limit), 8);
      const wrong = `knarr-search: the attribute limit="${limit}" is not a whole number from 1 on; it is taken as 8`;
      assert.deepEqual(told.splice(0), [wrong]);
    }
  });

  test("sections=0 shows pages alone", async () => {
    const page = await bench.show();
    await page.evaluate(() => document.querySelector("knarr-search").setAttribute("sections", "0"));
    await page.keyboard.press("/");
    await bench.ask("weather");
    assert.equal(await page.locator(".row.section").count(), 0);
  });
});

test("an element that is in no page yet has nothing to show, and has it once it is", async () => {
  const page = await bench.show();
  const isOpen = await page.evaluate(() => {
    const search = document.createElement("knarr-search");
    search.setAttribute("src", "/search/");
    search.show("fog");
    const before = search.open;
    document.querySelector("knarr-search").replaceWith(search);
    search.show("fog");
    return [before, search.open];
  });
  assert.deepEqual(isOpen, [false, true]);
  assert.equal(await bench.input.inputValue(), "fog");
});

describe("shortcuts of the page", () => {
  /** As mdBook does it: single letters act unless the key's target is a field, and the target is the element. */
  const shortcuts = () => {
    globalThis.taken = [];
    for (const type of ["keydown", "keypress", "keyup"]) {
      document.addEventListener(type, (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.target.nodeName === "INPUT") return;
        globalThis.taken.push(`${type} ${event.key}`);
        if (event.key === "s") event.preventDefault();
      });
    }
  };

  test("take no letter that is typed into the field, and every other key", async () => {
    const page = await bench.show();
    await page.evaluate(shortcuts);
    await page.keyboard.press("/");
    await bench.input.waitFor();
    await page.evaluate(() => (globalThis.taken.length = 0));
    await page.keyboard.type("sensors");
    assert.equal(await bench.input.inputValue(), "sensors");
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await page.evaluate(() => globalThis.taken), ["keydown ArrowDown", "keyup ArrowDown"]);
    await page.keyboard.press("Control+k");
    assert.equal((await state()).open, false);
    await page.evaluate(() => (globalThis.taken.length = 0));
    await page.keyboard.press("s");
    assert.ok((await page.evaluate(() => globalThis.taken)).includes("keydown s"), "outside, the key is the page's");
    await page.keyboard.press("/");
    await page.keyboard.type("s");
    await page.keyboard.press("Escape");
    assert.equal(await bench.input.inputValue(), "");
    await page.keyboard.press("Escape");
    assert.equal((await state()).open, false);
  });
});

describe("addresses", () => {
  /** Element attributes, where the page goes before the first search, and what the first link then is. */
  const CASES = [
    ["relative to the page that the element was connected in", { src: "../search/", base: "../site/" }, "/a/b.html", "/c/d/e/f.html", "/site/"],
    ["base is the parent of src", { src: "../docs/search/" }, "/a/b.html", "/c/", "/docs/"],
    ["base is the parent of a bundle named as a file", { src: "/docs/search/index.knarr?v=2" }, "/a/b.html", "/c/", "/docs/"],
    ["from in place of src", { from: "../docs/search" }, "/a/b.html", "/c/", "/docs/"],
    ["without any attribute", {}, "/a/b.html", "/c/", "/"],
    ["a bundle of another host", { src: "https://cdn.example/x/search/" }, "/a/b.html", "/c/", "/"],
    ["no address at all", { src: "http://[" }, "/a/b.html", "/c/", "/"],
  ];
  for (const [what, attributes, at, then, base] of CASES) {
    test(what, async () => {
      const page = await bench.show({}, "/blank.html");
      const link = await page.evaluate(async ({ attributes, at, then }) => {
        await import("/knarr/knarr-search.js");
        history.replaceState(null, "", at);
        const search = document.createElement("knarr-search");
        for (const [name, value] of Object.entries(attributes)) search.setAttribute(name, value);
        document.body.append(search);
        history.pushState(null, "", then);
        const excerpt = { text: "", highlights: [] };
        const result = { uri: "viking://resources/x/a", url: "g/h.html#i", title: "x", score: 1, excerpt, sections: [] };
        search.knarr = { find: async () => ({ resources: [result], memories: [], skills: [], corrections: [] }) };
        // A router that moves the element along connects it again, with the attributes of the first page.
        document.body.append(search);
        search.show("x");
        return new Promise((resolve) => {
          search.addEventListener("knarr-select", (event) => {
            event.preventDefault();
            resolve(event.detail.url);
          });
          const field = search.shadowRoot.querySelector("input");
          field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true }));
        });
      }, { attributes, at, then });
      assert.equal(link, `${bench.server.origin}${base}g/h.html#i`);
    });
  }

  test("a new value is relative to the page that it was set in", async () => {
    const page = await bench.show();
    const files = await page.evaluate(async () => {
      const search = document.querySelector("knarr-search");
      history.pushState(null, "", "/x/y/z.html");
      search.setAttribute("src", "../../search/");
      history.pushState(null, "", "/");
      return (await (await search.bundle()).inspect()).files;
    });
    assert.ok(files > 300);
  });
});

describe("the page around it", () => {
  test("hides it, and no key opens it, but another that is shown", async () => {
    const page = await bench.show();
    await page.evaluate(() => {
      const hidden = document.createElement("div");
      hidden.style.display = "none";
      hidden.append(document.querySelector("knarr-search"));
      document.body.prepend(hidden);
    });
    for (const key of ["Control+k", "/"]) {
      await page.keyboard.press(key);
      assert.deepEqual(await state().then(({ open, overflow }) => [open, overflow]), [false, ""]);
    }
    await page.evaluate(() => document.querySelector("main").append(document.createElement("knarr-search")));
    await page.keyboard.press("/");
    assert.deepEqual(await page.locator("knarr-search").evaluateAll((all) => all.map(({ open }) => open)), [false, true]);
  });

  test("has two dialogs: the page can scroll once both are closed or gone", async () => {
    const page = await bench.show();
    const overflows = await page.evaluate(() => {
      const [first, second, third] = [document.querySelector("knarr-search"), document.createElement("knarr-search"), document.createElement("knarr-search")];
      document.body.append(second, third);
      const seen = [];
      for (const step of [() => first.show(), () => third.remove(), () => second.show(), () => first.close(), () => second.remove()]) {
        step();
        seen.push(document.documentElement.style.overflow);
      }
      return seen;
    });
    assert.deepEqual(overflows, ["hidden", "hidden", "hidden", "hidden", ""]);
  });

  test("removes it: there is nothing to show", async () => {
    const page = await bench.show();
    const isOpen = await page.evaluate(() => {
      const search = document.querySelector("knarr-search");
      search.remove();
      search.show("fog");
      return search.open;
    });
    assert.equal(isOpen, false);
  });

  test("takes it away after an answer and puts it back: nothing is said of rows that are gone", async () => {
    const page = await bench.show();
    await bench.standIn();
    const told = await page.evaluate(async () => {
      const search = document.querySelector("knarr-search");
      const place = search.parentNode;
      search.show("fog");
      while (!search.shadowRoot.querySelector("[role=option]")) await new Promise((resolve) => setTimeout(resolve, 10));
      search.remove();
      place.append(search);
      await new Promise((resolve) => setTimeout(resolve, 700)); // Rows are announced half a second after they came.
      return search.shadowRoot.querySelector("[role=status]").textContent;
    });
    assert.equal(told, "");
  });

  test("makes a panel of an open dialog, which goes on with the search", async () => {
    const page = await bench.show();
    await bench.standIn({ held: true });
    await page.evaluate(() => {
      const search = document.querySelector("knarr-search");
      const closed = new Promise((resolve) => search.addEventListener("knarr-close", resolve));
      search.show("fog");
      search.setAttribute("inline", "");
      return closed.then(() => globalThis.answer());
    });
    await page.locator(".row", { hasText: "fog 0" }).waitFor();
  });

  test("sets properties before the script comes", async () => {
    const page = await bench.show({}, "/blank.html");
    await page.evaluate(async () => {
      const search = document.createElement("knarr-search");
      const result = { uri: "viking://resources/x/a", url: "g.html", title: "Given", score: 1, excerpt: { text: "", highlights: [] }, sections: [] };
      search.knarr = { find: async () => ({ resources: [result], memories: [], skills: [], corrections: [] }) };
      search.strings = { label: "Look it up" };
      document.body.append(search);
      await import("/knarr/knarr-search.js");
      search.show("x");
    });
    await page.locator(".row", { hasText: "Given" }).waitFor();
    assert.equal(await page.locator(".trigger .label").textContent(), "Look it up");
  });

  test("tells its language outside the shadow root that it is in", async () => {
    const page = await bench.show({}, "/blank.html");
    await page.evaluate(async () => {
      await import("/knarr/knarr-search.js");
      const host = Object.assign(document.body.appendChild(document.createElement("div")), { lang: "de" });
      host.attachShadow({ mode: "open" }).append(document.createElement("knarr-search"));
    });
    assert.equal(await page.locator(".trigger .label").textContent(), "Suchen");
  });

  test("is on a Mac, which Chromium calls macOS", async () => {
    const page = await bench.show();
    const key = await page.evaluate(() => {
      Object.defineProperty(navigator, "userAgentData", { value: { platform: "macOS" } });
      const search = document.body.appendChild(document.createElement("knarr-search"));
      return search.shadowRoot.querySelector(".shortcut").textContent;
    });
    assert.equal(key, "⌘K");
  });
});

describe("what a template writes", () => {
  test("of a switch that is off: inline=\"false\"", async () => {
    const page = await bench.show({}, "/blank.html");
    const seen = await page.evaluate(async () => {
      await import("/knarr/knarr-search.js");
      return ["false", "", "true"].map((inline) => {
        const search = document.createElement("knarr-search");
        search.setAttribute("inline", inline);
        document.body.append(search);
        const list = search.shadowRoot.querySelector(".list");
        return [search.shadowRoot.querySelector("dialog") === null, getComputedStyle(search).display, getComputedStyle(list).maxBlockSize !== "none"];
      });
    });
    assert.deepEqual(seen.map(([isPanel, display]) => [isPanel, display]), [[false, "inline-block"], [true, "block"], [true, "block"]]);
  });

  test("of a switch that is off: answer=\"false\" and related=\"false\" load nothing", async () => {
    const page = await bench.show();
    await page.evaluate(() => ["answer", "related"].forEach((name) => document.querySelector("knarr-search").setAttribute(name, "false")));
    await page.keyboard.press("/");
    await bench.ask("weather");
    await page.waitForLoadState("networkidle");
    assert.equal(bench.server.requests.some(({ path }) => path.endsWith("/index.js")), false);
    assert.equal(await page.locator(".row.related").count(), 0);
  });

  test("of a group without a name: rows as ever", async () => {
    const page = await bench.show();
    await page.evaluate(() => document.querySelector("knarr-search").setAttribute("group", ""));
    await page.keyboard.press("/");
    await bench.ask("weather");
  });

  test("of counts without `other`: the built-in text stands in for it", async () => {
    const page = await bench.show();
    await bench.standIn({ pages: 3 });
    await page.evaluate(() => (document.querySelector("knarr-search").strings = { count: { one: "just one" } }));
    await page.keyboard.press("/");
    await bench.ask("fog");
    await page.locator(".end", { hasText: "3 results" }).waitFor();
  });
});
