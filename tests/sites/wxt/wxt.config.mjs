// WebAssembly is allowed; nothing else is for knarr.
export default {
  outDir: "out", manifest: { content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" } },
};
