// The development server needs the line of Vite 5: vite: { optimizeDeps: { exclude: ["knarr"] } }
export default {
  title: "Site",
  outDir: "../out",
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "knarr-search" } } },
};
