/**
 * What attributes of `<knarr-search>` add to its rows: sentences that answer, related pages, filters and pictures. Loaded where
 * one of them is set.
 */

export { showAnswer } from "./element-answer.js";
export { showFacets } from "./element-facets.js";
export { showImages } from "./element-images.js";
export { showRelated } from "./element-related.js";
