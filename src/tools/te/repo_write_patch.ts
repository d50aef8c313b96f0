/**
 * `repo_write_patch`: applies a diff, or replaces old text with new in one file, with the code of the two file tools.
 * @module
 */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { applyDiff } from "../fs/apply_diff.ts";
import { fsPatchBlock } from "../fs/patch_block.ts";

const input = () =>
  z.strictObject({
    diff_text: z.string().optional().describe("Unified diff of any number of files"),
    path: z.string().optional().describe("File of old_text; with diff_text the directory its names start at"),
    old_text: z.string().optional(),
    new_text: z.string().optional(),
    expected_replacements: z.int().min(1).default(1),
    dry_run: z.boolean().default(false),
  });

const output = () =>
  z.object({
    files_modified: z.array(z.string()),
    replacements_made: z.int().optional(),
    message: z.string(),
    dry_run: z.boolean(),
    diff: z.string().optional(),
  });

type Args = z.output<ReturnType<typeof input>>;
type Result = z.output<ReturnType<typeof output>>;

/** See the summary. */
export const repoWritePatch = defineTool({
  name: "repo_write_patch",
  title: "Patch repository files",
  summary: "Change files by diff_text, or one file by path, old_text and new_text; all or nothing.",
  toolset: "te",
  effect: "destroy",
  input,
  output,
  render: ({ message, diff }) => diff === undefined ? message : `${message}\n${diff}`,
  run: (args, context) => args.diff_text === undefined ? replaceText(args, context) : applyText(args, context),
});

async function applyText(
  { diff_text = "", path, old_text, new_text, dry_run }: Args,
  context: ToolContext,
): Promise<Result> {
  if (old_text !== undefined || new_text !== undefined) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      "'diff_text' and 'old_text' describe different changes",
      "Keep one of them.",
    );
  }
  const { files_modified, message, diff } = await applyDiff({ diff_text, path, dry_run }, context);
  return {
    files_modified,
    message: `${message}: ${files_modified.join(", ")}`,
    dry_run,
    ...(diff !== undefined && { diff }),
  };
}

async function replaceText(args: Args, context: ToolContext): Promise<Result> {
  const { path, old_text, new_text, expected_replacements, dry_run } = args;
  if (path === undefined || old_text === undefined || new_text === undefined) {
    const hint = "Give 'diff_text', or 'path', 'old_text' and 'new_text'.";
    throw new OpsError("INVALID_ARGUMENT", "there is nothing to change", hint);
  }
  const request = { path, old_text, new_text, expected_replacements, dry_run };
  const result = fsPatchBlock.output.parse(await fsPatchBlock.run(request, context));
  return {
    files_modified: [result.path],
    replacements_made: result.replacements_made,
    message: dry_run ? "dry run, nothing written" : fsPatchBlock.render?.(result, request) ?? `patched ${result.path}`,
    dry_run,
    ...(result.diff !== undefined && { diff: result.diff }),
  };
}
