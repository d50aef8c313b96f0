/** Reports the end of each process once to its session. @module */
import { cutLine } from "../core/bound.ts";
import type { Entry } from "./process_entry.ts";

/** Ends that were not told yet. */
export interface EndedProcesses {
  /** Watches a process until it ends. */
  watch(entry: Entry): void;
  /** See `Processes.takeEnded`. */
  take(owner: string, session: string): readonly string[];
}

/** Sessions that never call again leave theirs; the oldest are forgotten. */
const MAX_KEPT = 256;
/** A note is to cost at most 25 tokens, and the id is half of that. */
const NAME_CHARS = 16;

/** Makes an empty list. */
export function makeEndedProcesses(): EndedProcesses {
  let ended: Entry[] = [];
  return {
    watch(entry) {
      void entry.run.ended.then(() => {
        if (!entry.endShown) ended = [...ended.slice(1 - MAX_KEPT), entry];
      });
    },
    take(owner, session) {
      const isMine = (entry: Entry) => entry.owner === owner && entry.session === session;
      const mine = ended.filter(isMine);
      if (mine.length === 0) return [];
      ended = ended.filter((entry) => !isMine(entry));
      return mine.filter(({ endShown }) => !endShown).map(describeEnd);
    },
  };
}

function describeEnd({ procId, command, run: { exit } }: Entry): string {
  const how = exit?.signal ? `ended by ${exit.signal}` : `exited ${exit?.code ?? "?"}`;
  return `${cutLine(command.split(" ", 1)[0] ?? "", NAME_CHARS)} ${how}: linux_proc_read ${procId}`;
}
