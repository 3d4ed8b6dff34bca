/**
 * `<knarr-search>`: a search field for a site with a Knarr bundle.
 * ```html
 * <script type="module" src="/knarr/knarr-search.js"></script>
 * <knarr-search src="/search/"></knarr-search>
 * ```
 * Properties: `knarr` an opened bundle to use instead of `src`; `strings`; `open` (read only).
 * Methods: `show(query?)`, `close()`, `bundle()`, a promise of the opened bundle for calls of the page's own.
 * Events, all bubbling: `knarr-open`, `knarr-close`, `knarr-select` (cancelable; detail `{ query, url, hit, result }`), `knarr-error` (detail: the error). A choice closes
 * the dialog and is then a click on a link of the page, which client routers see; where `knarr-select` is prevented, it is the page's alone.
 * Attributes, parts, texts and the tokens `--knarr-*` are listed in docs/ELEMENT.md.
 */

import { fetchWords } from "./element-ahead.js";
import {
  bundleOf, directionFor, hasHotkeys, isOn, landmarkOf, languageOf, leaveBundles, locate, moreOf, numberIn, onCompose, optionsOf, startOf, stringsIn, suggestionsIn, takeUp,
} from "./element-attributes.js";
import { fingerOn } from "./element-finger.js";
import { keep, keepMarks, kept, retake, showMarks } from "./element-kept.js";
import { beginningOf, isApple, isForField, keepLetters, pageKey } from "./element-keys.js";
import { excerptLength, hasTouchKeyboard, lockScroll, sleep, visit } from "./element-page.js";
import { closeDialog, dialogOf, fitDialog, fitField, leaveField, openDialog, panelOf, putStyled, triggerOf } from "./element-shell.js";
import { counted, kindName, loadStrings, stringsFor } from "./element-strings.js";
import { schemeOf, watch } from "./element-theme.js";
import { ANNOUNCE_MS, COLD_DEBOUNCE_MS, DEBOUNCE_MS, GLIMPSE_MS, REST_MS, WAITS_MS } from "./element-times.js";
import {
  address, directoryGroups, endLine, errorNote, linesAbove, namedRow, node, noneNote, oldLine, ownersWords, passage, rehearse, retell, row, sentences, spoken, waitingNotes, wordsToMark,
} from "./element-view.js";

/** While typing goes on: texts cost downloads of their own, and an answer would come and go with each word. */
const ROWS_ONLY = { excerpts: false, answer: undefined };

// Server-side rendering imports this file where there are no elements; the class is then never used.
const Base = globalThis.HTMLElement ?? class {};

export class KnarrSearch extends Base {
  static observedAttributes = ["src", "from", "also", "base", "answer", "related", "tags", "facets", "lang", "strings", "inline", "theme"];

  #root;
  #parts;
  /** The texts, one object always: what they are said with reads them anew. */
  #strings = {};
  #overrides;
  #given;
  #call;
  #active = -1;
  /** The active row was chosen with an arrow key, not by being the first or under the pointer. */
  #chose = false;
  #shown = ""; // The query that the rows answer.
  #words = ""; // What of it titles mark, and the page that is chosen.
  #asked; // The query on its way.
  /** The beginning of a query that is asked for while typing goes on, `{ call, query, rows }`; one at a time. */
  #glimpse;
  /** When the text was changed, and how long it was then. */
  #typedAt = 0;
  #length = 0;
  #isCold = true; // The last rows had to wait for downloads.
  /** Enter came before the answer: the query whose first row is to be opened, and in which window. */
  #awaited;
  #composes = false; // An input method is at work on what was typed last.
  #failed = false; // The last search did, and nothing was shown since.
  #more = {}; // What attributes add to the rows.
  #located; // Where the bundle is and what results are relative to.
  #timer;
  #announcing;
  #page;
  #finger;

