/** Updates the index of one folder on demand: at most one run at a time, later requests share the next one. @module */
import { asUnusable, type Database, UnusableError } from "../sys/database.ts";
import { settlesWithin } from "../core/time.ts";
import { OpsError } from "../core/error.ts";
import { catchUp, type CatchUpReport, type CatchUpState, COMPLETE, INDEXED_AT, type IndexingDeps } from "./catch_up.ts";
import { openOrReplaceIndex } from "./index_database.ts";
import { getMeta } from "./index_writer.ts";
import { tidyIndexes } from "./unused_indexes.ts";

/** How the index of a folder compares with the disk. */
export interface RefreshReport {
  readonly state: "ready" | "indexing" | "empty";
  readonly fresh: boolean;
  /** Files that are not indexed as they are now, at most some of them. */
  readonly stale: readonly string[];
  readonly done: number;
  readonly total: number;
  readonly indexedAt: string | null;
  readonly warnings: readonly string[];
}

/** The indexer of one folder. */
export interface RootIndexer {
  /** Catches up for at most `waitMs`; the rest goes on behind. @throws OpsError INDEX_UNAVAILABLE. */
  refresh(waitMs: number): Promise<RefreshReport>;
  /** Catches up completely. @throws OpsError INDEX_UNAVAILABLE. */
  sync(rebuild: boolean): Promise<CatchUpReport>;
  /** A reader met damage: sets the index aside; the next run makes a new one. */
  replaceDamaged(): void;
  progress(): { done: number; total: number };
  /** Stops what runs; what was indexed stays. */
  cancel(): void;
  close(): Promise<void>;
}

const MOST_STALE_NAMED = 20;
/** Files that can be indexed in a millisecond at best: more of them will not be done while a caller waits. */
const FILES_PER_MS = 1;
const LOOK_EVERY_MS = 10;
/** Rules outside the folder, and files written through a mapping that stays open, change without a notification. */
const WALK_AGAIN_MS = 60_000;

const FULL = /disk is full|ENOSPC|no space left/i;
const NOT_WRITABLE = /read-?only|unable to open|permission denied|requires \w+ access|not a directory|os error \d+/i;

