/** A client of a Qdrant collection without a bundle's code and without dynamic imports: for service workers and Node. */

import type { QdrantOptions, RemoteKnarr } from "./index.js";

export type * from "./index.js";
export { KnarrError, Session } from "./index.js";

/** The same as `Knarr.remote` with `engine: "qdrant"`, which may be left out here; what it resolves to is no instance of the class `Knarr`. */
export function remote(url: string | URL, options: Omit<QdrantOptions, "engine"> & { engine?: "qdrant" | undefined }): Promise<RemoteKnarr>;
