/**
 * Lists folders for the module where Node's own WASI does not: on Windows, uvwasi answers `fd_readdir` with "not
 * implemented". https://github.com/nodejs/uvwasi says which of the calls it has.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Numbers of the interface: success, no such file descriptor, input and output failed, not implemented. */
const SUCCESS = 0;
const BADF = 8;
const IO = 29;
const NOSYS = 52;

/** Bytes of an entry before its name: cookie of the next, inode, length of the name, type. */
const HEADER = 24;

const typeOf = (entry) => (entry.isDirectory() ? 3 : entry.isFile() ? 4 : entry.isSymbolicLink() ? 7 : 0);

/** The calls of `imports` with a `fd_readdir` that always answers. `preopens` are the folders of the descriptors from 3 on. */
export function listing(imports, memory, preopens) {
  const { path_open, fd_close, fd_renumber, fd_readdir } = imports;
  const paths = new Map(Object.values(preopens).map((path, at) => [at + 3, path]));
  const lists = new Map();
  const view = () => new DataView(memory.buffer);
  const forget = (fd) => (paths.delete(fd), lists.delete(fd));

  /** The entries as bytes, each with where the next begins. The order has to stay from call to call. */
  const read = (fd) => {
    const entries = readdirSync(paths.get(fd), { withFileTypes: true });
    return [[".", 3], ["..", 3], ...entries.map((entry) => [entry.name, typeOf(entry)])].map(([name, type], at) => {
      const letters = new TextEncoder().encode(name);
      const bytes = new Uint8Array(HEADER + letters.length);
      const head = new DataView(bytes.buffer);
      head.setBigUint64(0, BigInt(at + 1), true);
      head.setBigUint64(8, 1n, true); // Nothing compares inodes here; without one, each is asked for.
      head.setUint32(16, letters.length, true);
      head.setUint8(20, type);
      bytes.set(letters, HEADER);
      return bytes;
    });
  };

  return {
    ...imports,
    path_open(folder, lookup, at, length, ...rest) {
      const status = path_open(folder, lookup, at, length, ...rest);
      if (status === SUCCESS && paths.has(folder)) {
        const path = new TextDecoder().decode(new Uint8Array(memory.buffer, at, length).slice());
        paths.set(view().getUint32(rest.at(-1), true), join(paths.get(folder), path));
      }
      return status;
    },
    fd_close(fd) {
      forget(fd);
      return fd_close(fd);
    },
    fd_renumber(from, to) {
      const status = fd_renumber(from, to);
      if (status === SUCCESS) {
        const path = paths.get(from);
        forget(from);
        forget(to);
        if (path !== undefined) paths.set(to, path);
      }
      return status;
    },
    fd_readdir(fd, at, length, cookie, used) {
      const status = fd_readdir(fd, at, length, cookie, used);
      if (status !== NOSYS) return status;
      if (!paths.has(fd)) return BADF;
      try {
        if (cookie === 0n || !lists.has(fd)) lists.set(fd, read(fd));
      } catch {
        return IO;
      }
      // The last entry may be cut: the caller comes back for it with more room.
      let filled = 0;
      for (const bytes of lists.get(fd).slice(Number(cookie))) {
        const part = bytes.subarray(0, length - filled);
        new Uint8Array(memory.buffer, at + filled, part.length).set(part);
        filled += part.length;
        if (filled === length) break;
      }
      view().setUint32(used, filled, true);
      return SUCCESS;
    },
  };
}
