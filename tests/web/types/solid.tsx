/** @jsxImportSource solid-js */

import "knarr/element";

export const search = <knarr-search from="/search/" base="/" inline id="x" class="y" aria-label="z" on:knarr-select={({ detail }) => detail.url.length} />;
// @ts-expect-error: no such theme
export const theme = <knarr-search theme="blue" />;
// @ts-expect-error: no such attribute
export const attribute = <knarr-search bas="/" />;
