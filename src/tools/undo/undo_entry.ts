/** Undoes what an operation did to one path, if it is still as the operation left it. @module */
import { OpsError } from "../../core/error.ts";
import type { JournalEntry } from "../../store/journal.ts";
import { ABSENT, type EntrySnapshot, type EntryState, fitsState } from "../../sys/writer/snapshot.ts";
import type { Changes } from "../../sys/writer/writer.ts";
import type { PathGuard } from "../../roots/path_guard.ts";
import type { ToolContext } from "../../call/tool.ts";

/** What became of an entry. */
export type Undone =
  | { readonly is: "restored" }
  /** It is as it was before the operation already. */
  | { readonly is: "unchanged" }
  | { readonly is: "conflict"; readonly reason: string };

/** States that a dry run has in mind, by path. */
export type Imagined = Map<string, EntryState>;

const RESTORED: Undone = { is: "restored" }, UNCHANGED: Undone = { is: "unchanged" };
const conflict = (reason: string): Undone => ({ is: "conflict", reason });

/** @param imagined Of a dry run: nothing is changed, and later entries see what would have been; null to do it. */
export async function undoEntry(entry: JournalEntry, context: ToolContext, imagined: Imagined | null): Promise<Undone> {
  const { paths, writer, signal } = context;
  try {
    const held = entry.source === null ? [entry.path] : [entry.path, entry.source];
    for (const path of held) {
      if (!await isPlace(path, paths)) return conflict("a directory above it is a link now");
    }
    return await writer.putBack(
      held,
      (files) => entry.source === null ? putBack(files, entry, context, imagined) : moveBack(files, entry, imagined),
      signal,
    );
  } catch (error) {
    if (!(error instanceof OpsError)) throw error;
    return conflict(error.message.replace(/\.$/, ""));
  }
}

/** Whether a recorded path leads to the entry itself. @throws OpsError when it is outside the roots, or protected. */
async function isPlace(path: string, paths: PathGuard): Promise<boolean> {
  // The entry of a name that is free is looked for among similar names, which takes long in a large folder.
  const target = await paths.target(path).catch((error: unknown) => {
    if (error instanceof OpsError) return null; // a link that leads out of the roots can still be replaced
    throw error;
  });
  return target === path || await paths.entry(path) === path;
}

async function putBack(
  files: Changes,
  entry: JournalEntry,
  context: ToolContext,
  imagined: Imagined | null,
): Promise<Undone> {
  const { path, before, after, image } = entry, { journal, config } = context;
  const look = async () => imagined?.get(path) ?? (await files.look(path, config.settings.undo.max_file_bytes)).state;
  const present = await look();
  if (fitsState(present, before)) return UNCHANGED;
  if (after === null) return conflict("the server was killed before it recorded what was written");
  if (!fitsState(present, after)) return conflict("changed since");
  const data = image === null ? null : await journal.image(image);
  const isContentNeeded = before.kind === "file" && present.sha256 !== before.sha256;
  if (before.kind === "other" || isContentNeeded && data === null) return conflict("its earlier content was not kept");
  if (imagined !== null) imagined.set(path, before);
  else await files.restore(path, snapshotOf(before, data), (found) => fitsState(found, after));
  return RESTORED;
}

async function moveBack(
  files: Changes,
  { path, source, after }: JournalEntry,
  imagined: Imagined | null,
): Promise<Undone> {
  if (source === null || after === null) return conflict("the server was killed before it recorded what was moved");
  const state = async (one: string) => imagined?.get(one) ?? (await files.look(one, Infinity)).state;
  const present = await state(path);
  const isSame = fitsState(present, after) && (after.kind !== "dir" || present.inode === after.inode);
  if (!isSame) return conflict("changed since");
  if ((await state(source)).kind !== "absent") return conflict("its earlier name is taken");
  if (imagined === null) await files.move(path, source);
  else imagined.set(path, ABSENT.state).set(source, present);
  return RESTORED;
}

function snapshotOf(state: EntryState, data: Uint8Array | null): EntrySnapshot {
  return { state, data };
}
