/** A file of the package: its address, where a bundler copies files that are imported. */

declare const address: string;
export default address;
