/** Keeps the tokens that sessions have spent on Tool Envelope results, so that a call adds only what came since the last one. @module */
import type { Prepare } from "../sys/database.ts";
import { numberOf } from "./row.ts";

/** Tokens of all results of an agent in a session since a time, which never goes back, to the minute. */
export type TeSpending = (prepare: Prepare, agentId: string, sessionId: string, sinceMs: number) => number;

/** What was spent within one minute. */
interface Minute {
  readonly minute: number;
  /** Time of its last event. */
  timeMs: number;
  tokens: number;
}

interface Spent {
  readonly minutes: Minute[];
  tokens: number;
  lastId: number;
}

/** Sessions that are remembered; those of others are added up again. */
const MAX_SESSIONS = 1_000;
const NOTHING = (): Spent => ({ minutes: [], tokens: 0, lastId: 0 });
/** The other columns are those of the row with the highest number. */
const NEW_EVENTS =
  `select max(id) as id, time_ms, time_ms / 60000 as minute, sum(output_tokens) as tokens from te_events
  where session_id = ? and agent_id = ? and id > ? and time_ms >= ? group by minute order by id`;

/** Makes the sums of one database. */
export function makeTeSpending(): TeSpending {
  const sessions = new Map<string, Spent>();

  const known = (prepare: Prepare, agentId: string, sessionId: string): Spent => {
    const key = JSON.stringify([agentId, sessionId]), spent = sessions.get(key) ?? NOTHING();
    // Records that were deleted, by another process too, free their numbers.
    const last = prepare("select session_id from te_events where id = ? and time_ms = ?")
      .get(spent.lastId, spent.minutes.at(-1)?.timeMs ?? 0);
    const current = last?.session_id === sessionId ? spent : NOTHING();
    sessions.delete(key);
    sessions.set(key, current); // the last of the list is the one that was used last
    for (const oldest of sessions.keys()) {
      if (sessions.size <= MAX_SESSIONS) break;
      sessions.delete(oldest);
    }
    return current;
  };

  return (prepare, agentId, sessionId, sinceMs) => {
    const spent = known(prepare, agentId, sessionId), { minutes } = spent;
    for (const row of prepare(NEW_EVENTS).all(sessionId, agentId, spent.lastId, sinceMs)) {
      const minute = numberOf(row, "minute"), tokens = numberOf(row, "tokens"), last = minutes.at(-1);
      spent.lastId = numberOf(row, "id");
      spent.tokens += tokens;
      if (last?.minute === minute) {
        last.timeMs = numberOf(row, "time_ms");
        last.tokens += tokens;
      } else minutes.push({ minute, timeMs: numberOf(row, "time_ms"), tokens });
    }
    for (let [first] = minutes; first && first.timeMs < sinceMs; [first] = minutes) {
      spent.tokens -= first.tokens;
      minutes.shift();
    }
    return spent.tokens;
  };
}
