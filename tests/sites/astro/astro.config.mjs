// Nothing for knarr: the page imports the element. The integration is in plugin.config.mjs.
export default { outDir: "out" };
