/**
 * An OpenViking server's HTTP interface on loopback, as strict as a real one of the given version: unknown fields are
 * refused (before 0.4.1: ignored, and listed in `ignored`), and answers have that version's shape. A test may put a fault
 * before a path. What the shapes are was checked against the published servers 0.2.11, 0.3.24, 0.4.11 and 0.5.2.
 */

import { createServer } from "node:http";

const TEXTS = {
  "viking://resources/handbook/guide/mooring.md": "# Mooring a boat\n\nA bowline is a loop that never jams.\n",
  "viking://resources/handbook/guide/weather.md": "# Reading the weather\n\nA falling barometer means wind.\n",
  "viking://user/alice/memories/preferences/boats.md": "Alice likes wooden boats and the bowline.\n",
  "viking://user/bob/memories/preferences/boats.md": "Bob likes the bowline too.\n",
  "viking://user/alice/peers/web/memories/boats.md": "The visitor asked about the bowline.\n",
  "viking://user/alice/peers/shop/memories/boats.md": "The shop sells rope for a bowline.\n",
};
const ABSTRACTS = { "viking://resources/handbook/guide": "How to moor with a bowline, and read the weather." };
const OVERVIEW = "# guide\n\n- mooring.md\n- weather.md\n";

const since = (version, ...parts) => {
  const numbers = (version ?? "99.0.0").split(".").map(Number);
  const at = parts.findIndex((part, i) => part !== numbers[i]);
  return at < 0 || numbers[at] > parts[at];
};

/** Fields that a body of this version may have. */
function fields(version, path) {
  const has = (...parts) => since(version, ...parts);
  const find = [
    "query", "target_uri", "limit", "node_limit", "score_threshold", "filter", "include_provenance", "telemetry",
    ...(has(0, 3, 9) ? ["since", "until", "time_field"] : []), ...(has(0, 3, 17) ? ["level"] : []),
    ...(has(0, 4, 1) ? ["context_type"] : ["peer_id"]), ...(has(0, 4, 3) ? ["tags", "image_url"] : []),
  ];
  switch (path) {
    case "search/find": return find;
    case "search/search": return [...find, "session_id"];
    case "search/grep": return ["uri", "pattern", "case_insensitive", "node_limit", ...(has(0, 3, 4) ? ["exclude_uri", "level_limit"] : [])];
    case "search/glob": return ["uri", "pattern", "node_limit"];
    case "sessions": return ["session_id"];
    default: return ["role", "content", "parts"];
  }
}

/** A refusal with the server's own code. */
class Refusal extends Error {
  constructor(status, code, message, details = {}) {
    super(message);
    Object.assign(this, { status, error: { code, message, details } });
  }
}

