import * as entry from "../dist/direct.js";
export const { Knarr, KnarrError, Session } = entry;
