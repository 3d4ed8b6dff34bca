export * from "../dist/core.js";
