/** Keeps the planned state of files in memory while a diff is applied; yields one change per path. @module */
import { OpsError } from "../error.ts";
import type { FileText } from "./text_file.ts";

/** The files that a diff meets. Names are as in the diff, paths are real. */
export interface DiffTree {
  /** Path of an existing or new file, links followed. @throws OpsError INVALID_PATH for names that are not allowed. */
  place(name: string): Promise<string>;
  /** Path of the directory entry itself: another one than {@link place} gives when the name is a symbolic link. */
  entry(name: string): Promise<string>;
  /** Whether a regular file is there. */
  exists(path: string): Promise<boolean>;
  read(path: string): Promise<Uint8Array>;
  /** The text of a file. @param name How errors name it. */
  decode(bytes: Uint8Array, name: string): FileText;
  /** Permission bits of a file. */
  mode(path: string): Promise<number>;
}

/** One change of one path. */
export type FileChange =
  | { readonly do: "write"; readonly path: string; readonly data: Uint8Array; readonly mode?: number }
  | { readonly do: "create"; readonly path: string; readonly data: Uint8Array; readonly mode?: number }
  | {
    readonly do: "move";
    readonly source: string;
    readonly path: string;
    readonly data?: Uint8Array;
    readonly mode?: number;
  }
  | { readonly do: "remove"; readonly path: string }
  | { readonly do: "mode"; readonly path: string; readonly mode: number };

/** A file as the diff has left it. */
interface State {
  /** Where its content lies on the disk; null for a new one. */
  readonly from: string | null;
  /** Null while nothing but its name or mode has changed. */
  readonly data: Uint8Array | null;
  readonly mode: number | null;
}

/** See the module. */
export class PlannedFiles {
  readonly #tree: DiffTree;
  /** Null for a file that is gone. */
  readonly #states = new Map<string, State | null>();
  readonly #onDisk = new Map<string, boolean>();

  constructor(tree: DiffTree) {
    this.#tree = tree;
  }

  /**
   * The first name that exists.
   *
   * @throws OpsError of the first, likeliest name when none exists and that one is not allowed.
   */
  async find(names: readonly string[]): Promise<{ readonly name: string; readonly path: string } | null> {
    let refusal: OpsError | null = null;
    for (const [rank, name] of names.entries()) {
      try {
        const path = await this.#tree.place(name);
        if (await this.exists(path)) return { name, path };
      } catch (error) {
        if (!(error instanceof OpsError)) throw error;
        if (rank === 0) refusal = error;
      }
    }
    if (refusal !== null) throw refusal;
    return null;
  }

  async exists(path: string): Promise<boolean> {
    const state = this.#states.get(path);
    return state === undefined ? await this.#isOnDisk(path) : state !== null;
  }

  async content(path: string): Promise<Uint8Array> {
    const { data, from } = this.#state(path);
    return data ?? await this.#tree.read(from ?? path);
  }

  async mode(path: string): Promise<number> {
    const { mode, from } = this.#state(path);
    return mode ?? await this.#tree.mode(from ?? path);
  }

  create(path: string, data: Uint8Array, mode: number | null): void {
    this.#states.set(path, { from: null, data, mode });
  }

  /** Changes content, mode, or both; null leaves one as it is. */
  update(path: string, data: Uint8Array | null, mode: number | null): void {
    const state = this.#state(path);
    this.#states.set(path, { ...state, data: data ?? state.data, mode: mode ?? state.mode });
  }

  rename(source: string, path: string): void {
    this.#states.set(path, this.#state(source));
    this.#states.set(source, null);
  }

  remove(path: string): void {
    this.#states.set(path, null);
  }

  /** One change for each path that is not as it was; none of them needs another one to come first. */
  async changes(): Promise<readonly FileChange[]> {
    const changes: FileChange[] = [];
    const moved = new Set<string>();
    for (const [path, state] of this.#states) {
      const change = state === null ? null : await this.#changeOf(path, state);
      if (change?.do === "move") moved.add(change.source);
      if (change !== null) changes.push(change);
    }
    for (const [path, state] of this.#states) {
      if (state === null && !moved.has(path) && await this.#isOnDisk(path)) changes.push({ do: "remove", path });
    }
    return changes;
  }

  async #changeOf(path: string, { from, data, mode }: State): Promise<FileChange | null> {
    const there = await this.#isOnDisk(path);
    const withMode = mode === null ? {} : { mode };
    if (from === path) {
      if (data !== null) return { do: "write", path, data, ...withMode };
      return mode === null ? null : { do: "mode", path, mode };
    }
    // A plain move, unless the old name has a new owner or the new name still has its old one.
    if (from !== null && !there && this.#states.get(from) === null) {
      return { do: "move", source: from, path, ...(data === null ? {} : { data }), ...withMode };
    }
    return { do: there ? "write" : "create", path, data: data ?? await this.#tree.read(from ?? path), ...withMode };
  }

  #state(path: string): State {
    return this.#states.get(path) ?? { from: path, data: null, mode: null };
  }

  async #isOnDisk(path: string): Promise<boolean> {
    const known = this.#onDisk.get(path) ?? await this.#tree.exists(path);
    this.#onDisk.set(path, known);
    return known;
  }
}
