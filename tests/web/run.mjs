/** `npm test`: builds the bundles the tests search, then runs every `*.test.mjs`. Extra arguments go to `node --test`. */

import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { prepare } from "./bundles.mjs";
import { fileURLToPath } from "node:url";

prepare();
const here = fileURLToPath(new URL(".", import.meta.url));
// Two files at a time where there are two cores: each starts a browser, which waits as often as it works. The `spec` reporter
// names what failed once more at the end, which is what is left of a long log.
const args = ["--test", `--test-concurrency=${Math.min(2, availableParallelism())}`, "--test-reporter=spec", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: here, stdio: "inherit" });
process.exitCode = status ?? 1;
