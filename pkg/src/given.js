/** What an argument is, in whatever realm it was made: test runners and frames have constructors of their own. */

export const kind = (value) => Object.prototype.toString.call(value).slice(8, -1);

export const isAddress = (value) => typeof value === "string" || kind(value) === "URL";

/** A view of bytes that were given as such; undefined for anything else. */
export function bytesIn(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return kind(value) === "ArrayBuffer" ? new Uint8Array(value) : undefined;
}
