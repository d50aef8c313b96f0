/** Changes files: a queue per real path, and guarded paths that no tool changes. @module */
import { OpsError } from "../../core/error.ts";
import { isGitData } from "../../core/guarded_paths.ts";
import { type Changes, makeFileChanges } from "./changes.ts";
import type { AttributeCopier } from "./content.ts";
import { makeLitterSweeper } from "./litter.ts";
import { denoFileOps, type FileOps } from "./ops.ts";
import { makePathQueue } from "./queue.ts";
import type { AttributeAccess, EntrySnapshot } from "./snapshot.ts";

export type { Changes } from "./changes.ts";
export type { Step } from "./steps.ts";

/** Serialises changes by real path. */
export interface Writer {
  /**
   * Waits for earlier changes of these paths and of everything above and below them, then runs `work` alone on them.
   *
   * @param paths Real paths, as the path guard gives them.
   * @param display How messages name a path for this caller; as for everyone when absent.
   * @throws OpsError TIMEOUT when `signal` aborts while waiting; whatever `work` throws.
   */
  change<T>(
    paths: readonly string[],
    work: (files: Changes) => Promise<T>,
    signal?: AbortSignal,
    display?: (path: string) => string,
  ): Promise<T>;
  /** What is at a path, guarded or not, with the content of a file up to so many bytes. */
  look(path: string, limitBytes: number, signal?: AbortSignal): Promise<EntrySnapshot>;
  /** The same as {@link change}, to put back what was there before: git's data too, which only git changes otherwise. */
  putBack<T>(paths: readonly string[], work: (files: Changes) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** What a writer needs to know. */
export interface WriterDeps {
  /** Roots and the server's own files: neither they nor a directory that holds one is moved or removed. */
  readonly kept: readonly string[];
  /** Why a path may not be changed; null when it may. Without it nothing is guarded. */
  readonly guard?: (path: string) => string | null;
  /** Backups of commits go below it. */
  readonly dataDir: string;
  /** Backups go beside the files instead, as `*.bak`. */
  readonly backupsBeside: boolean;
  /** How messages name a path. */
  readonly display?: (path: string) => string;
  readonly ops?: FileOps;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly copyAttributes?: AttributeCopier;
  /** Reads and sets extended attributes; absent where C cannot be called. */
  readonly attributes?: AttributeAccess;
}

/** Makes the writer. There is one for a process: its queue is what keeps parallel changes apart. */
export function makeWriter(deps: WriterDeps): Writer {
  const { ops = denoFileOps, now = Date.now, display = (path) => path } = deps;
  const services = { ...deps, ops, now, display, litter: makeLitterSweeper(ops, now) };
  const queue = makePathQueue();
  const alone = async <T>(
    paths: readonly string[],
    work: (files: Changes) => Promise<T>,
    signal: AbortSignal | undefined,
    display: (path: string) => string,
  ): Promise<T> => {
    const end = await queue.take(paths, signal);
    try {
      return await work(makeFileChanges({ ...services, display }, paths, signal));
    } finally {
      end();
    }
  };
  return {
    async change(paths, work, signal, display = services.display) {
      for (const path of paths) refuseGuarded(path, deps.guard?.(path) ?? null, display);
      return await alone(paths, work, signal, display);
    },
    look: (path, limitBytes, signal) =>
      alone([path], (files) => files.look(path, limitBytes), signal, services.display),
    async putBack(paths, work, signal) {
      const changed = paths.filter((path) => !isGitData(path));
      for (const path of changed) refuseGuarded(path, deps.guard?.(path) ?? null, services.display);
      return await alone(paths, work, signal, services.display);
    },
  };
}

/** @param entry Of the list that guards the path. */
function refuseGuarded(path: string, entry: string | null, display: (path: string) => string): void {
  if (entry === null) return;
  throw new OpsError(
    "INVALID_PATH",
    `'${display(path)}' is guarded: what is in ${entry} runs later, outside the sandbox`,
    `The operator allows it by adding "${
      display(path)
    }" to mcp.tools.unguarded_paths, or by removing "${entry}" from mcp.tools.guarded_paths.`,
  );
}
