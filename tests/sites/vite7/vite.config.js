// The build needs no line; the development server of Vite 5 to 7 needs this one.
export default { appType: "mpa", build: { outDir: "out" }, optimizeDeps: { exclude: ["knarr"] } };
