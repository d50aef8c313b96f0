/** The one way to change files: a queue per real path, atomic replacement, and commits of several files that hold or vanish as a whole. @module */

/** What became of a recursive removal; entries that could not be removed are named, the rest is gone. */
export interface Removal {
  readonly removed: number;
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
}

/** One step of a commit. Paths are real, and held by the change that commits. */
export type Step =
  | { readonly do: "write"; readonly path: string; readonly data: Uint8Array; readonly mode?: number }
  | { readonly do: "create"; readonly path: string; readonly data: Uint8Array; readonly mode?: number }
  | { readonly do: "copy"; readonly source: string; readonly path: string }
  | { readonly do: "move"; readonly source: string; readonly path: string }
  | { readonly do: "remove"; readonly path: string }
  | { readonly do: "mode"; readonly path: string; readonly mode: number };

/** Changes that a holder of paths may make. Every path must lie at or under a held one. */
export interface Changes {
  /**
   * Whole content of a regular file.
   *
   * @throws OpsError NOT_FOUND, IS_DIRECTORY, INVALID_PATH for special files, OUTPUT_TOO_LARGE past `limitBytes`.
   */
  read(path: string, limitBytes: number): Promise<Uint8Array>;
  /** SHA-256 in hex of a regular file, streamed; null when there is none. */
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
  /** All steps or none. Answers where the old contents of changed files are kept. */
  commit(steps: readonly Step[]): Promise<{ readonly backups: readonly string[] }>;
}

/** Serialises changes by real path. */
export interface Writer {
  /**
   * Waits for earlier changes of these paths and of everything above and below them, then runs `work` alone on them.
   *
   * @param paths Real paths, as the path guard gives them.
   * @throws OpsError TIMEOUT when `signal` aborts while waiting; whatever `work` throws.
   */
  change<T>(paths: readonly string[], work: (files: Changes) => Promise<T>, signal?: AbortSignal): Promise<T>;
}
