/** Attributes of the search field, as a plugin's options and the commands give them. */

import { KnarrError } from "../dist/errors.js";

/** Where the field finds its index is for whoever puts it into the page. */
const OWN = ["src", "from", "base"];

/**
 * The attributes of the field as texts by their names: `true` is a switch, `false` and nothing leave one out, and an object is
 * JSON; with `answers` the attribute `answer` is among them.
 *
 * Throws a `KnarrError`: `INVALID_ARGUMENT` for what is no attribute, or one that leads to the index.
 */
export function attributesOf({ answers = false, attributes = {} } = {}) {
  const refuse = (message) => new KnarrError("INVALID_ARGUMENT", message);
  if (typeof attributes !== "object" || attributes === null || Array.isArray(attributes)) throw refuse("attributes is not an object of names and values, such as { facets: \"kind\", related: true }");
  const given = Object.entries({ ...(answers && { answer: true }), ...attributes });
  for (const [name] of given) {
    if (!/^[a-z][a-z-]*$/.test(name)) throw refuse(`attributes: “${name}” is no name of an attribute`);
    if (OWN.includes(name)) throw refuse(`attributes: ${name} leads to the index, and is written for it`);
  }
  const text = (value) => (value === true ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));
  return Object.fromEntries(given.filter(([, value]) => value !== false && value !== null && value !== undefined).map(([name, value]) => [name, text(value)]));
}

/** Attributes as they are written into a page, each with a space before it. Letters beyond ASCII as references: a page may be in any encoding. */
export function htmlOf(attributes) {
  const escaped = (text) => text.replace(/[&"<>]|[^\x20-\x7e]/gu, (sign) => `&#${sign.codePointAt(0)};`);
  return Object.entries(attributes).map(([name, text]) => ` ${name}${text === "" ? "" : `="${escaped(text)}"`}`).join("");
}

/** Reads `--attribute NAME=TEXT` (a switch without `=`) and `--answers` out of a command's arguments; with what is left of them. */
export function takeAttributes(args) {
  const attributes = {};
  const left = [];
  for (let at = 0; at < args.length; at++) {
    const [, glued] = /^--attribute=(.*)$/s.exec(args[at]) ?? [];
    if (glued === undefined && args[at] !== "--attribute") {
      left.push(args[at]);
      continue;
    }
    const text = glued ?? args[++at];
    if (text === undefined) throw new KnarrError("INVALID_ARGUMENT", "--attribute needs a value, such as --attribute facets=kind");
    const equals = text.indexOf("=");
    attributes[equals < 0 ? text : text.slice(0, equals)] = equals < 0 ? true : text.slice(equals + 1);
  }
  const isAnswers = (arg) => arg === "--answers";
  return { attributes: attributesOf({ answers: left.some(isAnswers), attributes }), left: left.filter((arg) => !isAnswers(arg)) };
}
