/** Keeps the tokens that sessions have spent on Tool Envelope results, so that a call adds only what came since the last one. @module */
import type { Prepare } from "../sys/database.ts";
import { numberOf } from "./row.ts";

/** Tokens of all results of an agent in a session since a time, which never goes back. */
export type TeSpending = (prepare: Prepare, agentId: string, sessionId: string, sinceMs: number) => number;

interface Spent {
  readonly events: { readonly timeMs: number; readonly tokens: number }[];
  /** How many of the first events are older than what was last asked for. */
  passed: number;
  tokens: number;
  lastId: number;
}

/** Sessions that are remembered; those of others are added up again. */
const MAX_SESSIONS = 1_000;
/** Passed events are dropped from the list when there are so many. */
const MAX_PASSED = 1_000;

/** Makes the sums of one database. */
export function makeTeSpending(): TeSpending {
  const sessions = new Map<string, Spent>();

  const known = (prepare: Prepare, agentId: string, sessionId: string): Spent => {
    const key = JSON.stringify([agentId, sessionId]), spent = sessions.get(key);
    sessions.delete(key);
    // Records that were deleted, by another process too, free their numbers.
    const isThere = spent && prepare("select session_id from te_events where id = ? and time_ms = ?")
          .get(spent.lastId, spent.events.at(-1)?.timeMs ?? 0)?.session_id === sessionId;
    const current = isThere ? spent : { events: [], passed: 0, tokens: 0, lastId: 0 };
    sessions.set(key, current); // the last of the list is the one that was used last
    for (const oldest of sessions.keys()) {
      if (sessions.size <= MAX_SESSIONS) break;
      sessions.delete(oldest);
    }
    return current;
  };

  return (prepare, agentId, sessionId, sinceMs) => {
    const spent = known(prepare, agentId, sessionId);
    const sql = `select id, time_ms, output_tokens from te_events
      where session_id = ? and agent_id = ? and id > ? and time_ms >= ? order by id`;
    for (const row of prepare(sql).all(sessionId, agentId, spent.lastId, sinceMs)) {
      const tokens = numberOf(row, "output_tokens");
      spent.events.push({ timeMs: numberOf(row, "time_ms"), tokens });
      spent.tokens += tokens;
      spent.lastId = numberOf(row, "id");
    }
    for (let event = spent.events[spent.passed]; event && event.timeMs < sinceMs; event = spent.events[spent.passed]) {
      spent.tokens -= event.tokens;
      spent.passed++;
    }
    if (spent.passed > MAX_PASSED) {
      spent.events.splice(0, spent.passed - 1); // the last one tells whether its record is still there
      spent.passed = 1;
    }
    return spent.tokens;
  };
}
