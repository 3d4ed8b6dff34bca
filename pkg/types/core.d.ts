/**
 * The same API with the small engine of documentation sites, which the search element loads.
 *
 * Its `find` takes `target_uri` (full URIs), `limit`, `score_threshold`, `level`, `mode`, `alpha`, `vector`, `lang`, `version`,
 * `prefix`, `excerpts`, `excerpt_length`, `group`, `tags` and `facets`; other options reject with `INVALID_ARGUMENT`. `search`, `statistics`, `entities`, `neighbors`
 * and `download` reject with `FAILED_PRECONDITION`.
 */

export * from "./index.js";
