import * as entry from "../dist/index.js";
export const { Knarr, KnarrError, Session } = entry;
