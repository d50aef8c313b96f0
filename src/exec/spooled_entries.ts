/** Follows what a program has touched: which entries, what they were, and what they are now. @module */
import { isInside } from "../core/path.ts";
import type { Pacer } from "../sys/pacer.ts";
import type { EntryState } from "../sys/writer/snapshot.ts";
import type { SpoolLine } from "../sys/writer/spool.ts";

/** An entry that a program touched, or a folder that it moved. */
export interface TouchedEntry {
  readonly path: string;
  /** Where it was moved from. */
  readonly source: string | null;
  /** Without the hash of the content until that is read. */
  before: EntryState;
  /** Name of the file in the spool with the content from before. */
  image: string | null;
  /** What it was when it was looked at last. */
  after: EntryState | null;
  /** Whether the program has touched it since then. */
  isTouched: boolean;
  /** Its entry in the journal. */
  id: number | null;
}

/** The entries of one program, in the order in which it touched them first. */
export interface SpooledEntries {
  readonly all: readonly TouchedEntry[];
  /** Changes of which not even the path is known. */
  readonly unknown: number;
  add(line: SpoolLine): void;
  /** Looks at what is there now, in slices. @param look At the touched ones, or at all. */
  lookAgain(look: (path: string) => EntryState | null, all: boolean, pacer: Pacer): Promise<void>;
}

/** Of a program that has touched nothing yet. */
export function makeSpooledEntries(): SpooledEntries {
  const all: TouchedEntry[] = [];
  /** The newest entry of a path, as long as the path means the same entry. */
  const byPath = new Map<string, TouchedEntry>();
  let unknown = 0;

  const fresh = (line: SpoolLine, before: EntryState): TouchedEntry => {
    const { path, source = null, image = null } = line;
    const entry = { path, source, before, image, after: null, isTouched: true, id: null };
    all.push(entry);
    return entry;
  };
  return {
    all,
    get unknown() {
      return unknown;
    },
    add(line) {
      const { path, state, source, image } = line, known = byPath.get(path);
      if (state === undefined || source === undefined && known !== undefined && known.before.kind !== "file") {
        if (known !== undefined) known.isTouched = true;
      } else if (path === "") unknown++;
      else if (source !== undefined) {
        fresh(line, state);
        for (const one of byPath.keys()) if (isInside(one, path) || isInside(one, source)) byPath.delete(one);
      } else if (known !== undefined) {
        // Its mode or owner had changed before; what it was then counts, with the content that it still had.
        const { sizeBytes, mtimeMs } = state;
        known.before = { ...known.before, ...sizeBytes === undefined ? {} : { sizeBytes, mtimeMs: mtimeMs ?? 0 } };
        known.image ??= image ?? null;
        known.isTouched = true;
      } else byPath.set(path, fresh(line, state));
    },
    async lookAgain(look, everything, pacer) {
      /** From the end: what an entry became is what the next one on the same path found. */
      const later = new Map<string, EntryState>(), moves: TouchedEntry[] = [];
      for (const entry of all.toReversed()) {
        await pacer();
        if (entry.source === null) {
          const found = later.get(entry.path);
          if (found !== undefined) entry.after = found;
          else if (everything || entry.isTouched) entry.after = look(placeNow(entry.path, moves));
          entry.isTouched = false;
          later.set(entry.path, entry.before);
          continue;
        }
        if (everything || entry.isTouched) {
          const present = look(placeNow(entry.path, moves));
          entry.after = present?.inode === entry.before.inode ? entry.before : { kind: "absent" };
          entry.isTouched = false;
        }
        if (entry.after?.kind === "absent") continue; // the move did not happen
        moves.unshift(entry);
        rename(later, entry.path, entry.source);
      }
    },
  };
}

/** Where an entry is after later moves. */
function placeNow(path: string, moves: readonly TouchedEntry[]): string {
  return moves.reduce(
    (now, { source, path: target }) =>
      source !== null && isInside(now, source) ? target + now.slice(source.length) : now,
    path,
  );
}

/** Before a move, what is at its target now was at its source. */
function rename(states: Map<string, EntryState>, target: string, source: string): void {
  for (const [path, state] of [...states]) {
    if (!isInside(path, target)) continue;
    states.delete(path);
    states.set(source + path.slice(target.length), state);
  }
}
