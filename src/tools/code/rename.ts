/** `code_rename`: renames a symbol in every file that uses it, as one change that can be undone. @module */
import * as z from "zod";
import { applyEdits, type Edit } from "../../core/edit/edits.ts";
import { decodeFile, encodeFile, type FileText, requireStorable, shownText } from "../../core/edit/text_file.ts";
import { formatDiff } from "../../core/edit/unified_diff.ts";
import { OpsError } from "../../core/error.ts";
import { detectEncoding } from "../../sys/files/detect_encoding.ts";
import type { SymbolAnswer, SymbolPlace } from "../../code_search/symbols/symbol.ts";
import { defineTool } from "../../call/tool.ts";
import { refuseUnclear } from "./rename_refusals.ts";
import { readSymbol } from "./symbol_argument.ts";

const MAX_FILE_BYTES = 8 * 1024 * 1024;

const output = () =>
  z.object({
    name: z.string(),
    new_name: z.string(),
    places: z.int(),
    files: z.array(z.object({ path: z.string(), places: z.int() })),
    /** Places where only the name is the same, and that were left as they are. */
    left: z.array(z.string()),
    left_out: z.array(z.object({ reason: z.string(), count: z.int(), files: z.array(z.string()).readonly() }))
      .readonly(),
    dry_run: z.boolean(),
    diff: z.string().optional(),
  });

/** See the summary. */
export const codeRename = defineTool({
  name: "code_rename",
  title: "Rename a symbol",
  summary: "Rename a symbol and its uses in all files, all or nothing; unsure: what to do where only the name matches.",
  toolset: "code",
  effect: "write",
  input: () =>
    z.strictObject({
      symbol: z.string().max(1_000),
      new_name: z.string().max(200),
      unsure: z.enum(["refuse", "rename", "leave"]).default("refuse"),
      dry_run: z.boolean().default(false),
    }),
  output,
  render({ name, new_name, places, files, left, left_out, dry_run, diff }) {
    const done = dry_run ? "would rename" : "renamed";
    return [
      `${done} ${name} to ${new_name}: ${places} places in ${files.length} ${files.length === 1 ? "file" : "files"}`,
      ...files.map((file) => `${file.path} ${file.places}`),
      ...left.length === 0 ? [] : [`left as they are, only the name is the same: ${left.join(", ")}`],
      ...left_out.map(({ reason, count, files }) => `${reason}: ${count} (${files.join(", ")})`),
      ...diff === undefined ? [] : [diff],
    ].join("\n");
  },
  async run({ symbol, new_name, unsure, dry_run }, context) {
    const { index, paths, writer, signal } = context;
    const named = await readSymbol(symbol, context);
    const answer = await index.symbol({ ...named, want: "references", newName: new_name, signal });
    refuseUnclear(answer, new_name, unsure);
    const changed = answer.places.filter(({ certain }) => certain || unsure === "rename");
    const byFile = Map.groupBy(changed, ({ path }) => path);
    const held = new Map<string, string>();
    for (const path of byFile.keys()) held.set(path, await paths.existing(path));
    const diffs = await writer.change([...held.values()], async (files) => {
      const edited: { path: string; data: Uint8Array; diff: string }[] = [];
      for (const [shown, places] of byFile) {
        signal.throwIfAborted();
        const path = held.get(shown) ?? shown;
        const file = decodeFile(await files.read(path, MAX_FILE_BYTES), `'${shown}'`, { detect: detectEncoding });
        requireStorable(file, new_name, `'${shown}'`);
        const edits = editsOf(file, places, answer, new_name);
        const text = applyEdits(file.text, edits);
        const diff = shownText(formatDiff(file.text, edits, `a/${shown}`, `b/${shown}`));
        edited.push({ path, data: encodeFile({ ...file, text }), diff });
      }
      if (!dry_run) await files.commit(edited.map(({ path, data }) => ({ do: "write" as const, path, data })));
      return edited.map(({ diff }) => diff);
    }, signal);
    return {
      name: answer.name,
      new_name,
      places: changed.length,
      files: [...byFile].map(([path, places]) => ({ path, places: places.length })),
      left: answer.places.filter((one) => !changed.includes(one)).map(({ path, line }) => `${path}:${line}`),
      left_out: answer.left_out,
      dry_run,
      ...dry_run ? { diff: diffs.join("") } : {},
    };
  },
});

/** @throws OpsError SHA_MISMATCH when the file is not as it was when the places were found. */
function editsOf({ text }: FileText, places: readonly SymbolPlace[], { name }: SymbolAnswer, newName: string): Edit[] {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return places.map(({ path, line, column, keeps }): Edit => {
    const start = (starts[line - 1] ?? text.length) + column - 1, end = start + name.length;
    if (text.slice(start, end) !== name) {
      throw new OpsError(
        "SHA_MISMATCH",
        `'${path}' changed, or holds a secret on line ${line}, while the uses were looked for`,
      );
    }
    const insert = keeps === undefined ? newName : keeps === "member" ? `${name}: ${newName}` : `${newName}: ${name}`;
    return { start, end, insert };
  }).sort((a, b) => a.start - b.start);
}
