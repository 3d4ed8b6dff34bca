// Nothing for knarr.
export default { output: "export", distDir: process.env.KNARR_OUT ?? "out", images: { unoptimized: true } };
