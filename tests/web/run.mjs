/** `npm test`: builds the bundles the tests search, then runs every `*.test.mjs`. Extra arguments go to `node --test`. */

import { spawnSync } from "node:child_process";
import { prepare } from "./bundles.mjs";
import { fileURLToPath } from "node:url";

prepare();
const here = fileURLToPath(new URL(".", import.meta.url));
// One file at a time: each starts a browser, and the machines that run this are small.
const args = ["--test", "--test-concurrency=1", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: here, stdio: "inherit" });
process.exitCode = status ?? 1;
