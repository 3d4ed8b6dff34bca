/** A conversation, as `search()` takes it. */

import { invalid } from "./errors.js";

/** What was said. Plain data: it may be stored as JSON and made again from it. */
export class Session {
  /** @param {{ messages?: { role: string, content: string }[], summary?: string }} [from] */
  constructor({ messages = [], summary = "" } = {}) {
    this.messages = [...messages];
    this.summary = summary;
  }

  /** Adds a message at the end; returns the session. */
  addMessage(role, content) {
    if (typeof role !== "string" || typeof content !== "string") throw invalid("addMessage: role and content are strings");
    this.messages.push({ role, content });
    return this;
  }
}
