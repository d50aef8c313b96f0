/** Starts a program whose changes of files are recorded. @module */
import type { Child, Children, ChildRequest } from "../sandbox/children.ts";
import type { NewOperation } from "../store/journal.ts";
import type { ProgramChanges, ProgramOperation } from "./program_changes.ts";

/** A program, and how its changes get into the journal once it changes nothing any more. */
export interface RecordedChild {
  readonly child: Child;
  readonly collect: () => Promise<ProgramOperation | null>;
}

/** What starting needs. */
export interface RecordingDeps {
  readonly children: Children;
  /** Null where the operator wants nothing recorded. */
  readonly changes: ProgramChanges | null;
}

/** Starts a program; trouble with the journal does not stop it. @throws as `Children.spawn`. */
export async function startRecorded(
  { children, changes }: RecordingDeps,
  request: ChildRequest,
  operation: (() => NewOperation) | undefined,
): Promise<RecordedChild> {
  if (changes === null || operation === undefined) {
    return { child: await children.spawn(request), collect: () => Promise.resolve(null) };
  }
  // What starts nothing else and is not recorded is known to change nothing.
  const unrecorded = { id: null, changed: 0, lost: 0, isRecorded: request.runsAlone === true };
  const id = begin(changes, operation());
  if (id === null) return { child: await children.spawn(request), collect: () => Promise.resolve(unrecorded) };
  const collect = () => changes.collect(id, true).catch(() => unrecorded);
  try {
    const child = await children.spawn(request, id);
    return {
      child,
      collect: child.isRecorded ? collect : async () => ({ ...await collect(), isRecorded: unrecorded.isRecorded }),
    };
  } catch (error) {
    await collect();
    throw error;
  }
}

/** Null when the disk is full, or the data directory cannot be written. */
function begin(changes: ProgramChanges, operation: NewOperation): string | null {
  try {
    return changes.begin(operation);
  } catch {
    return null;
  }
}
