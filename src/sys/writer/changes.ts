/** Changes files that are held: atomic replacement, and atomic commits of several files. @module */
import { isInside, isInsideAny, parentOf } from "../../core/path.ts";
import { createHash } from "node:crypto";
import { OpsError } from "../../core/error.ts";
import { makeBackupSet, pruneBackups } from "./backup.ts";
import { commitSteps } from "./commit.ts";
import { appendContent, type ContentDeps, createFile, regularOrNull, replaceContent } from "./content.ts";
import { makeDirectories } from "./directories.ts";
import { writeError } from "./error.ts";
import type { LitterSweeper } from "./litter.ts";
import { moveEntry } from "./move.ts";
import { errnoOf, type FileOps, lstatOrNull, readAt } from "./ops.ts";
import { type Removal, removeEntry } from "./remove.ts";
import { restoreEntry } from "./restore.ts";
import {
  type AttributeAccess,
  type EntrySnapshot,
  type EntryState,
  type FoundEntry,
  snapshotEntry,
  snapshotsBelow,
  stampOf,
} from "./snapshot.ts";
import type { Step } from "./steps.ts";

/** Changes that a holder of paths may make. Every path must lie at or under a held one. All methods throw OpsError. */
export interface Changes {
  /**
   * Whole content of a regular file. A later change of it is refused (SHA_MISMATCH) when someone else was faster.
   *
   * @throws OpsError NOT_FOUND, IS_DIRECTORY, INVALID_PATH for special files, OUTPUT_TOO_LARGE past `limitBytes`.
   */
  read(path: string, limitBytes: number): Promise<Uint8Array>;
  /** Size in bytes of a regular file; null when there is nothing. */
  size(path: string): Promise<number | null>;
  /** Whether a regular file is there; anything else is none. */
  isFile(path: string): Promise<boolean>;
  /** Permission bits of a regular file. */
  mode(path: string): Promise<number>;
  /** The first bytes of a regular file. */
  head(path: string, sizeBytes: number): Promise<Uint8Array>;
  /** SHA-256 in hex of a regular file, streamed; null when there is none. Counts as having read it. */
  sha256(path: string): Promise<string | null>;
  /** Replaces the content or makes the file; the old content stays whole when it fails. The parent must exist. */
  write(path: string, data: Uint8Array): Promise<void>;
  /** Makes a file. @throws OpsError INVALID_ARGUMENT when something is there. */
  create(path: string, data: Uint8Array): Promise<void>;
  /** Adds to the end, or makes the file; cut back to its old length when it fails. */
  append(path: string, data: Uint8Array): Promise<void>;
  /** Makes a directory and its parents; answers those that were made, outermost first. */
  makeDirectories(path: string): Promise<readonly string[]>;
  /** Moves an entry, a link as such, across file systems too. Refuses roots and what lies above them. */
  move(source: string, target: string, options?: { readonly overwrite?: boolean }): Promise<void>;
  /** Removes an entry, a link as such. @throws OpsError IS_DIRECTORY for a directory unless `recursive`. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<Removal>;
  /** What is at a path, with the content of a file up to so many bytes. Counts as having read it. */
  look(path: string, limitBytes: number): Promise<EntrySnapshot>;
  /** Everything at and below a path, a directory after what is in it; links as links. */
  lookBelow(path: string, limitBytes: () => number): AsyncIterable<FoundEntry>;
  /** The path and the directories above it that do not exist, outermost first. */
  missing(path: string): Promise<readonly string[]>;
  /** Puts a path into an earlier state. @throws OpsError SHA_MISMATCH when `expected` refuses what is there now. */
  restore(path: string, wanted: EntrySnapshot, expected: (present: EntryState) => boolean): Promise<void>;
  /** All steps or none. Answers where the old contents of changed files are kept. */
  commit(steps: readonly Step[]): Promise<{ readonly backups: readonly string[] }>;
}

/** What changes are made with. */
export interface ChangeServices extends ContentDeps {
  /** Roots and the server's own files: neither they nor a directory that holds one is moved or removed. */
  readonly kept: readonly string[];
  readonly dataDir: string;
  readonly backupsBeside: boolean;
  readonly now: () => number;
  readonly litter: LitterSweeper;
  readonly attributes?: AttributeAccess | undefined;
}

const CHUNK_BYTES = 256 * 1024;
/** A larger file is compared by its size, time and inode. */
const LOOKED_AT_BYTES = 2 ** 30;

