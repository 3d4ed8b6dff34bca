/** Inside a module worker: an `Engine` behind messages. One worker serves one bundle. */

/** Answers the page's messages with an engine of the given class. */
export function answer(Engine) {
  let engine;
  /** Calls in progress: id → their abort controller. */
  const calls = new Map();

  self.addEventListener("message", async ({ data }) => {
    if (data.cancel !== undefined) {
      calls.get(data.cancel)?.abort();
      return;
    }
    if (data.location !== undefined) {
      engine = new Engine(data.location);
      return;
    }
    const { id, method, args, progress } = data;
    const controller = new AbortController();
    calls.set(id, controller);
    const onProgress = progress ? (state) => self.postMessage({ id, progress: state }) : undefined;
    try {
      const value = await engine.call(method, args, { signal: controller.signal, onProgress });
      self.postMessage({ id, value });
    } catch (error) {
      self.postMessage({ id, error: { code: typeof error?.code === "string" ? error.code : "INTERNAL", message: String(error?.message ?? error) } });
    } finally {
      calls.delete(id);
    }
  });

  // Tells the page that the script arrived: until then, a failure means that workers do not work here.
  self.postMessage({ ready: true });
}
