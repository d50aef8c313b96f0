/** `code_rewrite`: replaces code that has a shape, in all files, as one change that can be undone. @module */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { GRAMMAR_NAMES } from "../../sys/grammar.ts";
import { defineTool } from "../../call/tool.ts";
import { changePlaces } from "./change_places.ts";

const output = () =>
  z.object({
    places: z.int(),
    files: z.array(z.object({ path: z.string(), places: z.int() })),
    /** Files that were not looked at, and why. */
    unread: z.array(z.string()).readonly(),
    dry_run: z.boolean(),
    diff: z.string().optional(),
  });

/** See the summary. */
export const codeRewrite = defineTool({
  name: "code_rewrite",
  title: "Rewrite code by its shape",
  summary: "Replace code that fits a pattern in all files, all or nothing: $X is one node, $$$X any number of them.",
  toolset: "code",
  effect: "write",
  input: () =>
    z.strictObject({
      pattern: z.string().max(4_000),
      replacement: z.string().max(8_000),
      language: z.enum(GRAMMAR_NAMES),
      path: z.string().optional(),
      dry_run: z.boolean().default(false),
    }),
  output,
  render({ places, files, unread, dry_run, diff }) {
    return [
      `${dry_run ? "would change" : "changed"} ${places} ${places === 1 ? "place" : "places"} in ${files.length} ${
        files.length === 1 ? "file" : "files"
      }`,
      ...files.map((file) => `${file.path} ${file.places}`),
      ...unread.length === 0 ? [] : [`not looked at: ${unread.join(", ")}`],
      ...diff === undefined ? [] : [diff],
    ].join("\n");
  },
  async run({ pattern, replacement, language, path, dry_run }, context) {
    const { index, paths, signal } = context;
    const real = path === undefined ? undefined : await paths.existing(path);
    const { places, unread } = await index.rewrite({ pattern, replacement, grammar: language, path: real, signal });
    if (places.length === 0) {
      const where = unread.length === 0 ? "" : `; not looked at: ${unread.join(", ")}`;
      throw new OpsError(
        "NOT_FOUND",
        `no ${language} code fits the pattern${where}`,
        "Shorten it, or use $X where code differs.",
      );
    }
    const diffs = await changePlaces(places, dry_run, context);
    const byFile = Map.groupBy(places, (one) => one.path);
    return {
      places: places.length,
      files: [...byFile].map(([path, list]) => ({ path, places: list.length })),
      unread,
      dry_run,
      ...dry_run ? { diff: diffs.join("") } : {},
    };
  },
});
