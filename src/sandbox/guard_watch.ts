/**
 * Notices guarded files that programs made or changed. Folders of the roots are watched by the kernel's notifications, which
 * cost a program nothing and a call next to nothing; of guarded files the kernel's time of change is compared, which no
 * program can set. What was there before a program ran, when none was running, is trusted.
 * @module
 */
import type { Config } from "../config/resolve.ts";
import { isInside } from "../core/path.ts";
import { executes, readGitConfig } from "../core/git_config.ts";
import type { Libc } from "../sys/libc.ts";
import { type GuardedFile, makeGuardedFinder } from "./guarded_files.ts";
import { type FolderWatches, makeFolderWatches } from "./inotify.ts";
import { makePinnedPaths } from "./pinned_paths.ts";

/** A guarded file that a program made or changed. */
export interface SuspectFile extends GuardedFile {
  /** What it was before; null when it is new, or was too large to keep. */
  readonly before: Uint8Array<ArrayBuffer> | null;
  /** Of git's configuration: assignments that were there before, as `key=value`. */
  readonly trusted: readonly string[];
}

/** The watch of one host of children. */
export interface GuardWatch {
  /** A program is about to start. */
  begin(): void;
  /** A program has ended. */
  end(): void;
  /** What programs made or changed since the last look. */
  look(): SuspectFile[];
  /** Ends the watch, before its thread ends. */
  close(): void;
}

/** More folders than this are not watched, counted from the roots down: each takes memory of the kernel. */
const MAX_FOLDERS = 10_000;
/** Of one look. */
const MAX_WALK_MS = 400;
/** A larger file is not kept, so that its former text cannot be put back. */
const MAX_KEPT_BYTES = 65_536, MAX_CONFIG_BYTES = 262_144;

interface Known {
  readonly file: GuardedFile;
  readonly stamp: string;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/**
 * For a thread that may call C functions; null where nothing is guarded.
 *
 * @param mounts Whether mounts keep programs from changing those directly in a root; another change is the operator's. Where
 *   they do, Landlock does not hold the thread.
 */
export function makeGuardWatch(
  libc: Libc,
  { config }: { readonly config: Config },
  mounts: boolean,
): GuardWatch | null {
  const { guarded_paths, unguarded_paths } = config.settings.tools;
  if (guarded_paths.length === 0 || config.unconfined || config.roots.length === 0) return null;
  const paths = makePinnedPaths(libc, config.roots, !mounts), { infoOf, read } = paths;
  const finder = makeGuardedFinder(guarded_paths, unguarded_paths, config.roots, paths);
  const watches = openWatches(libc);
  const known = new Map<string, Known>(), stamps = new Set<string>();
  let running = 0, isOpen = false;

  const trust = (file: GuardedFile) => {
    const info = infoOf(file.path);
    if (info === null) return void known.delete(file.path);
    const stamp = stampOf(info);
    if (known.get(file.path)?.stamp === stamp) return;
    const limit = file.isGitConfig ? MAX_CONFIG_BYTES : MAX_KEPT_BYTES;
    const bytes = info.isFile && info.size <= limit ? read(file.path, limit) : null;
    known.set(file.path, { file, stamp, bytes });
    stamps.add(stamp);
  };
  const watch = (folder: string): boolean => paths.pinned(folder, (path) => watches.add(folder, path)) ?? false;
  const walk = (top: string, found: Map<string, GuardedFile>, untilMs: number) => {
    finder.walk(top, {
      folder: (path) => watches.count() < MAX_FOLDERS && performance.now() < untilMs && watch(path),
      file: (file) => void found.set(file.path, file),
    });
  };
  /** Guarded files around all that was made since the last look. */
  const gather = (): Map<string, GuardedFile> => {
    const found = new Map<string, GuardedFile>(), { entries, overflowed } = watches.look();
    const untilMs = performance.now() + MAX_WALK_MS;
    if (overflowed || !isOpen) {
      isOpen = true;
      for (const root of config.roots) walk(root, found, untilMs);
    }
    for (const [path, isFolder] of entries) {
      for (const file of finder.aroundEntry(path)) found.set(file.path, file);
      if (isFolder) walk(path, found, untilMs);
    }
    return found;
  };
  const isMounted = ({ path, entry, isGitConfig }: GuardedFile) =>
    mounts && !isGitConfig && config.roots.some((root) => isInside(path, `${root}/${entry}`));
  const changed = (): GuardedFile[] =>
    [...known.values()].filter(({ file, stamp }) => {
      const info = isMounted(file) ? null : infoOf(file.path);
      return info !== null && stampOf(info) !== stamp;
    }).map(({ file }) => file);
  const suspectOf = (file: GuardedFile): SuspectFile[] => {
    const info = infoOf(file.path), before = known.get(file.path);
    if (info === null || info.isDirectory || stamps.has(stampOf(info))) return [];
    if (!file.isGitConfig) return [{ ...file, before: before?.bytes ?? null, trusted: [] }];
    const trusted = executing(before?.bytes ?? null);
    const now = info.isFile && info.size <= MAX_CONFIG_BYTES ? read(file.path, MAX_CONFIG_BYTES) : null;
    const added = now === null || executing(now).some((line) => !trusted.includes(line));
    if (!added) trust(file);
    return added ? [{ ...file, before: before?.bytes ?? null, trusted }] : [];
  };
  return {
    begin() {
      if (running++ > 0) return;
      // What was made while no program ran is the operator's, or a tool's.
      for (const file of gather().values()) trust(file);
      for (const file of changed()) trust(file);
    },
    end() {
      running--;
    },
    close: watches.close,
    look() {
      const candidates = gather();
      for (const file of changed()) candidates.set(file.path, file);
      return [...candidates.values()].flatMap(suspectOf);
    },
  };
}

/** The kernel's notifications; where this user has no more of them, every look walks. */
function openWatches(libc: Libc): FolderWatches {
  try {
    return makeFolderWatches(libc);
  } catch {
    return {
      add: () => true,
      look: () => ({ entries: new Map(), overflowed: true }),
      count: () => 0,
      close() {},
    };
  }
}

/** Changes whenever content, mode or owner do, or the file is another one; not when a folder above it is renamed. */
function stampOf({ dev, ino, ctime, size }: Deno.FileInfo): string {
  return `${dev}:${ino}:${ctime?.getTime()}:${size}`;
}

/** Assignments of git's configuration that execute something. */
function executing(bytes: Uint8Array | null): string[] {
  if (bytes === null) return [];
  return readGitConfig(new TextDecoder().decode(bytes)).filter(executes).map(({ key, value }) => `${key}=${value}`);
}
