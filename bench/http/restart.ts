/** Stops and restarts the server under load, by force and gracefully: every answered call must be recorded. @module */
import type { HttpServer } from "../../tests/support/binary.ts";
import { Connection } from "./connection.ts";
import type { Row } from "./row.ts";

const TOOL = "stat", CLIENTS = 8, ROUND_MS = 400;
const ROUNDS = ["SIGKILL", "SIGTERM", "SIGKILL", "SIGTERM"] as const;
const USAGE = {
  method: "POST",
  path: "/tool",
  body: { session_id: "load", name: "linux_mcp_usage_stats", args: { tool_prefix: TOOL } },
} as const;

/** Calls that were sent and calls that were answered. */
interface Count {
  asked: number;
  answered: number;
}

/** @param serve Starts a server on the same data directory, without limits. */
export async function restarts(serve: () => Promise<HttpServer>): Promise<Row[]> {
  const sum: Count = { asked: 0, answered: 0 };
  for (const signal of ROUNDS) {
    await using server = await serve();
    const load = Array.from({ length: CLIENTS }, () => askUntilTheEnd(server, sum));
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    await server.stop(signal);
    await Promise.all(load);
  }
  await using server = await serve();
  const recorded = await recordsOf(server);
  return [{
    what: `ended under load ${ROUNDS.length} times, twice by force`,
    figure: `${sum.asked} asked, ${sum.answered} answered, ${recorded} on record`,
    target: "no answered call without a record",
    holds: sum.answered > 0 && recorded >= sum.answered && recorded <= sum.asked,
    values: { ...sum, recorded },
  }];
}

/** Asks again and again over one connection, until the server is gone. */
async function askUntilTheEnd(server: HttpServer, sum: Count): Promise<void> {
  using connection = await Connection.open(server);
  const body = { session_id: "load", name: TOOL, args: { path: "a.txt" } };
  for (;;) {
    sum.asked++;
    const answer = await connection.ask({ method: "POST", path: "/tool", body }).catch(() => null);
    if (answer?.status !== 200) return;
    sum.answered++;
  }
}

async function recordsOf(server: HttpServer): Promise<number> {
  using connection = await Connection.open(server);
  const { text } = await connection.ask(USAGE);
  const { tools } = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
  return tools[TOOL]?.count ?? 0;
}
