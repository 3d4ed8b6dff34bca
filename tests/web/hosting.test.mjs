/** The blocks of docs/HOSTING.md, read by the programs that they are for: what is then sent for each file. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parseAllHeaders } from "@netlify/headers-parser";
import { getTransformedRoutes } from "@vercel/routing-utils";

const PAGE = readFileSync(new URL("../../docs/HOSTING.md", import.meta.url), "utf8");
const block = (opening) => new RegExp(`^\`\`\`${opening}\\n(.*?)^\`\`\``, "ms").exec(PAGE)[1];

const FOREVER = "public, max-age=31536000, immutable";
const HOUR = "public, max-age=3600";
/** What is to be sent for a file; undefined where the host's own way does, which is to revalidate. */
const WANTED = {
  "/knarr/search/03e97e7dbe5c.pack": FOREVER, "/knarr/search/index.knarr": undefined,
  "/knarr/knarr-search.js": HOUR, "/knarr/knarr_core_bg.wasm": HOUR, "/index.html": undefined,
};

let site;
before(() => {
  site = mkdtempSync(join(tmpdir(), "knarr-hosting-"));
  chmodSync(site, 0o755); // The server's workers are somebody else.
  mkdirSync(join(site, "public/knarr/search"), { recursive: true });
  for (const path of Object.keys(WANTED)) {
    const file = join(site, "public", path);
    writeFileSync(file, "x".repeat(5000));
    const published = Date.now() / 1000 - 3600; // Of a file of this second Apache says only that it may be the same.
    utimesSync(file, published, published);
  }
});
after(() => rmSync(site, { recursive: true, force: true }));

test("Netlify", async () => {
  const file = join(site, "_headers");
  writeFileSync(file, block("text \\[_headers\\]"));
  const { headers, errors } = await parseAllHeaders({ headersFiles: [file], minimal: false });
  assert.deepEqual(errors, []);
  for (const [path, wanted] of Object.entries(WANTED)) {
    const own = headers.filter(({ forRegExp }) => forRegExp.test(path));
    assert.deepEqual(own.map(({ values }) => values["Cache-Control"] ?? values["cache-control"]), wanted ? [wanted] : [], path);
  }
});

test("Vercel", () => {
  const { routes, error } = getTransformedRoutes(JSON.parse(block("json \\[vercel.json\\]")));
  assert.equal(error, null);
  for (const [path, wanted] of Object.entries(WANTED)) {
    const own = (routes ?? []).filter(({ src, headers }) => headers && new RegExp(src).test(path));
    assert.deepEqual(own.map(({ headers }) => headers["Cache-Control"]), wanted ? [wanted] : [], path);
  }
});

/** Starts a server, asks for everything, and ends it. */
async function ask(program, args, port) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (told += data));
  const address = (path) => `http://127.0.0.1:${port}${path}`;
  try {
    for (let i = 0; !(await fetch(address("/index.html")).then(({ ok }) => ok, () => false)); i++) {
      assert.ok(i < 200 && child.exitCode === null, told);
      await sleep(50);
    }
    for (const [path, wanted] of Object.entries(WANTED)) {
      const { headers } = await fetch(address(path), { headers: { "accept-encoding": "gzip" } });
      const control = path.endsWith(".knarr") ? "no-cache" : wanted;
      assert.equal(headers.get("cache-control"), control ?? null, path);
      assert.ok(headers.get("etag") ?? headers.get("last-modified"), path);
      if (path.endsWith(".wasm")) assert.equal(headers.get("content-type"), "application/wasm");
      if (path.endsWith(".js")) assert.match(headers.get("content-type"), /javascript/);
      if (program === "nginx" && control === HOUR) assert.equal(headers.get("content-encoding"), "gzip", path);
    }
    // A range at its own address, as the engine asks.
    const [pack] = Object.keys(WANTED);
    const part = await fetch(address(`${pack}?100-199`), { headers: { Range: "bytes=100-199" } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("cache-control"), FOREVER);
    assert.match(part.headers.get("etag"), /^"/);
    assert.equal((await part.arrayBuffer()).byteLength, 100);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

const port = () => 20_000 + Math.floor(Math.random() * 20_000);
const lacks = (program) => (spawnSync(program, ["-v"]).error ? `no ${program}` : false);

test("nginx", { skip: lacks("nginx") }, async () => {
  const own = port();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${site}/${name};`).join(" ");
  writeFileSync(join(site, "nginx.conf"), `daemon off; pid ${site}/nginx.pid; error_log stderr; events {}
    http { include /etc/nginx/mime.types; access_log off; ${temporary}
      server { listen 127.0.0.1:${own}; root ${site}/public;\n${block("nginx")}\n} }`);
  await ask("nginx", ["-c", join(site, "nginx.conf")], own);
});

test("Apache", { skip: lacks("apache2") }, async () => {
  const own = port();
  const modules = ["mpm_event", "authz_core", "headers", "mime", "dir"].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
  writeFileSync(join(site, "public/.htaccess"), block("apache"));
  writeFileSync(join(site, "apache.conf"), `${modules.join("\n")}
    ServerName localhost\nServerRoot ${site}\nListen 127.0.0.1:${own}\nPidFile ${site}/apache.pid\nErrorLog ${site}/apache.log\nTypesConfig /etc/mime.types
    DocumentRoot ${site}/public\nDefaultRuntimeDir ${site}\n<Directory ${site}/public>\nAllowOverride All\nRequire all granted\n</Directory>\n`);
  await ask("apache2", ["-f", join(site, "apache.conf"), "-D", "FOREGROUND"], own);
});
