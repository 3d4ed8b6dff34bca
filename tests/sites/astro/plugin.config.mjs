import knarr from "knarr/astro";

export default { outDir: "out", srcDir: "plugin-src", integrations: [knarr()] };
