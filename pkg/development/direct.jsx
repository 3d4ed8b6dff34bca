export * from "../dist/direct.js";
