/** Paths of the command line as its module sees them: it knows one root and slashes, Windows a root per drive and backslashes. */

import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";

/** Options of which the value is a path. */
const NAMES_PATH = new Set(["--out", "-o", "--site-file", "--queries", "--qrels", "--off-topic", "--session", "--endpoints", "--cache", "--ovpack"]);

/** Where the command runs: told by tests, for the machine that they do not run on. */
const HERE = { platform: process.platform, cwd: process.cwd(), exists: existsSync };

/** A path as the module sees it: `C:\docs` is `/C:/docs`. */
export function inside(path, { platform, cwd } = HERE) {
  if (platform !== "win32") return path;
  // What programs write that asked the system for the real path of a file.
  const plain = path.replace(/^\\\\\?\\(?=[A-Za-z]:)/, "");
  if (win32.parse(plain).root === "") return plain.replaceAll("\\", "/");
  const whole = win32.resolve(cwd, plain).replaceAll("\\", "/");
  return whole.replace(/^[a-z]:/i, (drive) => `/${drive.toUpperCase()}`);
}

/** The path on this machine of what the module names. */
export function outside(path, { platform } = HERE) {
  return platform === "win32" && /^\/[A-Z]:(\/|$)/.test(path) ? win32.normalize(path.slice(1)) : path;
}

/** The arguments of a command as its module reads them. Questions and patterns stay as they are, whatever signs they have. */
export function argumentsInside(args, here = HERE) {
  if (here.platform !== "win32") return args;
  return args.map((arg, at) => {
    const [, option, value] = /^(--[\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (NAMES_PATH.has(option)) return `${option}=${inside(value, here)}`;
    // Every command but `eval` has one path, its first argument.
    const isPath = NAMES_PATH.has(args[at - 1]) || (at === 1 && !arg.startsWith("-")) || (at > 1 && /[\\:]/.test(arg) && here.exists(arg));
    return isPath ? inside(arg, here) : arg;
  });
}

/**
 * The folders that the module may open: the whole file system, as any command; on Windows the drives that are named, as a
 * drive that is not connected keeps everybody waiting who asks for it.
 */
export function folders(args, { platform, cwd } = HERE) {
  if (platform !== "win32") return { [posix.sep]: posix.sep };
  const drives = [inside(cwd, { platform, cwd }), ...args].map((path) => /^(?:--[\w-]+=)?\/([A-Z]:)(?:\/|$)/.exec(path)?.[1]);
  return Object.fromEntries([...new Set(drives)].filter(Boolean).map((drive) => [`/${drive}`, `${drive}\\`]));
}
