/**
 * Format of the spool: what entries were before a program touched them, written while the program waits, and moved into the
 * journal after its end. Each program has a description, a log of lines and a file for each content.
 * @module
 */
import type { EntryState } from "./snapshot.ts";

/** What programs that still run may take of `mcp.undo.max_bytes`, for each server; the journal has the rest. */
export const SPOOL_SHARE = 1 / 4;

/** Why what was there before is not kept. */
export type Loss =
  /** Larger than `mcp.undo.max_file_bytes`. */
  | "size"
  /** The journal may not grow. */
  | "room"
  /** Not readable for the server. */
  | "unreadable"
  /** Two folders were exchanged, or the path cannot be resolved or written down. */
  | "path";

/** One line of a log: what an entry was when a program first touched it. */
export interface SpoolLine {
  readonly atMs: number;
  readonly path: string;
  /** Absent when the entry is in the log already and is touched again. */
  readonly state?: EntryState;
  /** Name of the file with the content from before. */
  readonly image?: string;
  /** A folder was moved here from there. */
  readonly source?: string;
  readonly lost?: Loss;
}

/** Folder of the spools of all servers. */
export function spoolDir(storeDir: string): string {
  return `${storeDir}/programs`;
}

/** Names of a program's files. @param mark Identifier that the program carries in its environment. */
export const spoolNames = {
  description: (mark: string): string => `${mark}.json`,
  log: (mark: string): string => `${mark}.log`,
  image: (mark: string, number: number): string => `${mark}.${number}`,
  /** The program that a file belongs to; null for other files. */
  markOf: (name: string): string | null => /^([0-9a-f-]{36})\.(?:json|log|\d+)$/.exec(name)?.[1] ?? null,
};

/** Lines of a log; one that was not written to its end is left out. */
export function parseSpool(text: string): SpoolLine[] {
  return text.split("\n").slice(0, -1).map((line): SpoolLine => JSON.parse(line));
}
