/**
 * Headless Chromium over its debugging pipe: a few lines of protocol in place of a driver, because only the protocol
 * itself tells what a worker fetched.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--no-sandbox", "--headless=new", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--no-first-run", "--remote-debugging-pipe", "--enable-precise-memory-info",
];

/** Milliseconds until a page that answers nothing is given up. */
const PATIENCE_MS = 300_000;

/**
 * Starts the browser named by `CHROMIUM`. Close it, or it outlives the program. `profile` is a folder of its own that is
 * left there, for a browser that is started again.
 */
export async function launch({ profile: kept } = {}) {
  const profile = kept ?? mkdtempSync(join(tmpdir(), "knarr-chromium-"));
  const child = spawn(process.env.CHROMIUM ?? "chromium", [...FLAGS, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const connection = new Connection(child);
  const { product } = await connection.send("Browser.getVersion");
  return {
    version: product,
    openPage: (address, options) => openPage(connection, address, options),
    /** Seconds of CPU that all renderer processes have used, workers included. */
    async rendererSeconds() {
      const { processInfo } = await connection.send("SystemInfo.getProcessInfo");
      return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    },
    /** Records what all threads do, by Chromium's `categories`, until the returned function is called, which answers the events. */
    async trace(categories) {
      const events = [];
      const complete = new Promise((resolve) => connection.listen(undefined, (method, { value }) => {
        if (method === "Tracing.dataCollected") for (const event of value) events.push(event);
        if (method === "Tracing.tracingComplete") resolve();
      }));
      await connection.send("Tracing.start", { traceConfig: { includedCategories: categories, excludedCategories: ["*"] }, transferMode: "ReportEvents" });
      return async () => {
        await connection.send("Tracing.end");
        await complete;
        connection.forget(undefined);
        return events;
      };
    },
    async close() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      connection.send("Browser.close").catch(() => {});
      await gone;
      if (!kept) rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Messages over the pipe, JSON ended by a zero byte, with answers matched to calls and events given to listeners. */
class Connection {
  #child;
  #last = 0;
  #open = new Map();
  #listeners = new Map();
  #rest = "";

  constructor(child) {
    this.#child = child;
    const fail = (error) => {
      for (const { reject } of this.#open.values()) reject(error);
      this.#open.clear();
      this.failed = error;
    };
    child.once("error", (error) => fail(new Error(`Chromium did not start (CHROMIUM names it): ${error.message}`)));
    child.once("exit", (code) => fail(new Error(`Chromium ended with ${code}`)));
    child.stdio[3].on("error", () => {});
    child.stdio[4].setEncoding("utf8").on("data", (text) => this.#receive(text));
  }

  send(method, params = {}, sessionId = undefined) {
    if (this.failed) return Promise.reject(this.failed);
    const id = ++this.#last;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { method, resolve, reject }));
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  /** Calls `listener(method, params)` for the events of a session until `forget` is called. */
  listen(sessionId, listener) {
    this.#listeners.set(sessionId, listener);
  }

  forget(sessionId) {
    this.#listeners.delete(sessionId);
  }

  #receive(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages) {
      const { id, method, params, result, error, sessionId } = JSON.parse(message);
      if (id === undefined) {
        this.#listeners.get(sessionId)?.(method, params);
        continue;
      }
      const call = this.#open.get(id);
      this.#open.delete(id);
      if (error) call?.reject(new Error(`${call.method}: ${error.message}`));
      else call?.resolve(result);
    }
  }
}

/**
 * A page in a browser context of its own (so nothing is cached), or with `shared` in that of the profile, with the HTTP
 * cache off unless `cache` says otherwise, in which the requests of the page and of its workers are recorded from the first.
 *
 * `requests` are `{ url, start, end, bytes, status }`: seconds on the browser's clock, and bytes as they came over the
 * wire, headers included; `end` is undefined while one runs.
 */
async function openPage(connection, address, { cache = false, shared = false } = {}) {
  const { browserContextId } = shared ? {} : await connection.send("Target.createBrowserContext");
  const { targetId } = await connection.send("Target.createTarget", { url: "about:blank", browserContextId });
  const requests = [];
  const complaints = [];
  const sessions = [];
  const byId = new Map();
  let settle;

  const record = (sessionId) => (method, params) => {
    switch (method) {
      case "Network.requestWillBeSent": {
        // A worker's script is announced by the page and again by the worker.
        if (params.request.url.startsWith("data:") || byId.has(params.requestId)) return;
        const request = { url: params.request.url, start: params.timestamp, end: undefined, bytes: 0, status: 0 };
        byId.set(params.requestId, request);
        requests.push(request);
        return;
      }
      case "Network.responseReceived":
        if (byId.has(params.requestId)) {
          const { status, headers } = params.response;
          const lengths = Object.entries(headers).filter(([name]) => name.toLowerCase() === "content-length");
          Object.assign(byId.get(params.requestId), { status, length: Number(lengths[0]?.[1] ?? 0) });
        }
        return;
      case "Network.loadingFinished":
      case "Network.loadingFailed": {
        const request = byId.get(params.requestId);
        if (request === undefined) return;
        request.end = params.timestamp;
        request.bytes = Math.max(request.bytes, params.encodedDataLength ?? 0);
        // Of a worker's script Chromium counts the headers only.
        if (request.bytes < request.length) request.bytes += request.length;
        return;
      }
      case "Runtime.exceptionThrown":
        complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        return;
      case "Page.loadEventFired":
        settle?.();
        return;
      case "Target.attachedToTarget":
        attach(params.sessionId).catch((error) => complaints.push(String(error)));
    }
  };
  const attach = async (sessionId) => {
    sessions.push(sessionId);
    connection.listen(sessionId, record(sessionId));
    const send = (method, params) => connection.send(method, params, sessionId);
    await Promise.all([
      send("Network.enable"), send("Network.setCacheDisabled", { cacheDisabled: !cache }), send("Runtime.enable"),
      send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    ]);
    await send("Runtime.runIfWaitingForDebugger");
  };

  const { sessionId } = await connection.send("Target.attachToTarget", { targetId, flatten: true });
  await attach(sessionId);
  const send = (method, params) => connection.send(method, params, sessionId);
  await send("Page.enable");
  const go = async (to) => {
    const loaded = new Promise((resolve) => (settle = resolve));
    await send("Page.navigate", { url: to });
    await loaded;
  };
  await go(address);

  return {
    requests,
    send,
    /** Goes to another page, in the same tab. */
    go,
    /** Runs an async function in the page with arguments that JSON carries, and answers its value. */
    async run(work, ...values) {
      const expression = `(${work})(...${JSON.stringify(values)})`;
      const call = send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      const { result, exceptionDetails } = await patiently(call);
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      if (complaints.length > 0) throw new Error(complaints[0]);
      return result.value;
    },
    async close() {
      for (const session of sessions) connection.forget(session);
      await (shared ? connection.send("Target.closeTarget", { targetId }) : connection.send("Target.disposeBrowserContext", { browserContextId }));
    },
  };
}

async function patiently(call) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the page did not answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  return Promise.race([call, late]).finally(() => clearTimeout(timer));
}
