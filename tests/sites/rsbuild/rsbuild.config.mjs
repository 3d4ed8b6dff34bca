// Nothing for knarr.
export default { source: { entry: { index: "./app.js" } }, html: { template: "./index.html" }, output: { distPath: { root: "out" } } };
