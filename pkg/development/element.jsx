import * as entry from "../dist/knarr-search.js";
export const { KnarrSearch } = entry;
