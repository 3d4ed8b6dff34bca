import * as entry from "../dist/core.js";
export const { Knarr, KnarrError, Session } = entry;
