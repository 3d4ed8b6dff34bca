// For what does not read the exports of package.json (Parcel).
export * from "./dist/several.js";
