/**
 * Two models for trying a real OpenViking server without a network: `node models.mjs [PORT]` answers OpenAI-compatible
 * `/v1/embeddings` (hashed words, so texts that share words are near each other) and `/v1/chat/completions` (the first
 * words of the last message, or a plan of two queries when a plan is asked for).
 */

import { createServer } from "node:http";

/** Dimensions unless the request names others. */
const DIMS = 256;

/** A unit vector: each word adds to one dimension. */
export function embed(text, dims = DIMS) {
  const vector = new Array(dims).fill(0);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)) {
    let hash = 2166136261;
    for (const char of word) hash = Math.imul(hash ^ char.codePointAt(0), 16777619) >>> 0;
    vector[hash % dims] += 1;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.map((_, i) => (i === 0 ? 1 : 0)) : vector.map((value) => value / length);
}

/** What the chat model writes. */
export function write(prompt) {
  if (/context_type/.test(prompt) && /queries/.test(prompt)) {
    const queries = [
      { query: "mooring knots", context_type: "resource", intent: "how to", priority: 1 },
      { query: "weather signs", context_type: "resource", intent: "when", priority: 2 },
    ];
    return JSON.stringify({ reasoning: "two needs", queries });
  }
  return prompt.replace(/\s+/g, " ").slice(-400);
}

function answer(path, body) {
  if (path.endsWith("/embeddings")) {
    const data = [body.input].flat().map((text, index) => ({ object: "embedding", index, embedding: embed(String(text), body.dimensions) }));
    return { object: "list", model: body.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
  }
  const { content } = body.messages.at(-1);
  const prompt = typeof content === "string" ? content : content.map(({ text }) => text ?? "").join(" ");
  const message = { role: "assistant", content: write(prompt) };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: "1", object: "chat.completion", created: 0, model: body.model, choices: [{ index: 0, message, finish_reason: "stop" }], usage };
}

/** Starts the server; resolves to its port. */
export function serveModels(port = 0) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    response.setHeader("content-type", "application/json");
    if (request.method !== "POST") return response.writeHead(404).end("{}");
    return response.end(JSON.stringify(answer(request.url, JSON.parse(text))));
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server.address().port)));
}

if (import.meta.filename === process.argv[1]) console.log(`http://127.0.0.1:${await serveModels(Number(process.argv[2] ?? 0))}/v1`);
