/** The element in the templates of Vue and Svelte, whose checkers read these types. */

import "knarr/element";
import type { SvelteHTMLElements } from "svelte/elements";
import type { GlobalComponents } from "vue";

type Vue = InstanceType<GlobalComponents["knarr-search"]>["$props"];
type Svelte = SvelteHTMLElements["knarr-search"];

export const vue: Vue = { from: "/search/", limit: 5, onKnarrSelect: ({ detail }) => detail.url.length };
export const svelte: Svelte = { from: "/search/", id: "x", "onknarr-select": ({ detail }) => detail.url.length };
// @ts-expect-error: no such theme
export const wrongInVue: Vue = { theme: "blue" };
// @ts-expect-error: no such theme
export const wrongInSvelte: Svelte = { theme: "blue" };
