// Nothing for knarr but the setting of Vue.
export default {
  title: "Site",
  outDir: "../out",
  cleanUrls: true,
  themeConfig: { sidebar: [{ text: "Settings", link: "/guide/settings" }] },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "knarr-search" } } },
};
