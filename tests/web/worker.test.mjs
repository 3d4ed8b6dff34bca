/** The worker's backend before a worker that a test commands: whatever happens to it, a call ends, and with a `KnarrError`. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { DIST, LARGE } from "./bundles.mjs";

const entry = (name) => pathToFileURL(`${DIST}/${name}`).href;
const { Knarr, KnarrError } = await import(entry("index.js"));
const { Knarr: Direct } = await import(entry("direct.js"));

/** Of a bundle that nobody asks for: fetch refuses the port without a request. */
const ADDRESS = "http://127.0.0.1:9/search/";

let workers;

/** A worker that clones what it is sent, as the real one does, and does what the test says. */
class CommandedWorker extends EventTarget {
  sent = [];
  terminated = false;

  constructor() {
    super();
    workers.push(this);
  }

  postMessage(message, handed) {
    this.sent.push(structuredClone(message, { transfer: handed ?? [] }));
  }

  terminate() {
    this.terminated = true;
  }

  say(data) {
    if (!this.terminated) this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }

  die() {
    if (!this.terminated) this.dispatchEvent(Object.assign(new Event("error"), { message: "out of memory" }));
  }

  /** Calls that came and were neither answered nor cancelled. */
  get open() {
    const cancelled = this.sent.map(({ cancel }) => cancel);
    return this.sent.filter(({ id }) => id !== undefined && !cancelled.includes(id) && !this.answered?.has(id));
  }

  answer({ id }) {
    (this.answered ??= new Set()).add(id);
    this.say({ id, value: { total: id } });
  }
}

beforeEach(() => {
  workers = [];
});

let opened;
afterEach(() => opened?.close());

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A bundle in a commanded worker, opened. */
async function open(options = {}) {
  const opening = Knarr.open(ADDRESS, { worker: () => new CommandedWorker(), ...options });
  opening.catch(() => {});
  await turn();
  workers[0]?.say({ ready: true });
  await turn();
  for (const call of workers[0]?.open ?? []) workers[0].answer(call);
  opened = await opening;
  return opened;
}

/** How a call stands after some turns: "pending", "fulfilled", or its error. */
async function outcome(promise) {
  const pending = turn().then(turn).then(() => "pending");
  return Promise.race([promise.then(() => "fulfilled", (error) => error), pending]);
}

function isTold(error, code) {
  assert.ok(error instanceof KnarrError && typeof error.code === "string", `${error}`);
  if (code !== undefined) assert.equal(error.code, code, error.message);
}

test("what is no plain data is refused by name, and leaves nothing behind", async () => {
  const knarr = await open();
  const strangers = {
    function: () => {}, symbol: Symbol("x"), promise: Promise.resolve(), "weak map": new WeakMap(),
    "function inside": { profiles: [{ score() {} }] }, "loop of a proxy": (() => {
      const loop = new Proxy([], {});
      loop.push(loop);
      return loop;
    })(),
  };
  for (const [name, value] of Object.entries(strangers)) {
    const controller = new AbortController();
    const error = await outcome(knarr.find("words", { hybrid: value, signal: controller.signal }));
    isTold(error, "INVALID_ARGUMENT");
    assert.match(error.message, /^find: an option is not plain data/, name);
    controller.abort();
    assert.deepEqual(workers[0].open, [], name);
    assert.ok(workers[0].sent.every(({ cancel }) => cancel === undefined), `${name}: nothing to cancel`);
  }
});

test("a framework's proxies are sent as the data they stand for", async () => {
  const knarr = await open();
  const reactive = (value) => new Proxy(value, {});
  const vector = new Float32Array([1, 2]);
  const call = knarr.find("words", { target_uri: reactive(["viking://a"]), filter: reactive({ op: "and", conds: reactive([]) }), vector });
  const [sent] = workers[0].open;
  assert.deepEqual(sent.args[1], { target_uri: ["viking://a"], filter: { op: "and", conds: [] }, vector });
  workers[0].answer(sent);
  assert.equal(await outcome(call), "fulfilled");
});

