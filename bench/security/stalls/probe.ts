/** Measures how long a server keeps other clients waiting. @module */
import { servingThread } from "./thread_times.ts";

/** The answer that took longest. */
export interface Held {
  /** How long it took, without the time in which server and prober waited for a processor. */
  readonly ms: number;
  /** The same with that time. */
  readonly tookMs: number;
  /** How long the serving thread computed meanwhile. */
  readonly computedMs: number;
  /** Answers in all. */
  readonly asked: number;
}

/** What is asked. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** Folder of the serving thread in `/proc`. */
  readonly serving: string;
}

/** Before the first answer. */
export const NOTHING_HELD: Held = { ms: 0, tookMs: 0, computedMs: 0, asked: 0 };

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
