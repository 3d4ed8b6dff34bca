export * from "../dist/knarr-search.js";
