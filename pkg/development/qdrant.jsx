export * from "../dist/qdrant.js";
