/** `knarr`: the engine with everything. */

import { knarrClass } from "./open.js";

export { KnarrError } from "./errors.js";
export { Session } from "./session.js";

/** An opened bundle. */
export const Knarr = knarrClass(
  () => new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "knarr" }),
  () => import("./full-engine.js"),
  () => new URL("./knarr_full_bg.wasm", import.meta.url),
);
