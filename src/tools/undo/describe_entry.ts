/** Says what an operation did to one path, and whether it is still so. @module */
import type { ToolContext } from "../../call/tool.ts";
import type { JournalEntry } from "../../store/journal.ts";
import { type EntryState, fitsState } from "../../sys/writer/snapshot.ts";

/** One word for what happened to a path. */
export function verbOf({ before, after, source }: Pick<JournalEntry, "before" | "after" | "source">): string {
  if (source !== null) return "moved";
  if (after === null) return "changing";
  if (after.kind === "absent") return "deleted";
  if (before.kind === "absent") return "created";
  return before.sha256 === after.sha256 && before.kind === after.kind ? "attributes" : "modified";
}

/** Whether a path is not as the newest operation of all that changed it left it. */
export async function isOutsideChange(
  path: string,
  { journal, writer, config, signal }: ToolContext,
): Promise<boolean> {
  const last = journal.lastEntry(path);
  const after = last?.source === path ? GONE : last?.after ?? null;
  if (after === null) return false;
  const limit = config.settings.undo.max_file_bytes;
  const { state } = await writer.look(path, limit, signal);
  return !fitsState(state, after);
}

const GONE: EntryState = { kind: "absent" };
