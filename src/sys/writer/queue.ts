/**
 * Queues changes per real path: a change waits for earlier ones of the same entry, its ancestors and its descendants.
 * @module
 */
import { unlessAborted } from "../../core/time.ts";
import { parentOf } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";

/** First come, first served; callers that share no path never wait for each other. */
export interface PathQueue {
  /**
   * Waits for the turn. All paths are taken at once, so that two callers can never hold what the other waits for.
   *
   * @returns Ends the turn.
   * @throws OpsError TIMEOUT when `signal` aborts first.
   */
  take(paths: readonly string[], signal?: AbortSignal): Promise<() => void>;
}

interface Turn {
  readonly paths: readonly string[];
  readonly ended: Promise<void>;
}

/** Makes an empty queue. */
export function makePathQueue(): PathQueue {
  const turns = new Set<Turn>();
  return {
    async take(paths, signal) {
      const earlier = [...turns].filter((turn) => conflict(turn.paths, paths)).map((turn) => turn.ended);
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const turn: Turn = { paths, ended };
      turns.add(turn);
      const end = () => {
        turns.delete(turn);
        resolve();
      };
      try {
        await unlessAborted(Promise.all(earlier), signal).catch(() => {
          throw new OpsError("TIMEOUT", "the call ended while waiting for another change to the same path");
        });
        return end;
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/** Whether one of some paths is, holds, or is in one of others. */
function conflict(some: readonly string[], others: readonly string[]): boolean {
  return reaches(some, new Set(others)) || reaches(others, new Set(some));
}

/** Whether a path or a folder around it is in a set. */
function reaches(paths: readonly string[], set: ReadonlySet<string>): boolean {
  return paths.some((path) => {
    for (let folder = path;; folder = parentOf(folder)) {
      if (set.has(folder)) return true;
      if (folder === parentOf(folder)) return false;
    }
  });
}
