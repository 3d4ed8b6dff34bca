/** Real web servers for tests, run as the machine has them: nginx and Apache, and any program that serves a folder. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The reason to skip a test of `program`; false where it is installed. */
export const lacks = (program, flag = "-v") => (spawnSync(program, [flag]).error ? `no ${program}` : false);

/** A port that is free, most likely. */
const port = () => 20_000 + Math.floor(Math.random() * 20_000);

/**
 * Runs a program until `use` has ended, which is given the origin once the program answers `path`: `origin`, or the first
 * that it says.
 */
export async function during(program, args, { origin, path }, use) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (told += data));
  const answering = async () => {
    for (let i = 0; i < 200 && child.exitCode === null; i++) {
      const at = origin ?? /http:\/\/[\d.:]+/.exec(told)?.[0];
      if (at && (await fetch(at + path).then(({ ok }) => ok, () => false))) return at;
      await sleep(50);
    }
    return assert.fail(`${program} does not answer: ${told}`);
  };
  try {
    await use(await answering());
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

/** Serves `folder` by nginx with `block` in its `server`; what it writes goes into `scratch`. */
export async function nginx({ scratch, folder, path, block = "" }, use) {
  const own = port();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${scratch}/${name};`).join(" ");
  writeFileSync(join(scratch, "nginx.conf"), `daemon off; pid ${scratch}/nginx.pid; error_log stderr; events {}
    http { include /etc/nginx/mime.types; access_log off; ${temporary}
      server { listen 127.0.0.1:${own}; root ${folder};\n${block}\n} }`);
  await during("nginx", ["-c", join(scratch, "nginx.conf")], { origin: `http://127.0.0.1:${own}`, path }, use);
}

/** The same by Apache, which reads `.htaccess` of the folder. */
export async function apache({ scratch, folder, path }, use) {
  const own = port();
  const modules = ["mpm_event", "authz_core", "headers", "mime", "dir"].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
  writeFileSync(join(scratch, "apache.conf"), `${modules.join("\n")}
    ServerName localhost\nServerRoot ${scratch}\nListen 127.0.0.1:${own}\nPidFile ${scratch}/apache.pid\nErrorLog ${scratch}/apache.log\nTypesConfig /etc/mime.types
    DocumentRoot ${folder}\nDefaultRuntimeDir ${scratch}\n<Directory ${folder}>\nAllowOverride All\nRequire all granted\n</Directory>\n`);
  await during("apache2", ["-f", join(scratch, "apache.conf"), "-D", "FOREGROUND"], { origin: `http://127.0.0.1:${own}`, path }, use);
}
