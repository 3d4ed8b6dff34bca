/** A client of an OpenViking server without a bundle's code and without dynamic imports: for service workers and Node. */

import type { RemoteKnarr, RemoteOptions } from "./index.js";

export type * from "./index.js";
export { KnarrError, Session } from "./index.js";

/** The same as `Knarr.remote`; what it resolves to is no instance of the class `Knarr`. */
export function remote(url: string | URL, options?: RemoteOptions): Promise<RemoteKnarr>;
