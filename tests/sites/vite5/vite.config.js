// Nothing for knarr.
export default { appType: "mpa", build: { outDir: "out" } };
