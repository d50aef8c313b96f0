/** Interface of the journal of changes: operations, what they changed, and the contents from before. @module */
import type { EntryState } from "../sys/writer/snapshot.ts";

/** Who changes something, and by what. */
export interface NewOperation {
  /** Hash of the owner. */
  readonly owner: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly tool: string;
  /** The arguments on one line, redacted. */
  readonly summary: string;
}

/** A call that changed files. */
export interface JournalOperation extends NewOperation {
  /** `op_…`, short, and never used twice. */
  readonly id: string;
  readonly timeMs: number;
  /** Ids of the operations that it undid, separated by spaces. */
  readonly parent: string;
  /** `open` while it runs, and after its server was killed. */
  readonly state: "open" | "done";
  /** Changes without a copy of what was there before. */
  readonly uncovered: number;
  /** Entries that it changed. */
  readonly entries: number;
}

/** What an operation does to one path. */
export interface NewEntry {
  readonly path: string;
  /** Where the entry was moved from. */
  readonly source?: string;
  readonly before: EntryState;
  /** Content of a file from before; null when there was none, or it is not to be kept. */
  readonly data: Uint8Array | null;
  /** What the operation is going to leave there, as far as it is known. */
  readonly after: EntryState | null;
}

/** What an operation did to one path. */
export interface JournalEntry {
  readonly id: number;
  readonly path: string;
  readonly source: string | null;
  readonly before: EntryState;
  /** Key of the content from before; null when none is kept. */
  readonly image: string | null;
  /** What it left there; null when it ended before that was known. */
  readonly after: EntryState | null;
}

/** Which operations to list, newest first. */
export interface OperationQuery {
  readonly id?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** The beginning of a session's id. */
  readonly session?: string | undefined;
  readonly owner?: string | undefined;
  /** A session's whole id. */
  readonly sessionId?: string | undefined;
  /** Only those that changed this path or something below it. */
  readonly path?: string | undefined;
  readonly limit: number;
}

/** Shared by all servers of a data directory. Methods throw an Error when the disk is full or the database cannot be read. */
export interface Journal {
  /** Starts an operation; its id. */
  begin(operation: NewOperation): string;
  /** Records entries before they change. Answers them in the same order. */
  add(operation: string, entries: readonly NewEntry[]): Promise<readonly AddedEntry[]>;
  /** Records what an entry became. */
  settle(entry: number, after: EntryState): void;
  /** Drops entries: they did not change. */
  drop(entries: readonly number[]): void;
  /** Says that an operation changed more, of which nothing is known. */
  lose(operation: string, count: number): void;
  /** Ends an operation; one without entries is removed. @param parent See {@link JournalOperation.parent}. */
  end(operation: string, parent?: string): void;
  list(query: OperationQuery): readonly JournalOperation[];
  /** In the order in which they changed. */
  entries(operation: string): readonly JournalEntry[];
  /** The newest entry of all operations that a path was changed by, or moved away by; null when there is none. */
  lastEntry(path: string): JournalEntry | null;
  /** A content; null when it was removed to make room. */
  image(key: string): Promise<Uint8Array | null>;
  /** The operation that undid each operation that was undone, by id. */
  undone(): ReadonlyMap<string, string>;
  /** Why an operation is not there any more; null when it never was. */
  whyDropped(id: string): string | null;
  /** Removes what is too old. */
  prune(): void;
  /** Bytes that count against the cap. */
  bytes(): number;
  close(): void;
}

/** An entry that was recorded. */
export interface AddedEntry {
  readonly id: number;
  /** Whether its earlier state can be restored. */
  readonly isCovered: boolean;
}
