/**
 * More languages of `<knarr-search>`, as the table in element-strings.js has the others: the label, and the file of the other texts.
 *
 * There a line is a dozen bytes of every page. A page in one of these languages loads this table as soon as it has an element.
 */
export default {
  af: ["Soek", () => import("./strings-af.js")],
  bg: ["Търсене", () => import("./strings-bg.js")],
  bn: ["খুঁজুন", () => import("./strings-bn.js")],
  et: ["Otsi", () => import("./strings-et.js")],
  eu: ["Bilatu", () => import("./strings-eu.js")],
  fil: ["Maghanap", () => import("./strings-fil.js")],
  gl: ["Buscar", () => import("./strings-gl.js")],
  hr: ["Pretraži", () => import("./strings-hr.js")],
  ka: ["ძიება", () => import("./strings-ka.js")],
  lt: ["Ieškoti", () => import("./strings-lt.js")],
  lv: ["Meklēt", () => import("./strings-lv.js")],
  ms: ["Cari", () => import("./strings-ms.js")],
  sk: ["Hľadať", () => import("./strings-sk.js")],
  sl: ["Iskanje", () => import("./strings-sl.js")],
  sr: ["Претрага", () => import("./strings-sr.js")],
  srLatn: ["Pretraga", () => import("./strings-sr-latn.js")],
  sw: ["Tafuta", () => import("./strings-sw.js")],
  ta: ["தேடுக", () => import("./strings-ta.js")],
  ur: ["تلاش کریں", () => import("./strings-ur.js")],
};
