/** `knarr/core`: the engine of documentation sites, what the search element loads. */

import { knarrClass } from "./open.js";

export { KnarrError } from "./errors.js";
export { Session } from "./session.js";

/** An opened bundle. */
export const Knarr = knarrClass(
  () => new Worker(new URL("./core-worker.js", import.meta.url), { type: "module", name: "knarr-core" }),
  () => import("./core-engine.js"),
  () => new URL("./knarr_core_first.wasm", import.meta.url),
);
