/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The stores, the log and the audit in a thread that may touch one directory and nothing else. @module */
import { makeLogger } from "../../src/obs/log.ts";
import { makeMetrics } from "../../src/obs/metrics.ts";
import { makeTokenAudit } from "../../src/obs/token_audit.ts";
import { makeCallLog } from "../../src/store/call_log.ts";
import { hashOwner } from "../../src/store/owner_hash.ts";
import { makeStderrLines } from "../../src/sys/stderr.ts";
import { callOf, openStore } from "./support.ts";

self.onmessage = async ({ data: dataDir }: MessageEvent<string>) => {
  const problems: string[] = [];
  const warn = (message: string) => void problems.push(message);
  using store = openStore({ dataDir });
  const { database, handles } = store;
  const payload = "x\n".repeat(200_000);
  const id = handles.put({ kind: "cmd", owner: "a", payload });
  const { total } = await handles.read(id, "a", { unit: "lines", offset: 0, limit: 1 });
  handles.put({ kind: "cmd", owner: "a", payload: "small" });
  handles.sweep();
  const log = makeCallLog({ database, retentionDays: 1, now: Date.now, warn });
  log.record(callOf({ timeMs: Date.now(), owner: hashOwner("a") }));
  log.prune();
  const session = { agentId: "a", sessionId: "s", model: "m" };
  makeTokenAudit({ path: `${dataDir}/audit/tokens.csv`, now: Date.now, warn })
    .record({ timeMs: 0, correlationId: "c", tool: "t", session, tokensIn: 1, tokensOut: 1 });
  const metrics = makeMetrics({ enabled: true, now: Date.now });
  metrics.httpRequest({ route: "/", method: "GET", status: 200, durationMs: 1 });
  const stderr = makeStderrLines(() => problems.push("lines were lost"));
  makeLogger({ level: "error", format: "json", stacks: true, sink: stderr.write, now: Date.now }).info("not shown");
  problems.push(...store.warnings);
  self.postMessage({
    total,
    calls: log.recent({ maxResults: 9 }).length,
    scrape: metrics.exposition().text.length > 0,
    problems,
  });
};
