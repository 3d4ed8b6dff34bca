/**
 * Texts of the search field that its script does not have in English: those of the filters, which few pages show. `strings` takes them
 * as it takes the others, and every language's file has them.
 */

export const FILTER_TEXTS = { filters: "Filters", all: "All", clear_filters: "Clear filters" };

/** Names that only a site gives. */
export const SITE_NAMES = { facets: {} };
