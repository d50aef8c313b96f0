/** Checks that badly behaved clients do not slow down others and leave nothing behind. @module */
import type { HttpServer } from "../../tests/support/binary.ts";
import { dial, headOf, send } from "../../tests/support/raw_http.ts";
import { Connection } from "./connection.ts";
import { ms, percentile, type Row } from "./row.ts";

const IDLE = 1_000, BROKEN = 500, ABORTED = 100;
/** At a time: so many commands may run at once without using up the machine. */
const ABORTED_AT_ONCE = 20;
const HEALTH = { method: "GET", path: "/health" } as const;
const READ = {
  method: "POST",
  path: "/tool",
  body: { session_id: "load", name: "read_file", args: { path: "a.txt" } },
} as const;
const SETTLE_MS = 3_000;

/** Idle connections, broken requests, aborted calls; then what is left of them. */
export async function abuse(server: HttpServer): Promise<Row[]> {
  await stir(server); // what is allocated once for all
  await pause(SETTLE_MS);
  const before = await stateOf(server);
  const idle = await idleConnections(server);
  await brokenRequests(server);
  const aborted = await abortedCalls(server);
  await pause(SETTLE_MS);
  const after = await stateOf(server);
  const growth = after.rssMb / before.rssMb - 1;
  return [
    idle,
    aborted,
    {
      what: `after ${IDLE} idle, ${BROKEN} broken, ${ABORTED} aborted`,
      figure:
        `${after.children} children, ${after.handles - before.handles} handles, ${after.files - before.files} files, ` +
        `RSS ${before.rssMb.toFixed(0)} -> ${after.rssMb.toFixed(0)} MB`,
      target: "0 children, 0 handles, <= 5 files, RSS within 15 %",
      holds: after.children === 0 && after.handles === before.handles && after.files - before.files <= 5 &&
        growth <= 0.15,
      values: {
        children: after.children,
        handles: after.handles - before.handles,
        rss_before_mb: before.rssMb,
        rss_after_mb: after.rssMb,
      },
    },
  ];
}

async function idleConnections(server: HttpServer): Promise<Row> {
  const held = [];
  for (let index = 0; index < IDLE; index++) held.push(await dial(server));
  const durations = await healthLatencies(server);
  held.forEach((connection) => connection.close());
  const p95 = percentile(durations, 0.95);
  return {
    what: `GET /health beside ${IDLE} idle connections`,
    figure: `p95 ${ms(p95)}`,
    target: "p95 <= 5 ms",
    holds: p95 <= 5,
    values: { p95_ms: p95 },
  };
}

async function healthLatencies(server: HttpServer): Promise<number[]> {
  using connection = await Connection.open(server);
  const durations: number[] = [];
  for (let index = 0; index < 300; index++) durations.push((await connection.ask(HEALTH)).durationMs);
  return durations.sort((a, b) => a - b);
}

/** Half a header, half a body and no end, half a body and an end, garbage. */
async function brokenRequests(server: HttpServer): Promise<void> {
  const head = headOf(server, { headers: { "Content-Length": "1000" } });
  const texts = [head.slice(0, -10), `${head}{"session`, `${head}{"session`, "nonsense\r\n\r\n"];
  for (let round = 0; round < BROKEN / 100; round++) {
    const connections = await Promise.all(Array.from({ length: 100 }, async (_, index) => {
      const connection = await dial(server);
      await send(connection, texts[index % texts.length] ?? "");
      if (index % 4 === 2) await connection.closeWrite();
      return connection;
    }));
    await pause(50);
    connections.forEach((connection) => connection.close());
  }
}

async function abortedCalls(server: HttpServer): Promise<Row> {
  const body = JSON.stringify({ session_id: "load", name: "run_cmd", args: { command: "sleep 30" } });
  const headers = { "X-LLMC-Token": server.token, "Content-Type": "application/json" };
  let started = 0;
  for (let sent = 0; sent < ABORTED; sent += ABORTED_AT_ONCE) {
    const gone = new AbortController();
    const calls = Array.from(
      { length: ABORTED_AT_ONCE },
      () =>
        fetch(`${server.url}/tool`, { method: "POST", headers, body, signal: gone.signal }).then(() => {}, () => {}),
    );
    for (let tries = 0; tries < 100 && (await childrenOf(server.pid)) < ABORTED_AT_ONCE; tries++) await pause(50);
    started += await childrenOf(server.pid) > 0 ? ABORTED_AT_ONCE : 0;
    gone.abort();
    await Promise.all(calls);
    for (let tries = 0; tries < 100 && (await childrenOf(server.pid)) > 0; tries++) await pause(50);
  }
  const children = await childrenOf(server.pid);
  return {
    what: `${ABORTED} calls of 'sleep 30', aborted`,
    figure: `${started} started, ${children} children left`,
    target: "0 left",
    holds: started === ABORTED && children === 0,
    values: { started, children },
  };
}

interface State {
  readonly rssMb: number;
  readonly files: number;
  readonly children: number;
  readonly handles: number;
}

async function stateOf(server: HttpServer): Promise<State> {
  const status = await Deno.readTextFile(`/proc/${server.pid}/status`);
  using connection = await Connection.open(server);
  const { text } = await connection.ask({ method: "GET", path: "/metrics" });
  return {
    rssMb: Number(status.match(/^VmRSS:\s+(\d+)/m)?.[1]) / 1024,
    files: (await Array.fromAsync(Deno.readDir(`/proc/${server.pid}/fd`))).length,
    children: await childrenOf(server.pid),
    handles: Number(text.match(/^llmc_handles (\d+)/m)?.[1] ?? 0),
  };
}

/** Programs whose parent the server is, or which run in a sandbox of it; the watchdog, which stays, is none. */
async function childrenOf(pid: number): Promise<number> {
  let children = 0;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) !== pid) continue;
    const command = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (!command.includes("llmc-watchdog")) children++;
  }
  return children;
}

/** The same kinds of work as the measured ones, so that a first time is not taken for a leak. */
async function stir(server: HttpServer): Promise<void> {
  using connection = await Connection.open(server);
  for (let index = 0; index < 500; index++) await connection.ask(index % 2 ? HEALTH : READ);
  await idleConnections(server);
  await brokenRequests(server);
  const sleep = {
    method: "POST",
    path: "/tool",
    body: { session_id: "load", name: "run_cmd", args: { command: "sleep 0.01" } },
  } as const;
  for (let index = 0; index < 20; index++) await connection.ask(sleep);
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
