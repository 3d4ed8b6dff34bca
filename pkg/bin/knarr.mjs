#!/usr/bin/env node
/** `npx knarr …`: the command line, compiled to WebAssembly, on Node's own file system. `knarr --help` lists the commands. */

import { init, INIT_HELP } from "./init.mjs";
import { run } from "./run.mjs";

const [command, ...rest] = process.argv.slice(2);
if (command === "init") {
  process.exitCode = rest.includes("--help") || rest.includes("-h") ? (console.log(INIT_HELP), 0) : init(rest);
} else {
  process.exitCode = await run(process.argv.slice(2));
}
