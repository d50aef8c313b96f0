/** Records results that could not be stored: logged, counted, and kept in a file for `doctor`. @module */

/** Name of the file in the data directory that holds a {@link FailureRecord}. */
export const FAILURE_FILE = "store-failure.json";

/** What is known of results that could not be stored. */
export interface FailureRecord {
  /** When the last one failed, in milliseconds since 1970. */
  readonly lastMs: number;
  /** How many failed since this server started. */
  readonly count: number;
  /** What the system said of the last one. */
  readonly reason: string;
}

/** Where failures are reported. */
export interface StoreFailures {
  note(reason: string): void;
}

/** What the record needs. */
export interface StoreFailuresDeps {
  /** Writes the record; its own failure is not an error, because the disk may be full. */
  readonly save: (record: FailureRecord) => void;
  readonly count: () => void;
  readonly warn: (message: string) => void;
  readonly now: () => number;
}

/** The log and the file are written once in so long, not with every call. */
const QUIET_MS = 60_000;

/** Starts with no failure. */
export function makeStoreFailures({ save, count, warn, now }: StoreFailuresDeps): StoreFailures {
  let failed = 0, quietUntilMs = 0;
  return {
    note(reason) {
      failed++;
      count();
      const lastMs = now();
      if (lastMs < quietUntilMs) return;
      quietUntilMs = lastMs + QUIET_MS;
      warn(`results cannot be stored, ${failed} lost so far: ${reason}`);
      try {
        save({ lastMs, count: failed, reason });
      } catch {
        // a full or read-only disk: the log and the metric have it
      }
    },
  };
}

/** Reads back what {@link makeStoreFailures} saved; null for anything else. */
export function parseFailureRecord(text: string): FailureRecord | null {
  try {
    const { lastMs, count, reason } = Object(JSON.parse(text));
    if (typeof lastMs !== "number" || typeof count !== "number" || typeof reason !== "string") return null;
    return { lastMs, count, reason };
  } catch {
    return null; // cut short by a crash
  }
}
