/** The types of the packed package, in strict projects: with frameworks, without any, and in the README's own lines. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PACKAGE } from "./bundles.mjs";
import { FILTER_TEXTS, SITE_NAMES } from "./filter-texts.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Two projects: one in which the frameworks are installed, and one in which nothing is. */
const WITH = join(HERE, "out/types");
const ALONE = mkdtempSync(join(tmpdir(), "knarr-types-"));

const RESOLUTIONS = ["bundler", "nodenext", "node10"];

before(() => {
  rmSync(WITH, { recursive: true, force: true });
  for (const project of [WITH, ALONE]) {
    const home = join(project, "node_modules/knarr");
    mkdirSync(home, { recursive: true });
    cpSync(join(PACKAGE, "package.json"), join(home, "package.json"));
    cpSync(join(PACKAGE, "types"), join(home, "dist"), { recursive: true });
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  }
  for (const file of readdirSync(join(HERE, "types"))) cpSync(join(HERE, "types", file), join(WITH, file));
  cpSync(join(HERE, "types/element.ts"), join(ALONE, "element.ts"));
});

after(() => rmSync(ALONE, { recursive: true, force: true }));

/** Compiles files of a project as strictly as there is, the declarations too. */
function compile(project, resolution, files) {
  const compilerOptions = {
    strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true, types: [],
    target: "es2022", lib: ["es2024", "dom", "dom.iterable"], jsx: "react-jsx", moduleResolution: resolution,
    module: resolution === "nodenext" ? "nodenext" : "esnext",
  };
  // The compilers that still have `node10`, which Next.js 15 writes into its projects.
  const compiler = resolution === "node10" ? "typescript-5" : "typescript";
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  try {
    execFileSync(process.execPath, [join(HERE, `node_modules/${compiler}/bin/tsc`), "--project", project], { stdio: "pipe" });
  } catch (error) {
    assert.fail(`${resolution}:\n${error.stdout}${error.stderr}`);
  }
}

/** What the prose around a script speaks of. */
const GIVEN = `
  export {};
  declare global {
    const apiKey: string;
    const Knarr: typeof import("knarr").Knarr;
    const router: { push(address: string): void };
  }
`;

/** The scripts of a page of Markdown, each a module of its own. */
function scripts(page) {
  const blocks = readFileSync(page, "utf8").matchAll(/^```(?:js|ts)\n(.*?)^```/gms);
  return Array.from(blocks, ([, code], at) => [`readme-${at}.ts`, `${code}\nexport {};\n`]);
}

test("the attributes that the element reads, or is styled by, are the ones that are typed", () => {
  const all = (text, pattern) => Array.from(text.matchAll(pattern), ([, name]) => name);
  const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
  const known = new Set([
    ...all(read("www/knarr-search.js"), /(?:this\.(?:get|has)Attribute\(|isOn\(this, )"([\w-]+)"\)/g),
    ...["attributes", "facets", "page", "theme"].flatMap((part) => all(read(`pkg/src/element-${part}.js`), /(?:element\.(?:get|has)Attribute\(|(?:isOn|listIn)\(element, )"([\w-]+)"\)/g)),
    ...["", "-results"].flatMap((part) => all(read(`www/knarr-search${part}.css`), /:host\(\[([\w-]+)/g)),
    "lang", // As every element's, its own or an ancestor's.
  ]);
  for (const name of ["hidden", "dir"]) known.delete(name); // Every element has them.
  const [, body] = /interface KnarrSearchAttributes \{(.*?)\n\}/s.exec(read("pkg/types/element.d.ts"));
  const typed = all(body, /^ {2}"?([\w-]+)"?\?:/gm).filter((name) => name !== "knarr"); // A property.
  assert.deepEqual(typed.toSorted(), Array.from(known).toSorted());
});

test("the texts that a site may replace are the ones that are typed", async () => {
  const { stringsFor } = await import(pathToFileURL(join(PACKAGE, "src/element-strings.js")).href);
  const declarations = readFileSync(join(PACKAGE, "types/element.d.ts"), "utf8");
  const [, body] = /interface KnarrSearchStrings \{(.*?)\n\}/s.exec(declarations);
  const typed = Array.from(body.matchAll(/^ {2}(\w+)\??:/gm), ([, name]) => name);
  assert.deepEqual(Object.keys({ ...stringsFor("en", {}), ...FILTER_TEXTS, ...SITE_NAMES }).toSorted(), typed.toSorted());
});

test("the options of a build are typed", () => {
  const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
  const [, manual] = /<!-- begin build -->(.*?)<!-- end build -->/s.exec(read("docs/COMMAND.md"));
  const flags = Array.from(manual.matchAll(/^\| `(?:-\w, )?--([\w-]+)/gm), ([, flag]) => flag.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()));
  assert.ok(flags.length > 40, `${flags}`);
  const types = read("pkg/types/build.d.ts");
  const names = ["BuildFlags", "BuildOptions"].flatMap((name) => {
    const [, body] = new RegExp(`interface ${name} .*?\\{\n(.*?)\n\\}`, "s").exec(types);
    return Array.from(body.matchAll(/^ {2}(\w+)\??:/gm), ([, name]) => name);
  });
  const own = ["input", "onBuild", "onProgress", "signal"];
  const given = ["json"]; // By `build` itself.
  assert.deepEqual(names.filter((name) => !own.includes(name)).toSorted(), flags.filter((flag) => !given.includes(flag)).toSorted());
  const kinds = /Treat pages of this kind as content.*One of ([\w, -]+)\./.exec(manual)[1].split(", ");
  const [, typed] = /type PageKind =(.*?);/s.exec(types);
  assert.deepEqual(Array.from(typed.matchAll(/"([\w-]+)"/g), ([, kind]) => kind), kinds);
});

test("every name that is exported has its types where `exports` is not read, the same", () => {
  const { exports, typesVersions, types } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const typed = Object.entries(exports).filter(([, target]) => target.types).map(([name, target]) => [name.slice(2), [target.types]]);
  assert.deepEqual({ "": [types], ...typesVersions["*"] }, Object.fromEntries(typed));
  const lines = typed.map(([name], at) => `import * as part${at} from "${join("knarr", name)}";\nexport const known${at}: object = part${at};\n`);
  writeFileSync(join(ALONE, "names.ts"), lines.join(""));
  for (const resolution of RESOLUTIONS) compile(ALONE, resolution, ["names.ts"]);
});

for (const resolution of RESOLUTIONS) {
  test(`events and the element are typed, with frameworks and without, ${resolution}`, () => {
    // Svelte's own declarations need a compiler that reads `exports`.
    compile(WITH, resolution, readdirSync(join(HERE, "types")).filter((file) => resolution !== "node10" || file !== "templates.ts"));
    compile(ALONE, resolution, ["element.ts"]);
  });

  test(`the README's lines compile, ${resolution}`, () => {
    const written = scripts(join(PACKAGE, "README.md"));
    for (const [name, code] of [["given.ts", GIVEN], ...written]) writeFileSync(join(ALONE, name), code);
    assert.ok(written.length >= 5, "scripts were found");
    compile(ALONE, resolution, ["given.ts", ...written.map(([name]) => name)]);
  });
}
