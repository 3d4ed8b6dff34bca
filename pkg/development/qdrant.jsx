import * as entry from "../dist/qdrant.js";
export const { Backend, KnarrError, Session, remote } = entry;
