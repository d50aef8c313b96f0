/** Removes expired data in small steps. @module */
import type { CallLog } from "./calls.ts";
import type { HandleStore } from "./handles.ts";
import type { Journal } from "./journal.ts";

/** What is looked after, and how often. */
export interface UpkeepOptions {
  readonly handles: Pick<HandleStore, "sweep">;
  readonly calls: Pick<CallLog, "prune">;
  /** Null when nothing is recorded. */
  readonly journal: Pick<Journal, "prune"> | null;
  /** Told of trouble that the next time may be over. */
  readonly warn: (message: string) => void;
  readonly intervalMs: number;
}

/** Most sessions over stdio are short: each looks after the store once, soon after its start. */
const FIRST_MS = 5_000;

/** Starts a little later, so that no start waits for it. Returns how to stop. */
export function startUpkeep({ handles, calls, journal, warn, intervalMs }: UpkeepOptions): () => void {
  let timer: ReturnType<typeof setTimeout>;
  /** One batch at a time: calls are answered in between. */
  const prune = (): void => {
    timer = calls.prune() ? setTimeout(prune, 0) : setTimeout(sweep, intervalMs);
  };
  const sweep = (): void => {
    handles.sweep();
    try {
      journal?.prune();
    } catch (error) {
      warn(`the journal of changes cannot be cleaned: ${error instanceof Error ? error.message : error}`);
    }
    prune();
  };
  timer = setTimeout(sweep, Math.min(FIRST_MS, intervalMs));
  return () => clearTimeout(timer);
}
