/** A block of code whose fence names a file (```js [config.mjs]) has the name above it; `serve` marks a command that goes on running. */
export function fileNames(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const [, name] = /\[([^\]]+)\]/.exec(tokens[at].info) ?? [];
    const block = fence(tokens, at, ...rest);
    return name && name !== "serve" ? `<p class="file-name">${md.utils.escapeHtml(name)}</p>${block}` : block;
  };
}
