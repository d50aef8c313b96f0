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

/** @throws as `Children.spawn`. */
export async function startRecorded(
  { children, changes }: RecordingDeps,
  request: ChildRequest,
  operation: (() => NewOperation) | undefined,
): Promise<RecordedChild> {
  const id = operation === undefined ? undefined : changes?.begin(operation());
  if (id === undefined || changes === null) {
    return { child: await children.spawn(request), collect: () => Promise.resolve(null) };
  }
  const collect = async () => await changes.collect(id, true);
  try {
    const child = await children.spawn(request, id);
    return {
      child,
      collect: child.isRecorded
        ? collect
        : async () => ({ ...await collect(), isRecorded: request.runsAlone === true }),
    };
  } catch (error) {
    await collect();
    throw error;
  }
}
