/** Changes text at given places of files, all or nothing. @module */
import { applyEdits, type Edit } from "../../core/edit/edits.ts";
import { decodeFile, encodeFile, requireStorable, shownText } from "../../core/edit/text_file.ts";
import { formatDiff } from "../../core/edit/unified_diff.ts";
import { OpsError } from "../../core/error.ts";
import { detectEncoding } from "../../sys/files/detect_encoding.ts";
import type { ToolContext } from "../../call/tool.ts";

/** A replacement. Lines and columns count from 1, columns in UTF-16 units; line ends of the texts are plain. */
export interface PlaceChange {
  /** As it is displayed. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly before: string;
  readonly after: string;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Changes the places, or only shows what would change.
 *
 * @returns the diff of each file.
 * @throws OpsError SHA_MISMATCH when a file is not as it was when the places were found.
 */
export async function changePlaces(
  changes: readonly PlaceChange[],
  dryRun: boolean,
  { paths, writer, signal }: Pick<ToolContext, "paths" | "writer" | "signal">,
): Promise<string[]> {
  const byFile = Map.groupBy(changes, ({ path }) => path), held = new Map<string, string>();
  for (const path of byFile.keys()) held.set(path, await paths.existing(path));
  return await writer.change([...held.values()], async (files) => {
    const edited: { path: string; data: Uint8Array; diff: string }[] = [];
    for (const [shown, places] of byFile) {
      signal.throwIfAborted();
      const path = held.get(shown) ?? shown;
      const file = decodeFile(await files.read(path, MAX_FILE_BYTES), `'${shown}'`, { detect: detectEncoding });
      for (const { after } of places) requireStorable(file, after, `'${shown}'`);
      const edits = editsOf(file.text, places);
      const text = applyEdits(file.text, edits);
      const diff = shownText(formatDiff(file.text, edits, `a/${shown}`, `b/${shown}`));
      edited.push({ path, data: encodeFile({ ...file, text }), diff });
    }
    if (!dryRun) await files.commit(edited.map(({ path, data }) => ({ do: "write" as const, path, data })));
    return edited.map(({ diff }) => diff);
  }, signal);
}

function editsOf(text: string, places: readonly PlaceChange[]): Edit[] {
  const starts = [0], lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return places.map(({ path, line, column, before, after }): Edit => {
    const start = (starts[line - 1] ?? text.length) + column - 1;
    const old = before.replaceAll("\n", lineEnd), end = start + old.length;
    if (text.slice(start, end) !== old) {
      const message = `'${path}' changed while it was searched, or holds a secret on line ${line}; nothing was changed`;
      throw new OpsError(
        "SHA_MISMATCH",
        message,
        "Repeat the call; change a line with a secret by linux_fs_patch_block.",
      );
    }
    return { start, end, insert: after.replaceAll("\n", lineEnd) };
  }).sort((a, b) => a.start - b.start);
}
