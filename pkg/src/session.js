/** A conversation, as `search()` takes it. */

import { invalid } from "./errors.js";

/** What was said. Plain data: it may be stored as JSON and made again from it. */
export class Session {
  /** @param {{ messages?: { role: string, content: string | { text?: string }[] }[], summary?: string }} [from] */
  constructor({ messages = [], summary = "" } = {}) {
    this.messages = [...messages];
    this.summary = summary;
  }

  /** Adds a message at the end, a text or a list of parts; returns the session. */
  addMessage(role, content) {
    const isContent = typeof content === "string" || (Array.isArray(content) && content.every((part) => typeof part === "object"));
    if (typeof role !== "string" || !isContent) throw invalid("addMessage: the role is a string, the content a string or a list of parts");
    this.messages.push({ role, content });
    return this;
  }
}
