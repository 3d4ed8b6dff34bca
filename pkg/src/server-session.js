/** A conversation of the caller's on a server: a session that lives as long as one search. */

import { invalid } from "./errors.js";

/** Messages that are sent: a server reads no more for a plan. */
const MESSAGES = 5;

/** The last messages with a text, and the summary. */
export function messagesOf(session) {
  const { messages = [], summary = "" } = session ?? {};
  if (!Array.isArray(messages)) throw invalid("the session: messages are not a list");
  const said = messages.map(({ role, content }) => {
    const text = Array.isArray(content) ? content.find((part) => part?.text)?.text : content;
    if (typeof role !== "string" || typeof (text ?? "") !== "string") throw invalid("the session: a message is { role, content }");
    return { role, content: text ?? "" };
  });
  return { messages: said.filter(({ content }) => content.trim() !== "").slice(-MESSAGES), summary: String(summary).trim() };
}

/**
 * Makes a session of the messages, searches with it, and has it removed, also when the search failed or was aborted.
 *
 * Cost: a request to make it, one a message, one to remove it, which nobody waits for: if that fails, the session stays.
 * A server with automatic commits could take the messages into the user's memories before it is removed.
 *
 * @param {(method: string, path: string, content: object, signal?: AbortSignal) => Promise<any>} send
 * @param {(id: string) => Promise<any>} search with the session of this id
 */
export async function converse(send, messages, headers, search, signal) {
  const { session_id } = await send("POST", "api/v1/sessions", { body: {}, headers }, signal);
  const path = `api/v1/sessions/${encodeURIComponent(session_id)}`;
  try {
    for (const message of messages) await send("POST", `${path}/messages`, { body: message, headers }, signal);
    return await search(session_id);
  } finally {
    send("DELETE", path, { headers }).catch(() => {});
  }
}
