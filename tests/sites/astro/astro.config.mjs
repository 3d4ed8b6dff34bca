// Nothing for knarr.
export default { outDir: "out" };
