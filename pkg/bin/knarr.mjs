#!/usr/bin/env node
/** `npx knarr …`: the command line, compiled to WebAssembly, on Node's own file system. `knarr --help` lists the commands. */

import { add, ADD_HELP } from "./add.mjs";
import { init, INIT_HELP } from "./init.mjs";
import { mdbook, MDBOOK_HELP } from "./mdbook.mjs";
import { run } from "./run.mjs";

/** The commands that need the package's own files. */
const OWN = { add: [add, ADD_HELP], init: [init, INIT_HELP], mdbook: [mdbook, MDBOOK_HELP] };

/** Runs a command of the package; where the system refuses a file, that is told in one line. */
async function runOwn(command, args) {
  try {
    return await command(args);
  } catch (error) {
    if (error.syscall === undefined) throw error;
    console.error(`error[IO]: ${error.message}`);
    return 1;
  }
}

const args = process.argv.slice(2);
const [own, help] = (Object.hasOwn(OWN, args[0] ?? "") && OWN[args[0]]) || [];
if (own && args.some((arg) => arg === "--help" || arg === "-h")) console.log(help);
else process.exitCode = await (own ? runOwn(own, args.slice(1)) : run(args));
