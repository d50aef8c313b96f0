/**
 * Queues changes per real path: a change waits for earlier ones of the same entry, its ancestors and its descendants.
 * @module
 */
import { unlessAborted } from "../../core/time.ts";
import { isInside } from "../../core/path.ts";
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

function conflict(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => isInside(one, other) || isInside(other, one)));
}
