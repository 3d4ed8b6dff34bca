// As docs/TOOLCHAINS.md has it: what Node has and jsdom lacks.
const { TestEnvironment } = require("jest-environment-jsdom");

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of ["TextDecoder", "TextEncoder", "DecompressionStream", "Response", "fetch"]) this.global[name] ??= globalThis[name];
  }
};