/** Makes the changes of one holder. @param held Paths that may be changed, with all below. */
export function makeFileChanges(
  services: ChangeServices,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Changes {
  const { ops, litter, display, copyAttributes } = services;
  const seen = new Map<string, string>();

  const check = (path: string, info: Deno.FileInfo | null) => {
    const before = seen.get(path);
    if (before === undefined || (info !== null && stampOf(info) === before)) return;
    throw new OpsError("SHA_MISMATCH", `'${display(path)}' has been changed by another program`);
  };

  /** Errors in callers' terms; only held paths; old litter first. */
  const guarded = async <T>(paths: readonly string[], work: () => Promise<T>): Promise<T> => {
    for (const path of paths) {
      if (!isInsideAny(path, held)) throw new Error(`${path} is changed without its lock`);
    }
    try {
      return await work();
    } catch (error) {
      throw writeError(error, display(paths[0] ?? ""));
    }
  };

  const changing = <T>(paths: readonly string[], work: () => Promise<T>): Promise<T> =>
    guarded(paths, async () => {
      for (const directory of new Set(paths.map(parentOf))) await litter.sweep(directory);
      const result = await work();
      for (const path of paths) seen.delete(path);
      return result;
    });

  /** Opens a file for reading and remembers its state. */
  const withFile = <T>(
    path: string,
    use: (file: Awaited<ReturnType<FileOps["open"]>>, sizeBytes: number) => Promise<T>,
  ) =>
    guarded([path], async () => {
      if (await regularOrNull(services, path) === null) {
        throw new OpsError("NOT_FOUND", `'${display(path)}' does not exist`);
      }
      using file = await ops.open(path, { read: true });
      const info = await file.stat();
      seen.set(path, stampOf(info));
      return await use(file, info.size);
    });

  const requireMovable = (path: string) => {
    if (!services.kept.some((one) => isInside(one, path))) return;
    const hint = "Name something inside a root; roots and what holds this server's own files stay.";
    throw new OpsError("INVALID_PATH", `'${display(path)}' cannot be moved, replaced or deleted`, hint);
  };

  return {
    read: (path, limitBytes) =>
      withFile(path, (file, sizeBytes) => {
        if (sizeBytes <= limitBytes) return readAt(file, 0, sizeBytes);
        const message = `'${display(path)}' has ${sizeBytes} bytes; at most ${limitBytes} can be edited`;
        throw new OpsError("OUTPUT_TOO_LARGE", message, "Change it with a program, for example sed through run_cmd.");
      }),
    size: (path) => guarded([path], async () => (await regularOrNull(services, path))?.size ?? null),
    isFile: (path) => guarded([path], async () => (await lstatOrNull(ops, path).catch(noDirectory))?.isFile ?? false),
    mode: (path) => guarded([path], async () => ((await ops.lstat(path)).mode ?? 0o644) & 0o7777),
    head: (path, sizeBytes) => withFile(path, (file) => readAt(file, 0, sizeBytes)),
    async sha256(path) {
      if (await this.size(path) === null) return null;
      return await withFile(path, (file) => hashOf(file, signal));
    },
    write: (path, data) => changing([path], () => replaceContent(services, path, data, (info) => check(path, info))),
    create: (path, data) => changing([path], () => createFile(services, path, data)),
    append: (path, data) => changing([path], () => appendContent(services, path, data)),
    makeDirectories: (path) => guarded([path], () => makeDirectories(ops, path)),
    move: (source, target, { overwrite = false } = {}) =>
      changing([source, target], async () => {
        requireMovable(source);
        requireMovable(target);
        await moveEntry(ops, source, target, { overwrite, show: display, signal, copyAttributes });
      }),
    remove: (path, { recursive = false } = {}) =>
      changing([path], async () => {
        requireMovable(path);
        return await removeEntry(ops, path, { recursive, show: display, signal });
      }),
    look: (path, limitBytes) =>
      guarded([path], async () => {
        const snapshot = await snapshotEntry(services, path, limitBytes);
        if (snapshot.stamp !== undefined && !seen.has(path)) seen.set(path, snapshot.stamp);
        return snapshot;
      }),
    lookBelow: (path, limitBytes) => snapshotsBelow(services, path, limitBytes, signal),
    async missing(path) {
      const found: string[] = [];
      for (let one = path; await lstatOrNull(ops, one).catch(noDirectory) === null; one = parentOf(one)) {
        found.unshift(one);
      }
      return found;
    },
    restore: (path, wanted, expected) =>
      changing([path], async () => {
        const present = await snapshotEntry(services, path, LOOKED_AT_BYTES);
        if (!expected(present.state)) throw new OpsError("SHA_MISMATCH", `'${display(path)}' has been changed since`);
        if (present.state.kind !== "absent") requireMovable(path);
        await restoreEntry(services, path, present.state, wanted);
      }),
    commit: (steps) => {
      const paths = steps.flatMap((step) => step.do === "move" ? [step.path, step.source] : [step.path]);
      return changing(paths, async () => {
        for (const step of steps) {
          if (step.do === "move") requireMovable(step.source);
          if (step.do === "remove") requireMovable(step.path);
        }
        return await commitWithBackups(services, steps, check);
      });
    },
  };
}

async function commitWithBackups(
  services: ChangeServices,
  steps: readonly Step[],
  check: (path: string, info: Deno.FileInfo | null) => void,
): Promise<{ readonly backups: readonly string[] }> {
  const { ops, dataDir, backupsBeside, now } = services;
  const directory = `${dataDir}/backups`;
  const backups = makeBackupSet(ops, backupsBeside ? { beside: true } : { beside: false, directory }, now());
  await commitSteps({ ...services, backups, check }, steps);
  if (!backupsBeside && backups.paths.length > 0) await pruneBackups(ops, directory);
  return { backups: backups.paths };
}

/** Below a file there is nothing. */
function noDirectory(error: unknown): null {
  if (errnoOf(error) === "ENOTDIR") return null;
  throw error;
}

async function hashOf(file: { read(into: Uint8Array): Promise<number | null> }, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let count = await file.read(chunk); count !== null; count = await file.read(chunk)) {
    signal?.throwIfAborted();
    hash.update(chunk.subarray(0, count));
  }
  return hash.digest("hex");
}
