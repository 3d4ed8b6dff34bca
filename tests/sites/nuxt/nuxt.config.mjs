// Vue is told that the element is none of its components.
export default {
  compatibilityDate: "2026-11-01",
  telemetry: false,
  experimental: { payloadExtraction: false }, // Nuxt 4.4.5 fails to prerender `/` with the unstorage of today.
  css: ["../site.css"],
  nitro: { output: { publicDir: "out" } },
  vue: { compilerOptions: { isCustomElement: (tag) => tag === "knarr-search" } },
};
