/**
 * A server of endpoints on another origin: it answers as endpoints do, or fails in the way that the path names,
 * `/FAULT/KIND`, with the kinds `chat`, `rerank` and `embed`.
 */

import { createServer } from "node:http";

/** Each fault, and what the answer's `skipped` must say of it. */
export const FAULTS = [
  ["hang", /did not answer within/], ["drip", /did not answer within/], ["cut", /could not be reached|cut off/],
  ["401", /answered 401: no such key/], ["429", /answered 429/], ["500", /answered 500/], ["later", /asks to wait longer/],
  ["redirect", /could not be reached/], ["html", /looks like an HTML page/], ["truncated", /cut off/], ["empty", /is empty/],
  ["huge", /longer than/], ["closed", /could not be reached/],
];

/** Starts a server whose chat model writes `content`; `requests` lists what was asked for, `sent` the bytes of `huge`. */
export async function serveEndpoints(content) {
  const state = { requests: [], sent: 0, cors: true };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const [, fault, kind, what] = request.url.split("/");
    if (state.cors) {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "content-type, authorization");
      response.setHeader("access-control-expose-headers", "retry-after");
    }
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    const body = text === "" ? {} : JSON.parse(text);
    state.requests.push({ path: request.url, headers: request.headers, body });
    const first = state.requests.filter(({ path }) => path === request.url).length === 1;
    const good = answerOf(kind, body, content);
    const answer = JSON.stringify(good);
    const end = (status, headers, text) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(text);
    };
    switch (fault) {
      case "ok": return end(200, {}, answer);
      case "busy": return first ? end(429, { "retry-after": "0.05" }, "{}") : end(200, {}, answer);
      case "hang": return undefined;
      case "drip": {
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(timer));
        return undefined;
      }
      case "cut":
        response.writeHead(200, { "content-length": answer.length + 100 });
        response.write(answer);
        return setTimeout(() => response.socket?.destroy(), 20);
      case "closed": return response.socket?.destroy();
      case "401": return end(401, {}, '{"error": {"message": "no such key"}}');
      case "429": return end(429, { "retry-after": "0" }, "{}");
      case "500": return end(500, { "retry-after": "0" }, "oops");
      case "later": return end(503, { "retry-after": "120" }, "");
      case "redirect": return end(307, { location: "/ok/chat" }, "");
      case "html": return end(200, {}, "<!doctype html><title>Sign in</title>");
      case "truncated": return end(200, {}, answer.slice(0, answer.length / 2));
      case "empty": return end(200, {}, "");
      case "huge": return flood(state, response);
      case "wrong": return end(200, {}, spoil(good, what));
      default: return end(404, {}, "");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

/** What a working endpoint answers: the plan; scores that turn the order round; a vector of the first dimension. */
function answerOf(kind, body, content) {
  switch (kind) {
    case "chat": return { choices: [{ message: { role: "assistant", content } }] };
    case "rerank": {
      const n = body.documents?.length ?? 0;
      const results = Array.from({ length: n }, (_, index) => ({ index, relevance_score: (index + 1) / (n + 1) }));
      return { results };
    }
    default: {
      const embedding = Array.from({ length: body.dimensions ?? 64 }, (_, i) => (i === 0 ? 1 : 0));
      return { data: (body.input ?? []).map((_, index) => ({ index, embedding })) };
    }
  }
}

/** A well-formed answer that says the wrong things. */
function spoil(good, what) {
  const items = good.results ?? good.data;
  if (what === "short") items.pop();
  if (what === "range") items[0].index = items.length + 5;
  if (what === "nan") return JSON.stringify(good).replace(/"relevance_score":[\d.]+/g, '"relevance_score":NaN');
  return JSON.stringify(good);
}

/** 100 MB, as fast as the other side reads. */
function flood(state, response) {
  const megabyte = Buffer.alloc(1 << 20, " ");
  response.writeHead(200, { "content-length": 100 * megabyte.length });
  const write = () => {
    while (state.sent < 100 && !response.destroyed) {
      state.sent += 1;
      if (!response.write(megabyte)) return response.once("drain", write);
    }
    return response.end();
  };
  write();
}
