import * as entry from "../dist/remote.js";
export const { Backend, KnarrError, Session, remote } = entry;
