/** Second client of the same server, in its own thread: sends requests continuously and records delays. @module */
/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { type Held, NOTHING_HELD, type Target } from "./held.ts";
import { threadTimes } from "./thread_times.ts";

const PAUSE_MS = 3;
let worst: Held = NOTHING_HELD, isWanted = false;

self.onmessage = async ({ data }: MessageEvent<Target | "read">) => {
  if (data !== "read") return await askForEver(data);
  isWanted = true; // told when the answer that is being waited for has come
};

async function askForEver({ url, token, serving }: Target): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const accept = "application/json, text/event-stream";
  const post = (body: object, session: Record<string, string> = {}) =>
    fetch(`${url}/mcp`, { method: "POST", headers: { ...headers, accept, ...session }, body: JSON.stringify(body) });
  const clientInfo = { name: "probe", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const opened = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await opened.body?.cancel();
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const ways = [
    () => post({ jsonrpc: "2.0", id: 2, method: "ping" }, session),
    () => fetch(`${url}/health`),
  ];
  for (let turn = 0;; turn++) {
    const before = [threadTimes(serving), threadTimes("/proc/thread-self")], startMs = performance.now();
    const response = await ways[turn % ways.length]?.();
    if (response?.status !== 200) throw new Error(`no answer: ${response?.status}`);
    await response.body?.cancel();
    const tookMs = performance.now() - startMs;
    const after = [threadTimes(serving), threadTimes("/proc/thread-self")];
    const grown = (kind: "queuedMs" | "ranMs", of: number) => (after[of]?.[kind] ?? 0) - (before[of]?.[kind] ?? 0);
    const ms = tookMs - grown("queuedMs", 0) - grown("queuedMs", 1);
    if (ms > worst.ms) worst = { ms, tookMs, computedMs: grown("ranMs", 0), asked: worst.asked };
    worst = { ...worst, asked: worst.asked + 1 };
    if (isWanted) {
      self.postMessage(worst);
      [worst, isWanted] = [NOTHING_HELD, false];
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
