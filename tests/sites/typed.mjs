/**
 * `cargo xtask test sites`, fourth part: the components of docs/GENERATORS.md through the checkers that the frameworks'
 * own projects run, `tsc`, `vue-tsc` and `svelte-check`, in a strict project with the packed package. A component with a
 * wrong attribute, or a listener that takes the wrong thing, is refused by each.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HERE, install, isWanted, KNARR, program } from "./tools.mjs";

const PAGE = readFileSync(join(HERE, "../../docs/GENERATORS.md"), "utf8");

/** The page's component in a language. */
const component = (language) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(PAGE)[1];

const OPTIONS = {
  strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2022", lib: ["es2024", "dom", "dom.iterable"],
  module: "esnext", moduleResolution: "bundler", types: [],
};

/** `file`: the component's; `checked`: it with types; `line`: what checks the project; `options`: the compiler's besides. */
const FRAMEWORKS = [
  { name: "react", file: "Search.tsx", checked: component("jsx"), line: "tsc --project .", options: { jsx: "react-jsx" } },
  {
    name: "vue", file: "Search.vue", checked: component("vue").replace("<script setup>", '<script setup lang="ts">'), line: "vue-tsc --project .",
    vue: { strictTemplates: true },
  },
  { name: "svelte", file: "Search.svelte", checked: component("svelte").replace("<script>", '<script lang="ts">'), line: "svelte-check --tsconfig ./tsconfig.json --fail-on-warnings --output human" },
];

/** What is wrong, and what the checker then says. */
const WRONG = [
  ["an attribute's value", (text) => text.replace('base="/"', 'theme="blue"'), /blue/],
  ["what an event holds", (text) => text.replace("detail.url", "detail.address"), /address/],
];

const wanted = FRAMEWORKS.filter(({ name }) => isWanted(`${name} types`));
if (wanted.length > 0) {
  install();
  // Beside the types that it adds to: npm may have put another version of React's into the folder above.
  rmSync(`${HERE}typed/node_modules/knarr`, { recursive: true, force: true });
  cpSync(KNARR, `${HERE}typed/node_modules/knarr`, { recursive: true });
}

/** Checks a project of this one component; what was said against it, undefined where nothing was. */
function complaint({ name, file, line, options, vue }, text) {
  const folder = `${HERE}typed/out/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, vueCompilerOptions: vue, include: ["*"] }));
  const [tool, args, { env }] = program({ folder: "typed" }, line);
  try {
    execFileSync(tool, args, { cwd: folder, env, stdio: "pipe", timeout: 300_000 });
    return undefined;
  } catch (error) {
    if (error.code) throw error; // It did not start.
    return `${error.stdout}${error.stderr}`;
  }
}

for (const framework of wanted) {
  test(`${framework.name}: the component compiles as it is checked there, and mistakes in it do not`, () => {
    assert.equal(complaint(framework, framework.checked), undefined);
    for (const [what, change, said] of WRONG) {
      const text = change(framework.checked);
      assert.notEqual(text, framework.checked);
      assert.match(complaint(framework, text) ?? "", said, what);
    }
  });
}
