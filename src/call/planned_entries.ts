/** Plans which entries a change touches, with what it is going to leave there. @module */
import { sha256Hex } from "../core/bytes.ts";
import { parentOf } from "../core/path.ts";
import type { NewEntry } from "../store/journal.ts";
import type { EntryState } from "../sys/writer/snapshot.ts";
import type { Changes, Step } from "../sys/writer/writer.ts";

/** An entry and how to look at it after the change. */
export interface PlannedEntry extends NewEntry {
  /** Directories above the held paths cannot be looked at: either they were made or not. `kept` stays as planned. */
  readonly look: "entry" | "made" | "kept";
}

/** Looks at entries before they change. */
export interface Planner {
  /** A path that changes. @param after Null when what it becomes is not known yet. */
  entry(path: string, after: EntryState | null): Promise<PlannedEntry>;
  /** Directories that come to be. */
  made(path: string): Promise<PlannedEntry[]>;
  /** A move, and what it replaces. */
  moved(source: string, target: string): Promise<PlannedEntry[]>;
  step(step: Step): Promise<PlannedEntry[]>;
}

const GONE: EntryState = { kind: "absent" };

/** Plans for the changes of a holder. @param limitBytes Contents of larger files are not kept. */
export function makePlanner(files: Pick<Changes, "look" | "missing">, limitBytes: number): Planner {
  const planner: Planner = {
    async entry(path, after) {
      try {
        const { state, data } = await files.look(path, limitBytes);
        return { path, before: state, data, after, look: "entry" };
      } catch {
        return { path, before: { kind: "other" }, data: null, after, look: "entry" }; // not readable for the server
      }
    },
    async made(path) {
      const missing = await files.missing(path);
      return missing.map((one) => ({ path: one, before: GONE, data: null, after: { kind: "dir" }, look: "made" }));
    },
    async moved(source, target) {
      const [from, replaced] = [await planner.entry(source, GONE), await planner.entry(target, GONE)];
      const move: PlannedEntry = { path: target, source, before: GONE, data: null, after: from.before, look: "entry" };
      return replaced.before.kind === "absent" ? [move] : [{ ...replaced, look: "kept" }, move];
    },
    async step(step) {
      switch (step.do) {
        case "write":
          return [await planner.entry(step.path, await fileOf(step.data))];
        case "create":
          return [...await planner.made(parentOf(step.path)), await planner.entry(step.path, await fileOf(step.data))];
        case "remove":
          return [await planner.entry(step.path, GONE)];
        case "mode":
          return [await planner.entry(step.path, null)];
        case "move": {
          const above = await planner.made(parentOf(step.path));
          if (step.data === undefined) return [...above, ...await planner.moved(step.source, step.path)];
          const target = await planner.entry(step.path, await fileOf(step.data));
          return [...above, await planner.entry(step.source, GONE), target];
        }
      }
    },
  };
  return planner;
}

/** A file with a content, whatever its mode. */
export async function fileOf(data: Uint8Array): Promise<EntryState> {
  return { kind: "file", sha256: await sha256Hex(data) };
}