/** Starts a server of a version; undefined answers `/health` without one. `requests` lists what was asked for. */
export async function serveOpenViking(version, { key } = {}) {
  const state = { version, key, requests: [], ignored: [], sessions: new Map(), removed: [], fault: undefined, sent: 0, cors: true, plan: undefined };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (state.cors) allow(request, response);
    if (request.method === "OPTIONS") return response.writeHead(200).end("OK");
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const path = pathname.replace(/^\/(api\/v1\/)?/, "");
    const body = text === "" ? undefined : JSON.parse(text);
    state.requests.push({ method: request.method, path, query: Object.fromEntries(searchParams), body, headers: request.headers });
    const end = (status, value, headers = {}) => {
      response.writeHead(status, { "content-type": "application/json", "x-request-id": request.headers["x-request-id"] ?? "made-here", ...headers });
      response.end(typeof value === "string" ? value : JSON.stringify(value));
    };
    try {
      if (state.fault?.(path, state.requests.length) !== undefined) return fail(state, response, end, state.fault(path, state.requests.length));
      if (path === "health") return end(200, { status: "ok", healthy: true, version: state.version, auth_mode: key ? "api_key" : "dev" });
      if (key && request.headers["x-api-key"] !== key) throw new Refusal(401, "UNAUTHENTICATED", "Missing API Key");
      if (path === "content/download") {
        const uri = searchParams.get("uri");
        if (TEXTS[uri] === undefined) throw new Refusal(404, "NOT_FOUND", `Resource not found: ${uri}`);
        const name = encodeURIComponent(uri.split("/").at(-1));
        return response.writeHead(200, { "content-type": "application/octet-stream", "content-disposition": `attachment; filename*=UTF-8''${name}` })
          .end(Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(TEXTS[uri])]));
      }
      const result = answer(state, request.method, path, body, Object.fromEntries(searchParams));
      const nulls = /^search\/(find|search)$/.test(path) ? {} : { error: null, telemetry: null, profile: null };
      const telemetry = body?.telemetry === true ? { telemetry: { id: "tm_1", summary: { operation: path.replace("/", "."), status: "ok", duration_ms: 1 } } } : {};
      return end(200, { status: "ok", result, ...nulls, ...telemetry });
    } catch (error) {
      if (!(error instanceof Refusal)) return end(500, { status: "error", error: { code: "INTERNAL", message: String(error) } });
      return end(error.status, { status: "error", result: null, error: error.error });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    origin: `http://127.0.0.1:${server.address().port}`,
    asked: (path) => state.requests.filter((request) => request.path === path),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

/** As Starlette's middleware with every origin, method and header allowed. */
function allow({ headers }, response) {
  if (headers.origin === undefined) return;
  response.setHeader("access-control-allow-origin", headers.origin);
  response.setHeader("access-control-allow-credentials", "true");
  response.setHeader("access-control-expose-headers", "X-Request-ID");
  if (headers["access-control-request-method"] === undefined) return;
  response.setHeader("access-control-allow-methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT");
  response.setHeader("access-control-allow-headers", headers["access-control-request-headers"] ?? "");
}

function answer(state, method, path, body, query) {
  const { version } = state;
  const [, session] = /^sessions\/([^/]+)/.exec(path) ?? [];
  if (method === "POST") prove(state, path, body);
  if (method === "DELETE") {
    state.sessions.delete(session);
    state.removed.push(session);
    return { session_id: session };
  }
  if (session !== undefined) {
    state.sessions.get(session).push(body);
    return { session_id: session, message_count: state.sessions.get(session).length };
  }
  switch (path) {
    case "sessions": {
      const id = `s/${state.sessions.size + state.removed.length}`;
      state.sessions.set(encodeURIComponent(id), []);
      return { session_id: id, user: {} };
    }
    case "search/find": return find(version, body);
    case "search/search": return search(state, body);
    case "search/grep": return grep(body);
    case "search/glob": return { matches: Object.keys(TEXTS).filter((uri) => uri.endsWith(".md")).slice(0, body.node_limit), count: 2 };
    case "content/abstract": case "content/overview": return sidecar(version, path, query.uri);
    case "content/read": return read(query);
    case "fs/ls": case "fs/tree": return rows(version, path, query);
    case "fs/stat": return stat(query.uri);
    case "fs/attrs":
      if (since(version, 0, 4, 7)) return { uri: query.uri, context_type: "resource", attrs: { tags: ["lang=en"] } };
      break;
    case "relations":
      if (!since(version, 0, 4, 16)) return [{ uri: "viking://resources/handbook/guide/weather.md", reason: "wind" }];
      break;
    default:
  }
  throw new Refusal(404, "NOT_FOUND", "Not Found", undefined);
}

function prove(state, path, body) {
  const known = fields(state.version, path);
  const unknown = Object.keys(body).filter((field) => !known.includes(field));
  if (unknown.length === 0) {
    if (Array.isArray(body.target_uri) && !since(state.version, 0, 3, 13)) throw new Refusal(400, "INVALID_ARGUMENT", "body.target_uri: Input should be a valid string");
    return;
  }
  if (!since(state.version, 0, 4, 1)) return state.ignored.push(...unknown);
  const message = `Invalid request parameters: body.${unknown[0]}: Extra inputs are not permitted`;
  const errors = unknown.map((field) => ({ loc: ["body", field], message: "Extra inputs are not permitted", type: "extra_forbidden" }));
  throw new Refusal(400, "INVALID_ARGUMENT", message, { validation_errors: errors });
}

/** Every row of the server that has one of the words, with the shape of the version. */
function find(version, { query, limit = 10, level, context_type, filter }) {
  if (query.trim() === "") throw new Refusal(400, "INVALID_ARGUMENT", "Search query must not be empty.");
  if (since(version, 0, 5, 0) && limit < 1) throw new Refusal(400, "INVALID_ARGUMENT", "limit is too small");
  const words = query.toLowerCase().split(/\s+/);
  const levels = level === undefined ? [0, 1, 2] : [level].flat();
  const types = [context_type ?? filter?.conds ?? []].flat();
  const all = [
    ...Object.entries(ABSTRACTS).flatMap(([uri, text]) => [[`${uri}/.abstract.md`, 0, text], [`${uri}/.overview.md`, 1, OVERVIEW]]),
    ...Object.entries(TEXTS).map(([uri, text]) => [uri, 2, text]),
  ];
  const hits = all
    .filter(([uri, of, text]) => levels.includes(of) && words.some((word) => (text + uri).toLowerCase().includes(word)))
    .filter(([uri]) => types.length === 0 || typeof types[0] !== "string" || types.includes(typeOf(uri)))
    .slice(0, limit).map(([uri, of, text], i) => hit(version, uri, of, text, 0.9 - i / 10));
  const list = (type) => hits.filter((one) => one.context_type === type);
  return { memories: list("memory"), resources: list("resource"), skills: list("skill"), total: hits.length };
}

const typeOf = (uri) => (uri.includes("/memories/") ? "memory" : "resource");

function hit(version, uri, level, abstract, score) {
  const common = { context_type: typeOf(uri), uri, level, score };
  if (since(version, 0, 4, 13)) return { ...common, abstract, tags: ["lang=en"], origin_score: score };
  const relations = [
    { uri: "viking://user/bob/memories/knots.md", abstract: "Bob's." },
    { uri: "viking://resources/other", abstract: "Another." },
  ];
  return { ...common, category: "", match_reason: "", relations, abstract, overview: null };
}

function search(state, body) {
  const found = find(state.version, body);
  const trace = { events: [], statistics: { total_events: 0 } };
  const matched = [...found.memories, ...found.resources].map(({ uri, level, context_type, score }) => ({ uri, tier: `L${level}`, context_type, score, match_reason: "" }));
  const part = (query) => ({ query, searched_directories: ["viking://resources"], matched_contexts: matched, thinking_trace: trace });
  if (body.session_id === undefined || state.plan === undefined) {
    return { ...found, ...(body.include_provenance ? { provenance: [part(body.query)] } : {}) };
  }
  if (state.plan === "broken") throw new Refusal(400, "INVALID_ARGUMENT", "Failed to parse intent analysis response");
  // Two queries that find the same: concatenated, with repetitions.
  const twice = { memories: [], skills: [], resources: [...found.resources, ...found.resources.map((row) => ({ ...row, score: row.score + 0.05 }))] };
  return {
    ...twice, total: twice.resources.length, query_plan: state.plan,
    ...(body.include_provenance ? { provenance: state.plan.queries.map(({ query }) => part(query)) } : {}),
  };
}

function grep({ uri, pattern, case_insensitive, node_limit, exclude_uri, level_limit = 10 }) {
  let regex;
  try {
    regex = new RegExp(pattern, case_insensitive ? "i" : "");
  } catch (error) {
    throw new Refusal(400, "INVALID_ARGUMENT", `Invalid regex pattern: ${error.message}`);
  }
  const files = Object.keys(TEXTS).filter((file) => file.startsWith(uri) && !(exclude_uri && file.startsWith(exclude_uri)))
    .filter((file) => file.slice(uri.length).split("/").filter(Boolean).length <= level_limit);
  const matches = files.flatMap((file) => TEXTS[file].split("\n").flatMap((content, i) => (regex.test(content) ? [{ line: i + 1, uri: file, content }] : [])));
  return { matches: matches.slice(0, node_limit), count: matches.length, match_count: matches.length, files_scanned: files.length };
}

function sidecar(version, path, uri) {
  const parent = uri in TEXTS ? uri.slice(0, uri.lastIndexOf("/")) : uri;
  if (parent !== uri && !since(version, 0, 4, 1)) throw new Refusal(412, "FAILED_PRECONDITION", `${uri} is not a directory`);
  if (uri.startsWith("viking://resources/nothing")) throw new Refusal(404, "NOT_FOUND", `Resource not found: ${uri}`, { type: "resource", resource: uri });
  if (path.endsWith("overview")) return OVERVIEW;
  return ABSTRACTS[parent] ?? `# ${parent} [Directory abstract is not ready]`;
}

function read({ uri, offset, limit }) {
  if (!(uri in TEXTS)) {
    if (uri in ABSTRACTS) throw new Refusal(400, "INVALID_ARGUMENT", `Directory URI is not readable as a file: ${uri}`, { resource: uri, expected: "file", actual: "directory" });
    throw new Refusal(404, "NOT_FOUND", `File not found: ${uri}`, { type: "file", resource: uri });
  }
  const lines = TEXTS[uri].match(/[^\n]*\n/g);
  return lines.slice(Number(offset), limit === "-1" ? undefined : Number(offset) + Number(limit)).join("");
}

function rows(version, path, { uri, node_limit }) {
  const modTime = since(version, 0, 4, 1) ? "2026-03-11T16:00:00.000Z" : "16:00:00";
  const directory = { uri: "viking://resources/handbook/guide", size: 4096, isDir: true, modTime, abstract: "[.abstract.md is not ready]" };
  const file = { uri: "viking://resources/handbook/guide/mooring.md", size: 53, isDir: false, modTime, abstract: "" };
  if (!uri.startsWith("viking://")) throw new Refusal(400, "INVALID_URI", `Invalid URI: ${uri}`, { uri });
  const weather = { ...file, uri: "viking://resources/handbook/guide/weather.md", modTime: modTime.replace("03-11", "03-10") };
  if (path === "fs/ls" && uri.endsWith("/guide")) return [weather, file];
  const tree = [{ ...directory, rel_path: "guide" }, { ...file, rel_path: "guide/mooring.md" }];
  if (!since(version, 0, 4, 1)) tree.reverse();
  return (path === "fs/tree" ? tree : [directory]).slice(0, Number(node_limit));
}

function stat(uri) {
  if (!(uri in TEXTS) && !(uri in ABSTRACTS)) throw new Refusal(404, "NOT_FOUND", `File not found: ${uri}`, { type: "file", resource: uri });
  const isDir = uri in ABSTRACTS;
  const common = { name: uri.split("/").pop(), size: 53, mode: 420, modTime: "2026-03-11T16:00:00.123456789+02:00", isDir, isLocked: false };
  return isDir ? { ...common, count: 4 } : common;
}

/** What a broken or overloaded server does, or what stands in its way. */
function fail(state, response, end, fault) {
  switch (fault) {
    case "hang": return undefined;
    case "drip": {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 50);
      return response.on("close", () => clearInterval(timer));
    }
    case "closed": return response.socket?.destroy();
    case "cut":
      response.writeHead(200, { "content-length": 1000 });
      response.write('{"status":"ok"');
      return setTimeout(() => response.socket?.destroy(), 20);
    case "html": return end(200, "<!doctype html><title>Sign in</title>");
    case "html404": return end(404, "<html><h1>Nothing here</h1></html>");
    case "truncated": return end(200, '{"status":"ok","result":{"memories":[');
    case "empty": return end(200, "");
    case "other": return end(200, '{"hello":"world"}');
    case "nan": return end(200, '{"status":"ok","result":{"memories":[],"resources":[{"uri":"viking://a","level":2,"score":NaN}],"skills":[]}}');
    case "redirect": return end(307, "", { location: "/api/v1/search/find" });
    case "huge": {
      const megabyte = Buffer.alloc(1 << 20, " ");
      response.writeHead(200, { "content-length": 100 * megabyte.length });
      const write = () => {
        while (state.sent < 100 && !response.destroyed) {
          state.sent += 1;
          if (!response.write(megabyte)) return response.once("drain", write);
        }
        return response.end();
      };
      return write();
    }
    default: {
      const { status, headers, body, ...other } = fault;
      return end(status, body ?? other, headers);
    }
  }
}
