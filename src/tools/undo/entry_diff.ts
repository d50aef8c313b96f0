/** Shows what an operation did to one file as a unified diff. @module */
import { formatDiff } from "../../core/edit/unified_diff.ts";
import { decodeFile } from "../../core/edit/text_file.ts";
import { OpsError } from "../../core/error.ts";
import type { ToolContext } from "../../call/tool.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { EntryState } from "../../sys/writer/snapshot.ts";
import { verbOf } from "./describe_entry.ts";

/** Larger contents are named only. */
const MAX_DIFF_BYTES = 2 * 1024 * 1024;

/** Hunks with three lines around each; one line for what is not text, or not kept any more. */
export async function entryDiff(entry: JournalEntry, context: ToolContext): Promise<string> {
  const { path, before, after } = entry, shown = context.paths.display(path);
  const named = (why: string) => `# ${verbOf(entry)} ${shown}${why}\n`;
  if (after === null || before.kind !== "file" && after.kind !== "file" || entry.source !== null) return named("");
  const old = await contentOf(before, path, context), fresh = await contentOf(after, path, context);
  if (old === null || fresh === null) return named(": its content is not kept");
  const [oldText, freshText] = [textOf(old), textOf(fresh)];
  if (oldText === null || freshText === null) return named(": not text");
  const edits = [{ start: 0, end: oldText.length, insert: freshText }];
  const names = [
    before.kind === "absent" ? "/dev/null" : `a/${shown}`,
    after.kind === "absent" ? "/dev/null" : `b/${shown}`,
  ];
  return formatDiff(oldText, edits, names[0] ?? "", names[1]) || named("");
}

/** A content is in the journal as what was there before a later change, or still in the file. */
async function contentOf(
  { kind, sha256 }: EntryState,
  path: string,
  { journal, writer, signal }: ToolContext,
): Promise<Uint8Array | null> {
  if (kind !== "file") return new Uint8Array();
  const kept = sha256 === undefined ? null : await journal.image(sha256);
  if (kept !== null) return kept;
  const { state, data } = await writer.look(path, MAX_DIFF_BYTES, signal);
  return state.sha256 === sha256 ? data : null;
}

function textOf(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_DIFF_BYTES) return null;
  try {
    return decodeFile(bytes, "the file").text;
  } catch (error) {
    if (error instanceof OpsError) return null;
    throw error;
  }
}
