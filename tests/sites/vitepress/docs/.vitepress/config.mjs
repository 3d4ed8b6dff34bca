// The build needs no line; the development server needs that of Vite 5.
export default {
  title: "Site",
  outDir: "../out",
  cleanUrls: true,
  themeConfig: { sidebar: [{ text: "Settings", link: "/guide/settings" }] },
  vite: { optimizeDeps: { exclude: ["knarr"] } },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "knarr-search" } } },
};
