/** Records what the programs of one call change, as the call's operations. @module */
import type { NewOperation } from "../store/journal.ts";
import type { ProgramOperation } from "../exec/program_changes.ts";
import type { Services } from "./tool.ts";

/** Services for one call, and what its programs have changed so far. */
export interface RecordedPrograms {
  readonly services: Pick<Services, "programs" | "processes">;
  /** A line for each operation. */
  notes(): readonly string[];
}

/** @param describe The call; undefined where nothing is recorded. */
export function recordPrograms(
  { programs, processes }: Pick<Services, "programs" | "processes">,
  operation: (() => NewOperation) | undefined,
): RecordedPrograms {
  const done: ProgramOperation[] = [];
  return {
    services: {
      programs: {
        get running() {
          return programs.running;
        },
        async run(request, signal) {
          const outcome = await programs.run({ ...request, operation }, signal);
          if (outcome.changes !== null) done.push(outcome.changes);
          return outcome;
        },
        close: () => programs.close(),
      },
      processes: { ...processes, start: (request, signal) => processes.start({ ...request, operation }, signal) },
    },
    notes: () => done.flatMap(noteOf),
  };
}

function noteOf({ id, changed, lost, isRecorded }: ProgramOperation): string[] {
  if (!isRecorded) return ["not covered by undo"];
  const files = `changed ${changed} ${changed === 1 ? "file" : "files"}`;
  const gap = lost > 0 ? [`${lost} not covered by undo`] : [];
  return changed === 0 || id === null ? gap : [`${files} · undo ${id}`, ...gap];
}
