/** Measures how long a server keeps other clients waiting. @module */
import type { Held, Target } from "./held.ts";
import { servingThread } from "./thread_times.ts";

/** A running prober. */
export interface Probe extends Disposable {
  /** The longest since the last time. */
  read(): Promise<Held>;
}

/** Starts to ask: `ping` over MCP and `GET /health`, in turn. */
export function startProbe({ url, token, pid }: { url: string; token: string; pid: number }): Probe {
  const worker = new Worker(import.meta.resolve("./probe_worker.ts"), { type: "module" });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // told to who reads next
  worker.onerror = (event) => {
    event.preventDefault();
    failed.reject(new Error(event.message));
  };
  worker.postMessage({ url, token, serving: servingThread(pid) } satisfies Target);
  return {
    read() {
      const { promise, resolve } = Promise.withResolvers<Held>();
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage("read");
      return Promise.race([promise, failed.promise]);
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}
