/** Builds a site once for each search: the generator's own build, with what that search asks of the owner. */

import { execFileSync, execSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../pkg", import.meta.url));
const TOOLS = { pagefind: "1.6.0", node: "22.23.3" };

/** Folders that belong to the installation, not to the site. */
const KEPT = ["node_modules", "package-lock.json", "built"];

/** Pagefind's own lines for a page, at its end: a theme has no place for them. */
const pagefindLines = (base) => `<div id="bench-pagefind" data-pagefind-ignore></div>
<link href="${base}pagefind/pagefind-ui.css" rel="stylesheet"><script src="${base}pagefind/pagefind-ui.js"></script>
<script>addEventListener("load", () => new PagefindUI({ element: "#bench-pagefind", showSubResults: true, pageSize: 8 }))</script>`;

export class Workshop {
  constructor(work, say) {
    this.work = work;
    this.say = say;
    mkdirSync(work, { recursive: true });
  }

  #run(line, cwd, { newer = false } = {}) {
    const path = [join(cwd, "node_modules/.bin"), ...(newer ? [join(this.work, "tools/node_modules/node/bin")] : []), join(this.work, "venv/bin"), process.env.PATH];
    const env = { ...process.env, PATH: path.join(delimiter), ASTRO_TELEMETRY_DISABLED: "1", NO_UPDATE_NOTIFIER: "1", CI: "1" };
    try {
      return execSync(line, { cwd, env, stdio: "pipe", encoding: "utf8", timeout: 900_000 });
    } catch (error) {
      throw new Error(`${line}\n${String(error.stdout ?? "").slice(-1500)}${String(error.stderr ?? error.message).slice(-1500)}`);
    }
  }

  /** Pagefind and a newer Node, for all sites. */
  tools() {
    const folder = join(this.work, "tools");
    mkdirSync(folder, { recursive: true });
    if (existsSync(join(folder, "node_modules/pagefind"))) return;
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    this.#run(`npm install --no-audit --no-fund --loglevel=error ${Object.entries(TOOLS).map(([name, version]) => `${name}@${version}`).join(" ")}`, folder);
  }

  /** Installs a site's generator; once. */
  #install(site, folder) {
    const { npm, pip } = site.install ?? {};
    if (npm && !existsSync(join(folder, "node_modules/.bench"))) {
      this.#run(`npm install --no-audit --no-fund --loglevel=error ${npm.join(" ")}`, folder);
      writeFileSync(join(folder, "node_modules/.bench"), "");
    }
    if (npm) this.#putKnarr(folder);
    if (pip) {
      if (!existsSync(join(this.work, "venv"))) this.#run(`python3 -m venv ${join(this.work, "venv")}`, this.work);
      this.#run(`${join(this.work, "venv/bin/pip")} install --quiet --disable-pip-version-check ${pip.join(" ")}`, this.work);
    }
  }

  /** The package as npm packs it. */
  #putKnarr(folder) {
    const [{ filename }] = Object.values(JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: PACKAGE, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })));
    const to = join(folder, "node_modules/knarr");
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", to]);
    rmSync(join(folder, filename));
  }

  /** The folder of a site, built for a search. What is there already is taken, unless `again`. */
  build(site, variant, again) {
    const folder = join(this.work, site.folder);
    const built = join(folder, "built", variant);
    if (existsSync(built) && !again) return built;
    this.say(`${site.name}: building for ${variant}`);
    rmSync(built, { recursive: true, force: true });
    mkdirSync(join(folder, "built"), { recursive: true });
    for (const name of readdirSync(folder)) if (!KEPT.includes(name)) rmSync(join(folder, name), { recursive: true });
    site.sources(folder);
    this.#install(site, folder);
    const steps = [...(site.plain ?? []), ...site.variants[variant]];
    for (const step of steps) change(folder, step);
    if (site.build) this.#run(site.build, folder, site);
    renameSync(join(folder, site.out), built);
    for (const { after } of steps) if (after === "knarr add") this.#run(`node ${join(PACKAGE, "bin/knarr.mjs")} add ${built} --quiet`, folder);
    if (variant === "pagefind") this.#pagefind(built, site.base);
    return built;
  }

  #pagefind(site, base) {
    this.#run(`${join(this.work, "tools/node_modules/.bin/pagefind")} --site ${site} --silent`, site);
    for (const name of readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"))) {
      const file = join(site, name);
      const page = readFileSync(file, "utf8");
      if (page.includes("</body>")) writeFileSync(file, page.replace(/<\/body>/, () => `${pagefindLines(base)}</body>`));
    }
  }
}

/** One step: a file that is not wanted, or changes of one. A change that finds nothing is an error: the site is another one. */
function change(folder, { remove, file, changes }) {
  if (remove) rmSync(join(folder, remove), { recursive: true });
  if (!file) return;
  const path = join(folder, file);
  if (typeof changes[0] === "string") return void writeFileSync(path, changes[0]);
  let text = readFileSync(path, "utf8");
  for (const [from, to] of changes) {
    const found = from instanceof RegExp ? from.test(text) : text.includes(from);
    if (!found) throw new Error(`${path} has no ${from}`);
    text = text.replace(from, () => to);
  }
  writeFileSync(path, text);
}

/** The sources of a kit's site: a copy of its folder. */
export const copyOf = (from) => (to) => {
  cpSync(from, to, { recursive: true });
  execFileSync("chmod", ["-R", "u+w", dirname(join(to, "x"))]);
};
