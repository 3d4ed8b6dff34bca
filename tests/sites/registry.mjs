/** A registry of npm that has this package, and sends everybody on to the real one for all others: the day after it is published. */

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PACKAGE } from "../web/bundles.mjs";

const UPSTREAM = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim().replace(/\/?$/, "/");

/** Starts it; `address` is what `npm_config_registry` is set to. */
export async function startRegistry() {
  const folder = mkdtempSync(join(tmpdir(), "knarr-registry-"));
  const [{ filename }] = Object.values(JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: PACKAGE, stdio: ["ignore", "pipe", "ignore"],
  })));
  const archive = readFileSync(join(folder, filename));
  rmSync(folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const server = createServer((request, response) => {
    const address = `http://${request.headers.host}/`;
    if (request.url === `/${filename}`) return void response.end(archive);
    if (request.url !== "/knarr") return void response.writeHead(302, { location: UPSTREAM + request.url.slice(1) }).end();
    const dist = { tarball: address + filename, integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}` };
    const versions = { [manifest.version]: { ...manifest, dist } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ name: "knarr", "dist-tags": { latest: manifest.version }, versions }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => (server.closeAllConnections(), server.close()) };
}
