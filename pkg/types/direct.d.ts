/** The same API with the engine on the calling thread and without dynamic imports: for service workers and Node. */

export * from "./index.js";