test("options of open that are no plain data are refused, on no thread searched instead", async () => {
  for (const worker of [() => new CommandedWorker(), undefined]) {
    globalThis.Worker = CommandedWorker;
    try {
      const endpoints = { rerank: { url: ADDRESS, model: "m", template: () => {} } };
      const error = await open({ worker, endpoints }).then(() => "fulfilled", (error) => error);
      isTold(error, "INVALID_ARGUMENT");
      assert.ok(workers.every(({ terminated }) => terminated), "no worker is left");
    } finally {
      delete globalThis.Worker;
    }
  }
});

test("an abort ends open while the worker's script does not come", async () => {
  const controller = new AbortController();
  const opening = Knarr.open(ADDRESS, { worker: () => new CommandedWorker(), signal: controller.signal });
  assert.equal(await outcome(opening), "pending");
  controller.abort();
  isTold(await outcome(opening), "ABORTED");
  assert.ok(workers[0].terminated);
});

test("while a dead worker is replaced, close and abort are heeded", async () => {
  for (const [end, code] of [["close", "FAILED_PRECONDITION"], ["abort", "ABORTED"], ["die", "INTERNAL"]]) {
    workers = [];
    const knarr = await open();
    workers[0].die();
    const controller = new AbortController();
    const call = knarr.find("words", { signal: controller.signal });
    assert.equal(await outcome(call), "pending");
    if (end === "close") knarr.close();
    if (end === "abort") controller.abort();
    if (end === "die") workers[1].die();
    isTold(await outcome(call), code);
  }
});

test("a worker that cannot be made again is an error of the call", async () => {
  let made = 0;
  const knarr = await open({
    worker() {
      if (made++ > 0) throw new TypeError("no more workers");
      return new CommandedWorker();
    },
  });
  workers[0].die();
  for (let i = 0; i < 2; i++) isTold(await outcome(knarr.find("words")), "UNAVAILABLE");
});

test("after any course of events, each call has ended", async () => {
  let seed = 1;
  const random = (n) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  for (let course = 0; course < 200; course++) {
    workers = [];
    const knarr = await open();
    const calls = [];
    const controllers = [];
    const events = [
      () => {
        const controller = new AbortController();
        controllers.push(controller);
        const options = { signal: controller.signal, ...(random(4) === 0 && { hybrid: () => {} }) };
        calls.push(random(2) ? knarr.find("words", options) : knarr.ls("viking://", { signal: controller.signal }));
        calls.at(-1).catch(() => {});
      },
      () => controllers[random(controllers.length)]?.abort(),
      () => workers.at(-1).die(),
      () => workers.at(-1).say({ ready: true }),
      () => workers.at(-1).open.slice(0, 1).forEach((call) => workers.at(-1).answer(call)),
      turn,
    ];
    for (let step = 0; step < 20; step++) await events[random(events.length)]();
    knarr.close();
    for (const call of calls) {
      const ended = await outcome(call);
      if (ended !== "fulfilled") isTold(ended);
    }
    isTold(await outcome(knarr.find("words")), "FAILED_PRECONDITION");
    assert.ok(workers.every(({ terminated }) => terminated));
  }
});

test("an opening that fails leaves no worker", async () => {
  const opening = Knarr.open(ADDRESS, { worker: () => new CommandedWorker() });
  assert.equal(await outcome(opening), "pending");
  workers[0].say({ ready: true });
  await turn();
  const [{ id }] = workers[0].open;
  workers[0].say({ id, error: { code: "BUNDLE_MISSING", message: "not there" } });
  isTold(await outcome(opening), "BUNDLE_MISSING");
  assert.ok(workers[0].terminated);
});

test("a head that did not come with its module is asked for anew", async (context) => {
  let asked = 0;
  context.mock.method(globalThis, "fetch", async (address) => {
    if (String(address).startsWith(ADDRESS)) asked++;
    throw new TypeError("offline");
  });
  for (let i = 0; i < 2; i++) {
    asked = 0;
    const opening = Direct.open(ADDRESS, { wasmUrl: "http://127.0.0.1:9/engine.wasm" });
    isTold(await opening.catch((error) => error), "UNAVAILABLE");
    assert.ok(asked > 0);
  }
});

test("no listener of a call that has ended stays on its signal", async () => {
  const { signal } = new AbortController();
  const knarr = await Direct.open(pathToFileURL(`${LARGE}/`), { signal });
  for (let i = 0; i < 3; i++) await knarr.find(`harbour ${i}`, { signal });
  knarr.close();
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});
