/** What several tests expect in the same words. */

import assert from "node:assert/strict";

/** URIs of a `find` or `search`. */
export const uris = ({ memories, resources, skills }) => [...memories, ...resources, ...skills].map(({ uri }) => uri);

/** A check for `assert.rejects`: an error of the package with this code and a message like this. */
export const refused = (code, message) => (error) => {
  assert.equal(error.name, "KnarrError", String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return true;
};

/** Waits up to two seconds for what happens without being waited for. */
export async function until(condition) {
  for (let i = 0; i < 100 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(condition());
}