/** Why the index cannot be used, as a caller should read it: without paths of the data directory. */
export function unavailable(error: unknown): OpsError {
  if (error instanceof OpsError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const reason = FULL.test(said)
    ? "the disk of the data directory is full"
    : NOT_WRITABLE.test(said)
    ? "the data directory cannot be written"
    : said;
  const hint = reason === said
    ? undefined
    : "Make mcp.data_dir a directory that the server's user can write; linux_search_content works without the index.";
  return new OpsError("INDEX_UNAVAILABLE", `the search index cannot be used: ${reason}`, hint);
}

/** Makes the indexer of a folder. @param path The database. */
export function makeRootIndexer(root: string, path: string, deps: IndexingDeps): RootIndexer {
  let index: Database | undefined;
  let running: { done: Promise<CatchUpReport>; abort: AbortController } | undefined;
  let next: Promise<CatchUpReport> | undefined;
  /** A reader met damage in it that a run need not meet. */
  let distrusted: Database | undefined;
  let warnings: string[] = [];
  const watch = deps.watches?.() ?? null;
  /** When a run that ended well began, and the index that it brought up to date. */
  let walked: { readonly index: Database; readonly atMs: number } | undefined;
  const state: CatchUpState = { pending: undefined, done: 0, total: 0 };

  function open(options: { damaged?: boolean; discard?: boolean } = {}): Database {
    const damaged = options.damaged === true || (index !== undefined && index === distrusted);
    if (index !== undefined && !damaged && !options.discard && index.isCurrent()) return index;
    index?.close();
    index = distrusted = undefined;
    const opened = openOrReplaceIndex(path, { ...options, damaged, nowMs: deps.now() });
    index = opened.index;
    tidyIndexes(path, deps.now());
    if (opened.setAside !== undefined) {
      warnings = [`the index was corrupt and is being rebuilt; the corrupt one is kept as ${opened.setAside}`];
    }
    return index;
  }

  async function once(discard: boolean, signal: AbortSignal): Promise<CatchUpReport> {
    state.pending = walked = undefined;
    const atMs = performance.now();
    const run = async (opened: Database) => {
      const report = await catchUp(opened, root, deps, state, signal, watch);
      walked = { index: opened, atMs };
      return report;
    };
    try {
      return await run(open({ discard }));
    } catch (error) {
      if (!(asUnusable(error) instanceof UnusableError)) throw error;
      return await run(open({ damaged: true }));
    }
  }

  /** Whether the last run saw all there is: no folder that it walked has changed since. */
  function isUnchanged(): boolean {
    return running === undefined && walked !== undefined && walked.index !== distrusted && walked.index.isCurrent() &&
      performance.now() - walked.atMs < WALK_AGAIN_MS && watch?.isQuiet() === true;
  }

  function start(discard: boolean): Promise<CatchUpReport> {
    const abort = new AbortController();
    const done = once(discard, abort.signal).finally(() => {
      if (running?.abort === abort) running = undefined;
    });
    done.catch(() => {}); // the caller has it, if there is one
    running = { done, abort };
    return done;
  }

  /** A run that begins after this call: one that runs already may have looked at a file before it changed. */
  function fresh(discard = false): Promise<CatchUpReport> {
    if (running === undefined) return start(discard);
    if (discard) {
      running.abort.abort(new OpsError("INDEX_UNAVAILABLE", "the index is being rebuilt"));
      return running.done.catch(() => {}).then(() => start(true));
    }
    next ??= running.done.catch(() => {}).then(() => {
      next = undefined;
      return running?.done ?? start(false);
    });
    next.catch(() => {});
    return next;
  }

  function report(): RefreshReport {
    const pending = state.pending === undefined ? [] : [...state.pending];
    const isRunning = running !== undefined;
    const indexedAt = index === undefined ? null : getMeta(index, INDEXED_AT) ?? null;
    const isComplete = index !== undefined && getMeta(index, COMPLETE) !== undefined;
    return {
      state: isComplete ? "ready" : isRunning ? "indexing" : "empty",
      fresh: !isRunning && pending.length === 0,
      stale: pending.slice(0, MOST_STALE_NAMED),
      done: state.done,
      total: state.total,
      indexedAt,
      warnings,
    };
  }

  /** Waits for a run, but not longer than asked, and not for one that has too much to do. */
  async function waitFor(run: Promise<unknown>, waitMs: number): Promise<void> {
    const deadline = performance.now() + waitMs;
    let isDone = false;
    const finished = run.finally(() => isDone = true);
    finished.catch(() => {});
    while (!isDone && performance.now() < deadline && (state.pending?.size ?? 0) <= waitMs * FILES_PER_MS) {
      await settlesWithin(finished, Math.min(LOOK_EVERY_MS, deadline - performance.now()));
    }
    if (isDone) await run;
  }

  return {
    async refresh(waitMs) {
      try {
        if (!isUnchanged()) await waitFor(fresh(), waitMs);
        return report();
      } catch (error) {
        throw unavailable(error);
      }
    },
    async sync(rebuild) {
      try {
        return await fresh(rebuild);
      } catch (error) {
        throw unavailable(error);
      }
    },
    replaceDamaged() {
      try {
        if (running === undefined) open({ damaged: true });
        else distrusted = index; // the next run begins with it, unless this one meets the damage itself
      } catch (error) {
        throw unavailable(error);
      }
    },
    progress: () => ({ done: state.done, total: state.total }),
    cancel() {
      running?.abort.abort(new OpsError("INDEX_UNAVAILABLE", "indexing was cancelled"));
    },
    async close() {
      running?.abort.abort(new OpsError("INDEX_UNAVAILABLE", "the server is stopping"));
      await running?.done.catch(() => {});
      await next?.catch(() => {});
      index?.close();
      index = undefined;
      watch?.close();
    },
  };
}
