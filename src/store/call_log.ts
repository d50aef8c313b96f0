/** Call log on SQLite. @module */
import { type Prepare } from "../sys/database.ts";
import { OpsError } from "../core/error.ts";
import * as calls from "./call_rows.ts";
import type { CallLog } from "./calls.ts";
import type { StoreDatabase } from "./database.ts";
import { insertTe, pruneTe, teUsageSince } from "./te_rows.ts";
import { makeTeSpending } from "./te_spending.ts";

/** What the call log needs. */
export interface CallLogDeps {
  readonly database: StoreDatabase;
  /** Rows older than so many days go; 0 keeps them. */
  readonly retentionDays: number;
  readonly now: () => number;
  /** Told of records that could not be written. */
  readonly warn: (message: string) => void;
  /** Told of each record that could not be written. */
  readonly failed?: () => void;
}

const DAY_MS = 86_400_000;
/** Rows removed in one transaction: some 5 ms. */
const PRUNE_ROWS = 500;
/** A full disk is reported once in so long, not with every call. */
const WARN_MS = 60_000;

/** Tools are recorded under their wire name, which has no dots. */
const wireName = (name: string): string => name.replaceAll(".", "_");

/** The call log of a data directory. */
export function makeCallLog({ database, retentionDays, now, warn, failed }: CallLogDeps): CallLog {
  const teSpending = makeTeSpending();
  let lost = 0, quietUntilMs = 0;

  const write = (insert: (prepare: Prepare) => void): void => {
    try {
      database.write(insert);
    } catch (error) {
      lost++;
      failed?.();
      if (now() < quietUntilMs) return;
      quietUntilMs = now() + WARN_MS;
      warn(`call records cannot be written, ${lost} lost so far: ${error instanceof Error ? error.message : error}`);
    }
  };

  const query = <T>(work: (prepare: Prepare) => T): T => {
    try {
      return database.read(work);
    } catch (error) {
      warn(`call records cannot be read: ${error instanceof Error ? error.message : error}`);
      throw new OpsError("STATS_BACKEND_UNAVAILABLE", "The call records cannot be read now.");
    }
  };

  return {
    record: (call) => write((prepare) => calls.insertCall(prepare, call)),
    recordTe: (event) => write((prepare) => insertTe(prepare, event)),
    recent({ maxResults, tool = "*", windowSeconds = Infinity }) {
      const sinceMs = Math.max(0, now() - windowSeconds * 1_000);
      const isPrefix = tool.endsWith("*"), name = wireName(isPrefix ? tool.slice(0, -1) : tool);
      if (isPrefix && name === "") return query((prepare) => calls.newestCalls(prepare, sinceMs, maxResults));
      const tools = isPrefix ? { prefix: name } : { name };
      return query((prepare) => calls.newestCallsOf(prepare, tools, sinceMs, maxResults));
    },
    usage({ windowSeconds, toolPrefix = "" }) {
      const prefix = wireName(toolPrefix.replace(/\*$/, ""));
      return query((prepare) => calls.usageSince(prepare, now() - windowSeconds * 1_000, prefix));
    },
    overall: (windowSeconds) => query((prepare) => calls.overallSince(prepare, now() - windowSeconds * 1_000)),
    timeline: (windowSeconds) => query((prepare) => calls.timelineSince(prepare, now() - windowSeconds * 1_000, now())),
    teStats: (windowSeconds) => query((prepare) => teUsageSince(prepare, now() - windowSeconds * 1_000)),
    teTokens: (agentId, sessionId, sinceMs) => query((prepare) => teSpending(prepare, agentId, sessionId, sinceMs)),
    forget() {
      write((prepare) => {
        for (const table of ["calls", "call_rollups", "te_events"]) prepare(`delete from ${table}`).run();
      });
    },
    prune() {
      let removed = 0;
      write((prepare) => {
        calls.pruneRollups(prepare, now());
        if (retentionDays <= 0) return;
        const beforeMs = now() - retentionDays * DAY_MS;
        removed = Math.max(calls.pruneCalls(prepare, beforeMs, PRUNE_ROWS), pruneTe(prepare, beforeMs, PRUNE_ROWS));
      });
      return removed === PRUNE_ROWS;
    },
  };
}
