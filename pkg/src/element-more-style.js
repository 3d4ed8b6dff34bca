/** The style of what attributes of `<knarr-search>` add, made of the element's own tokens. A color is the chosen row's alone. */

const STYLE = `
.answer { display: grid; gap: 4px; margin: 8px 8px 0; padding: 10px 12px 6px; border-inline-start: 3px solid var(--_accent); border-radius: 4px; background: var(--_sunken); unicode-bidi: plaintext }
.answer p { display: -webkit-box; overflow: hidden; overflow-wrap: anywhere; -webkit-box-orient: vertical; -webkit-line-clamp: 8; font-size: .9375em }
.answer code { padding: 0; background: none; font-size: .9375em }
.answer .source { justify-self: start; padding-block: 4px; font-size: .8125em; color: var(--_accent) }
.row.related { padding-block: 7px }
.related .title { font-size: .9375em; font-weight: 500 }
.related .excerpt { -webkit-line-clamp: 1 }
.related:dir(rtl) > .icon.related { transform: scaleX(-1) }
.facets { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 6px 12px; padding: 8px var(--_gap); border-block-end: 1px solid var(--_border); font-size: .875em }
.facet { display: inline-flex; align-items: center; gap: 6px; min-inline-size: 0; max-inline-size: 100%; color: var(--_muted) }
.facet select { min-inline-size: 0; max-inline-size: 14em; min-block-size: 2.25em; margin: 0; padding: 2px 6px; border: 1px solid var(--_border); border-radius: 6px; background: var(--_surface); color: var(--_text); font: inherit; text-overflow: ellipsis; cursor: pointer }
.facet select.chosen { border-color: var(--_accent); background: var(--_accent-soft) }
.facets .button { min-block-size: 2.25em; margin: 0; padding: 0 6px; font-size: 1em }
.image { flex: none; inline-size: 2.75em; block-size: 2.75em; border-radius: 4px; background: var(--_sunken); object-fit: cover }
.row > .icon.beside { inline-size: 2.75em }
@media (pointer: coarse) {
  .answer .source { padding-block: 12px }
  .facet select, .facets .button { min-block-size: 44px }
  .facet select { font-size: max(16px, 1em) }
}
@media (max-width: 480px) {
  .facets { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none }
  .facet, .facets .button { flex: none }
  .facet select { max-inline-size: 9em }
}
@media (max-height: 480px) { .answer p { -webkit-line-clamp: 3 } }
`;

let sheet;

/** Puts the style into the root that `node` is in, behind the element's own, or the page's in place of it. */
export function dress(node) {
  try {
    const root = node.getRootNode();
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STYLE);
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    // Where sheets are not constructed, as in jsdom, nothing is styled.
  }
}
