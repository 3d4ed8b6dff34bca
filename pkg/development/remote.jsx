export * from "../dist/remote.js";
