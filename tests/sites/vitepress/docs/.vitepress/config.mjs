// The build needs no line; the development server needs that of Vite 5.
export default {
  title: "Site",
  outDir: "../out",
  vite: { optimizeDeps: { exclude: ["knarr"] } },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "knarr-search" } } },
};