  connectedCallback() {
    takeUp(this);
    retake(this);
    showMarks();
    this.#root ??= this.attachShadow({ mode: "open" });
    this.#locate();
    this.#render();
    const { signal } = (this.#page = new AbortController());
    document.addEventListener("keydown", (event) => this.#onPageKey(event), { signal });
    watch(() => this.#dress(), signal);
    window.addEventListener("popstate", () => this.close(), { signal });
    window.addEventListener("online", () => this.#failed && this.#retry(), { signal });
    for (const type of ["resize", "scroll"]) window.visualViewport?.addEventListener(type, () => fitDialog(this.#parts.dialog), { signal });
  }

  disconnectedCallback() {
    this.close();
    this.#page?.abort();
    this.#rest();
  }

  attributeChangedCallback(name, before, after) {
    if (!this.#root || before === after) return;
    if (name === "theme") {
      this.#dress();
    } else if (name === "inline") {
      this.#render();
    } else if (name !== "lang" && name !== "strings") {
      this.#locate();
      this.#search();
      this.#showFacets();
    } else {
      this.#speak();
      if (name === "lang" && (this.open || !this.#parts.dialog)) this.#search(); // The language to find may be another, too.
    }
  }

  /** An opened bundle to search, instead of opening `src`. */
  get knarr() {
    return this.#given;
  }

  set knarr(knarr) {
    this.#given = knarr;
    if (this.#root) this.#search();
  }

  /** Texts that replace built-in ones; see element-strings.js for the names. */
  get strings() {
    return this.#strings;
  }

  set strings(strings) {
    this.#overrides = strings;
    if (this.#parts) this.#reword();
  }

  /** Whether the dialog is showing. */
  get open() {
    return this.#parts?.dialog?.open ?? false;
  }

  /** Shows the dialog (or focuses the panel), with a query if one is given. Nothing, as long as it is in no page. */
  show(query) {
    if (!this.isConnected) return;
    const { dialog, input } = this.#parts;
    if (query !== undefined) input.value = query;
    if (dialog && !dialog.open) {
      this.#dress(); // A page may be repainted by a sheet alone, which nothing tells of.
      openDialog(dialog);
      lockScroll(this, true);
      this.#emit("knarr-open");
    }
    input.focus();
    input.select();
    this.#warm();
    this.#search();
  }

  /** Closes the dialog. */
  close() {
    if (!this.open) return;
    this.#rest();
    closeDialog(this.#parts.dialog);
    // Until the next frame a key would still go to the field that nobody sees, and open nothing.
    this.#parts.input.blur();
  }

  /** Puts on the page's light or dark, and the direction of the texts. */
  #dress() {
    const { shell, live } = this.#parts;
    shell.dir = directionFor(this);
    shell.style.colorScheme = schemeOf(this, live);
  }

  /** Says everything in the element's language, as far as its texts are there. */
  #reword() {
    Object.assign(this.#strings, stringsFor(languageOf(this), this.#overrides ?? stringsIn(this)));
    if (!this.#parts) return;
    retell(this.#root);
    this.#dress();
  }

  /** The same, with what is still to be loaded, one after the other: for a moment nothing stands in its place, then English. */
  async #speak(isUsed = this.open || !this.#parts.dialog) {
    this.#reword();
    const coming = loadStrings(languageOf(this), isUsed);
    if (!coming) return;
    const { classList } = this.#parts.shell;
    const state = isUsed ? "mute" : "late";
    classList.add(state);
    await coming;
    classList.remove(state);
    this.#speak(isUsed);
  }

  /** Gives the page back and lets go of what was asked. The event of the dialog comes later, and maybe after an answer. */
  #rest() {
    lockScroll(this, false);
    [this.#timer, this.#announcing].forEach(clearTimeout);
    this.#call?.abort();
    this.#glimpse?.abort();
    this.#asked = this.#awaited = this.#glimpse = undefined;
  }

  #render() {
    const query = this.#parts?.input.value ?? kept(this)?.query ?? "";
    this.close();
    const strings = this.#strings;
    this.#reword();
    this.#parts = panelOf(strings, () => landmarkOf(this, strings), isOn(this, "inline"), query);
    const content = isOn(this, "inline") ? [this.#parts.panel] : this.#modal(strings);
    this.#parts.shell = putStyled(this.#root, content, this.getAttribute("stylesheet"));
    this.#dress();
    this.#finger = fingerOn(this.#parts);
    this.#listen(this.#parts);
    if (query === "" || !this.#parts.dialog) this.#search(); // Else when the dialog is opened.
    this.#speak();
  }

  #modal(strings) {
    const trigger = triggerOf(strings, hasHotkeys(this));
    const dialog = (this.#parts.dialog = dialogOf(strings, this.#parts, () => this.close(), () => this.#clear()));
    trigger.addEventListener("click", () => this.show());
    for (const type of ["pointerenter", "focus"]) trigger.addEventListener(type, () => this.#warm(), { once: true });
    dialog.addEventListener("close", () => {
      if (!dialog.open && dialog === this.#parts.dialog) this.#rest();
      this.#emit("knarr-close");
    });
    return [trigger, dialog];
  }

  #listen({ input, clear, list, panel }) {
    // Composing is typing too: keyboards of phones compose every word, and Hangul is read syllable by syllable.
    input.addEventListener("input", () => (this.#soon(), fetchWords(this, input)));
    onCompose(this, input, (isComposing) => (this.#composes = isComposing) || this.#soon());
    panel.addEventListener("keydown", (event) => this.#onKey(event));
    keepLetters(panel);
    input.addEventListener("focus", () => this.#warm());
    clear.addEventListener("click", () => this.#clear());
    list.addEventListener("click", (event) => this.#onPick(event));
    list.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return; // A finger that scrolls chooses nothing.
      const at = this.#rows.indexOf(event.target.closest?.("[role=option]"));
      if (at >= 0 && at !== this.#active) this.#activate(at, false);
    });
  }

  #onPageKey(event) {
    const key = hasHotkeys(this) ? pageKey(event) : undefined;
    // What is in a part of the page that is not shown would be opened unseen.
    if (!key || (this.open ? key === "opens" : this.#parts.shell.checkVisibility?.() === false)) return;
    event.preventDefault();
    if (this.open) this.close();
    else this.show();
  }

  #onKey(event) {
    // Keys belong to the input method while it composes; 229 is how older engines say so.
    if (event.isComposing || event.keyCode === 229) return;
    const { input } = this.#parts;
    const [target] = event.composedPath();
    if (target !== input) {
      if (!isForField(event, target)) return;
      input.focus();
    }
    const rows = this.#rows.length;
    // From the answer's link down is to the row that is marked already.
    if (target.matches(".source") && event.key === "ArrowDown" && rows > 0) this.#activate(-1);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? (isApple() && event.ctrlKey && { n: 1, p: -1 }[event.key]);
    if (step && rows > 0) {
      this.#choose(this.#active < 0 && step < 0 ? rows - 1 : (this.#active + step + rows) % rows);
    } else if (this.#chose && (event.key === "Home" || event.key === "End") && !event.shiftKey) {
      this.#choose(event.key === "Home" ? 0 : rows - 1);
    } else if (event.key === "Enter") {
      this.#enter(event);
    } else if (event.key === "Escape" && (this.open || input.value !== "")) {
      if (input.value === "") this.close();
      else this.#clear();
    } else {
      // Whoever moves the caret is back in the text: Home and End are the field's again.
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.#chose = false;
      return;
    }
    event.preventDefault();
  }

  #choose(at) {
    this.#activate(at);
    this.#chose = true;
    this.#awaited = undefined;
  }

  #enter({ metaKey, ctrlKey, shiftKey }) {
    const query = this.#parts.input.value.trim();
    const elsewhere = metaKey || ctrlKey || shiftKey;
    if (query === "" || query === this.#shown || this.#chose) {
      this.#follow(this.#rows[this.#active], elsewhere);
    } else {
      // The rows answer what was asked before: opening one would open what nobody typed. On a phone nobody has seen
      // the rows to come, and the key is how the keyboard is put away to look at them.
      if (hasTouchKeyboard()) leaveField(this.#parts.panel);
      else this.#awaited = { query, elsewhere };
      if (this.#asked !== query) this.#search();
    }
  }

  /** Opens a row as a click on it would. */
  #follow(row, elsewhere) {
    if (!row?.href || !elsewhere) row?.click();
    else if (this.#chosen(row)) window.open(row.href, "_blank", "noopener");
  }

  #onPick(event) {
    const row = this.#finger.meant(event);
    if (row?.knarrSearch !== undefined) {
      this.#parts.input.value = row.knarrSearch;
      this.#parts.input.focus();
      this.#search();
    } else if (row) {
      this.#pick(event, row);
    }
  }

  /** Opens what was clicked on. */
  #pick(event, link) {
    const goes = this.#chosen(link);
    if (goes && (event.metaKey || event.ctrlKey || event.shiftKey)) return; // The browser opens it elsewhere.
    event.preventDefault();
    if (!goes || !link.href) return;
    this.close();
    visit(this, link.href);
  }

  /** Tells the page what was chosen; false when the page takes over, which gets its place back. */
  #chosen(row) {
    keep(this, this.#shown, row.href, this.#parts.list.scrollTop);
    const { hit, result } = row.knarrHit;
    const goes = this.#emit("knarr-select", { query: this.#shown, url: row.href, hit, result });
    if (!goes) this.close();
    if (row.href) keepMarks(this, row.href, this.#words);
    return goes;
  }

  #clear() {
    this.#parts.input.value = "";
    this.#parts.input.focus();
    this.#search();
  }

  #soon() {
    fitField(this.#parts);
    this.#chose = false;
    this.#awaited = undefined;
    clearTimeout(this.#timer);
    const { length } = this.#parts.input.value;
    const isTyped = Math.abs(length - this.#length) < 3; // Else it was pasted.
    this.#length = length;
    this.#typedAt = isTyped ? performance.now() : 0;
    const wait = isTyped && this.#isCold && !this.#given ? COLD_DEBOUNCE_MS : DEBOUNCE_MS;
    this.#timer = setTimeout(() => this.#search(true), wait);
    if (!this.#given) this.#showBeginning();
  }

  /** Rows for the beginning of the question, while typing goes on. What fails is told by the search of the whole. */
  async #showBeginning() {
    if (this.#glimpse) return;
    const glimpse = (this.#glimpse = new AbortController());
    const { signal } = glimpse;
    const { input } = this.#parts;
    try {
      const knarr = await this.bundle();
      const query = beginningOf(input.value); // What was typed while the bundle was opened is in it.
      if (signal.aborted || query === "" || query === this.#shown) return;
      const options = optionsOf(this);
      options.limit = Math.min(options.limit, 3 + (query.length >> 3)); // The longer, the likelier are its rows those of the whole.
      const asked = performance.now();
      const answer = await knarr.find(query, { ...options, ...ROWS_ONLY, signal });
      this.#isCold = performance.now() - asked > DEBOUNCE_MS;
      await this.#finger.lifted();
      const now = input.value.trim();
      const isOld = now.startsWith(this.#shown) && this.#shown.length >= query.length;
      if (signal.aborted || !now.startsWith(query) || now === query || isOld || this.#chose || answer.total === 0) return;
      this.#showAnswer(query, answer, { ...options, isBeginning: true });
      await sleep(GLIMPSE_MS);
    } catch {
    } finally {
      if (this.#glimpse === glimpse) this.#glimpse = undefined;
    }
  }

  /** Asks what is in the field. Of what was `typed`, rows come first, and their texts when typing stops. */
  async #search(typed = false, again = false) {
    clearTimeout(this.#timer);
    this.#call?.abort();
    fitField(this.#parts);
    const { input, list, note } = this.#parts;
    const query = input.value.trim();
    this.#asked = query;
    if (this.#awaited?.query !== query) this.#awaited = undefined;
    if (query === "") return this.#showStart();
    const call = new AbortController();
    this.#call = call;
    list.setAttribute("aria-busy", "true");
    const waits = WAITS_MS.map((ms, stage) => setTimeout(() => call.signal.aborted || this.#showWaiting(stage), ms));
    let knarr;
    try {
      knarr = await this.bundle();
      const { signal } = call;
      const options = { ...optionsOf(this), signal };
      if (typed && !this.#given) {
        const rows = await this.#finger.lifted(knarr.find(query, { ...options, ...ROWS_ONLY }));
        if (!signal.aborted && rows.total > 0) this.#showAnswer(query, rows, { ...options, isBare: true });
        await this.#finger.lifted(sleep(this.#typedAt + REST_MS - performance.now()));
        if (signal.aborted || input.value.trim() !== query) return;
        if (rows.total === 0) return this.#showAnswer(query, rows, options); // Not sooner: half a word often has none.
      }
      const answer = await this.#finger.lifted(knarr.find(query, { ...options, excerpt_length: excerptLength(this.#parts.panel) }));
      this.#more = await moreOf(this);
      if (signal.aborted) return;
      this.#showAnswer(query, answer, options);
      if (isOn(this, "related")) this.#more.showRelated?.(knarr, answer.resources, signal, this.#view);
      this.#showFacets();
    } catch (error) {
      if (call.signal.aborted) return;
      if (!again && (knarr ? /^(BUNDLE_|FAILED_PRE)/ : /^ABORTED/).test(error?.code)) {
        // The site was published anew under an open page: its head names packs that are gone. Or another element left the bundle.
        leaveBundles(this);
        return this.#search(typed, true);
      }
      this.#asked = this.#awaited = undefined;
      this.#showError(query, error instanceof Object ? error : new Error(String(error)));
      this.#emit("knarr-error", error);
    } finally {
      waits.forEach(clearTimeout);
      if (this.#call === call && input.value.trim() === query) {
        list.removeAttribute("aria-busy");
        for (const waiting of note.querySelectorAll(".skeleton, .slow")) waiting.remove();
      }
    }
  }

  #retry() {
    leaveBundles(this);
    this.#search();
  }

  #showStart() {
    this.#parts.list.removeAttribute("aria-busy");
    this.#shown = "";
    keep(this, "");
    if (this.#rows.length > 0) this.#showFacets();
    this.#show(...startOf(this, this.#strings, () => this.#clear()));
    clearTimeout(this.#announcing);
    this.#parts.live.textContent = "";
  }

  /** Old results stay while new ones load; without any, grey rows say that something is coming, and words that it is late. */
  #showWaiting(stage) {
    if (this.#rows.some((row) => row.knarrHit)) return;
    this.#show([], ...waitingNotes(this.#strings, stage, () => (this.#parts.input.focus(), this.#retry())));
    this.#announce(() => this.#strings[stage === 0 ? "loading" : "slow"]);
  }

  /**
   * Puts an answer on the screen: one with its texts, one that `isBare` of them yet, or one to the beginning of what is
   * typed. A row that was chosen stays chosen where it is in the next answer, and is marked for who comes back from it.
   */
  #showAnswer(query, result, { limit, isBare = false, isBeginning = false }) {
    const { memories, resources, skills, corrections } = result;
    // An input method shows letters of its own first, such as pinyin: that nothing has them says nothing.
    if (this.#composes && result.total === 0) return;
    isBare ||= this.#composes;
    const awaited = isBeginning ? undefined : this.#awaited;
    if (!isBeginning) this.#awaited = undefined;
    const [before, isSame] = [this.#shown, this.#shown === query];
    const back = before === "" && this.#length === 0 ? kept(this, query) : undefined; // Nothing was typed yet.
    const chosen = this.#chose || (isSame && this.#active > 0) ? this.#rows[this.#active]?.href : back?.chosen;
    const [chose, top] = [this.#chose, isSame ? this.#parts.list.scrollTop : (back?.top ?? 0)];
    this.#shown = query;
    const results = [...resources, ...memories, ...skills].sort((a, b) => b.score - a.score);
    if (results.length === 0) {
      const told = noneNote(this.#strings, query);
      this.#show(suggestionsIn(this, this.#strings));
      this.#parts.above.append(told);
      this.#announce(() => spoken(told));
      return;
    }
    this.#words = wordsToMark(query, results, corrections);
    const view = { query: this.#words, base: this.#located.base, sections: numberIn("sections", this.getAttribute("sections"), 3, 0), strings: this.#strings, isBare: isBare || isBeginning };
    // A full list says nothing of what else there is: the engine does not count beyond it.
    const told = () => counted(this.#strings, results.length < limit ? "count" : "count_best", rows);
    // Until typing stops it is not known whether a longer question has the answer: without it the rows would jump.
    const answered = this.#parts.above.querySelector(".answer");
    const { panel } = this.#parts;
    const { offsetHeight } = panel;
    this.#show(directoryGroups(results, result.groups ?? [], view));
    if (isBeginning) panel.style.minHeight = `${offsetHeight}px`; // It has few rows, and the next more: the panel grows only.
    if (isOn(this, "images")) this.#more.showImages?.(this.#rows, this.#view);
    const rows = this.#rows.length; // Related pages come later, and are none of these.
    if (!isBeginning) this.#parts.list.append(endLine(told));
    const lines = linesAbove(this.#strings, query, result, view.isBare);
    this.#parts.above.append(...lines);
    if (result.answer && this.#more.showAnswer) this.#more.showAnswer(result.answer, lines, this.#view, (event, link) => this.#pick(event, link));
    else if (view.isBare && answered && (query.startsWith(before) || before.startsWith(query))) this.#parts.above.append(answered);
    const at = chosen ? this.#rows.findIndex(({ href }) => href === chosen) : -1;
    if (top) this.#parts.list.scrollTop = top;
    this.#chose = chose && at >= 0;
    this.#activate(at < 0 ? namedRow(query, this.#rows, corrections) : at, false, this.#chose || !view.isBare);
    if (!isBeginning) this.#announce(() => (this.#activate(this.#active, false), sentences([...lines.map(({ textContent }) => textContent), told()])));
    if (awaited) this.#follow(this.#rows[this.#active], awaited.elsewhere);
  }

  /** Drop-downs over the rows for the keys of the attribute `facets`. Without them the search is as it was. */
  async #showFacets() {
    try {
      this.#more = await moreOf(this);
      if (!this.hasAttribute("facets")) return;
      await this.#more.showFacets(this, await this.bundle(), this.#parts.input.value.trim(), optionsOf(this), this.#view);
    } catch {}
  }

  /** What additions to the rows are made of. */
  get #view() {
    return { ...this.#parts, base: this.#located.base, strings: this.#strings, address, counted, endLine, kindName, node, passage, row };
  }

  /** What went wrong. Results on the screen stay, and say what they answer: they are better than nothing. */
  #showError(query, error) {
    const words = ownersWords(error, this.#place.address);
    console.warn("knarr-search:", words, error);
    const told = errorNote(this.#strings, error, words, () => (this.#parts.input.focus(), this.#retry()));
    if (this.#rows.some((row) => row.knarrHit)) {
      const isOld = this.#shown !== query;
      this.#parts.above.replaceChildren(told, ...(isOld ? [oldLine(this.#strings, this.#shown)] : []));
      told.classList.toggle("over", isOld);
      if (isOld) this.#activate(-1);
    } else {
      this.#show([], told);
    }
    this.#failed = true;
    this.#announce(() => spoken(told));
  }

  /** Replaces what is shown: groups of options, and notes below them. */
  #show(groups, ...notes) {
    const { above, list, note, input, panel } = this.#parts;
    panel.style.minHeight = "";
    this.#finger.remember(this.#rows);
    list.scrollTop = 0; // After a change it would cost a layout.
    above.replaceChildren();
    list.replaceChildren(...groups);
    note.replaceChildren(...notes);
    this.#rows.forEach((row, at) => (row.id = `row-${at}`));
    list.hidden = groups.length === 0;
    this.#chose = this.#failed = false;
    input.setAttribute("aria-expanded", groups.length > 0);
    this.#activate(-1);
  }

  get #rows() {
    return Array.from(this.#parts.list.querySelectorAll("[role=option]"));
  }

  /** Makes one row the active one, or with -1 none. One that is not `heard` yet would be read over each letter that is typed. */
  #activate(at, scroll = true, heard = true) {
    const { input } = this.#parts;
    const rows = this.#rows;
    rows.forEach((row, i) => (row.setAttribute("aria-selected", i === at)));
    this.#active = at;
    if (!rows[at] || !heard) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", rows[at].id);
    if (scroll) rows[at].scrollIntoView?.({ block: "nearest" });
  }

  #announce(say) {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => (this.#parts.live.textContent = say()), ANNOUNCE_MS);
  }

  #emit(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: type === "knarr-select" }));
  }

  /**
   * Starts to load what the first key needs; errors show when a search meets them. The first rows and the first number of a
   * page take ms more, and would else take them from who types.
   */
  #warm() {
    this.#speak(true);
    this.bundle().then(() => counted(this.#strings, "count"), () => {});
    if (!this.#rows.some((row) => row.knarrHit)) this.#showFacets(); // Else they are there, and rows of a choice would come anew.
    sleep(0).then(() => rehearse(this.#strings, this.#parts.note)); // The dialog is drawn first.
  }

  #locate() {
    this.#located = locate(this, this.#located);
  }

  get #place() {
    if (!this.#located) this.#locate();
    return this.#located;
  }

  /** The opened bundle, opened on first use and shared by all elements with the same `src`. */
  async bundle() {
    return this.#given ?? bundleOf(this.#place, this);
  }
}

if (globalThis.customElements && !customElements.get("knarr-search")) customElements.define("knarr-search", KnarrSearch);
