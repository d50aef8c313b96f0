/** `code_rename`: renames a symbol in every file that uses it, as one change that can be undone. @module */
import * as z from "zod";
import type { SymbolPlace } from "../../code_search/symbols/symbol.ts";
import { defineTool } from "../../call/tool.ts";
import { changePlaces, type PlaceChange } from "./change_places.ts";
import { refuseUnclear } from "./rename_refusals.ts";
import { readSymbol } from "./symbol_argument.ts";

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
      `${done} ${name} to ${new_name}: ${places} ${places === 1 ? "place" : "places"} in ${files.length} ${
        files.length === 1 ? "file" : "files"
      }`,
      ...files.map((file) => `${file.path} ${file.places}`),
      ...left.length === 0 ? [] : [`left as they are, only the name is the same: ${left.join(", ")}`],
      ...left_out.map(({ reason, count, files }) => `${reason}: ${count} (${files.join(", ")})`),
      ...diff === undefined ? [] : [diff],
    ].join("\n");
  },
  async run({ symbol, new_name, unsure, dry_run }, context) {
    const { index, signal } = context;
    const named = await readSymbol(symbol, context);
    const answer = await index.symbol({ ...named, want: "references", newName: new_name, signal });
    refuseUnclear(answer, new_name, unsure);
    const changed = answer.places.filter(({ certain }) => certain || unsure === "rename");
    const byFile = Map.groupBy(changed, ({ path }) => path);
    const diffs = await changePlaces(changed.map((place) => changeOf(place, answer.name, new_name)), dry_run, context);
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

/** Of a short form the member or the variable keeps its name. */
function changeOf({ path, line, column, keeps }: SymbolPlace, name: string, newName: string): PlaceChange {
  const after = keeps === undefined ? newName : keeps === "member" ? `${name}: ${newName}` : `${newName}: ${name}`;
  return { path, line, column, before: name, after };
}
