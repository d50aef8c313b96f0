/** `linux_fs_apply_diff`: applies a diff of several files as a whole or not at all. @module */
import type { FilePatch } from "../../core/edit/hunk.ts";
import * as z from "zod";
import { requireWellFormed } from "../../core/edit/edits.ts";
import { parseDiff } from "../../core/edit/parse_diff.ts";
import { planDiff, type PlannedFile } from "../../core/edit/plan_diff.ts";
import type { DiffTree } from "../../core/edit/planned_files.ts";
import { rejectionError } from "../../core/edit/rejection.ts";
import { decodeFile, shownText } from "../../core/edit/text_file.ts";
import { formatDiff } from "../../core/edit/unified_diff.ts";
import type { KnownEncoding } from "../../core/encodings.ts";
import { OpsError } from "../../core/error.ts";
import { sleep } from "../../core/time.ts";
import { detectEncoding } from "../../sys/files/detect_encoding.ts";
import type { Changes } from "../../sys/writer/writer.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { encodingArgument, encodingOf } from "./encoding_argument.ts";

/** A diff is a text of lines; a larger file than this is edited by other means. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Names that are looked up side by side. */
const PLACED_AT_ONCE = 32;

const output = () =>
  z.object({
    files_modified: z.array(z.string()),
    backups_created: z.boolean(),
    message: z.string(),
    files: z.array(z.object({
      path: z.string(),
      source: z.string().optional(),
      action: z.enum(["modify", "create", "delete", "rename", "copy"]),
      hunks: z.int(),
      offsets: z.array(z.int()),
      fuzz: z.int(),
    })),
    dry_run: z.boolean(),
    diff: z.string().optional(),
  });

/** The result of {@link applyDiff}. */
export type DiffResult = z.output<ReturnType<typeof output>>;

/** See the summary. */
export const fsApplyDiff = defineTool({
  name: "linux_fs_apply_diff",
  title: "Apply diff",
  summary: "Apply a unified diff or *** Begin Patch text to files, all or nothing; creates, deletes and renames too.",
  toolset: "fs",
  effect: "destroy",
  input: () =>
    z.strictObject({
      diff_text: z.string(),
      path: z.string().optional().describe("Directory that names in the diff start at"),
      dry_run: z.boolean().default(false),
      encoding: encodingArgument(),
    }),
  output,
  render: ({ message, files }) => [message, ...files.map(describe)].join("\n"),
  run: (args, context) => applyDiff(args, context),
});

/** A diff to apply. */
export interface DiffRequest {
  readonly diff_text: string;
  readonly path?: string | undefined;
  readonly dry_run: boolean;
  readonly encoding?: string | undefined;
}

/**
 * Applies a diff; the one way for every tool that does.
 *
 * @throws OpsError DIFF_REJECTED with what does not fit, INVALID_ARGUMENT for what is no diff, those of path and writer.
 */
export async function applyDiff(request: DiffRequest, context: ToolContext): Promise<DiffResult> {
  const { paths, writer, signal, progress } = context;
  requireWellFormed(request.diff_text, "diff_text");
  const patches = parseDiff(request.diff_text);
  const directory = request.path === undefined ? null : await paths.existing(request.path);
  const inDirectory = (name: string) => directory === null || /^[/~]/.test(name) ? name : `${directory}/${name}`;
  const held = await touchedPaths(patches, (name) => paths.target(inDirectory(name)), signal);
  return await writer.change(held, async (files) => {
    const tree = treeOf(files, context, inDirectory, encodingOf(request));
    const plan = await planDiff(patches, tree, (done) => {
      signal.throwIfAborted();
      progress(done, patches.length);
    });
    if (!plan.ok) throw await rejectionError(plan.rejected, signal);
    const committed = request.dry_run ? null : await files.commit(plan.changes);
    return report(plan.files, committed?.backups ?? [], request.dry_run, paths.display);
  }, signal);
}

/** Every path that the diff may mean; names that are not allowed are refused where they are used. */
async function touchedPaths(
  patches: readonly FilePatch[],
  place: (name: string) => Promise<string>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = [...new Set(patches.flatMap(({ source, target }) => [...source, ...target]))];
  const placed = new Set<string>();
  for (let at = 0; at < names.length; at += PLACED_AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(
      names.slice(at, at + PLACED_AT_ONCE).map((name) =>
        place(name).then((path) => void placed.add(path), (error: unknown) => {
          if (!(error instanceof OpsError)) throw error;
        })
      ),
    );
    await sleep(0); // other calls come in between
  }
  return [...placed];
}

function treeOf(
  files: Changes,
  { paths }: ToolContext,
  inDirectory: (name: string) => string,
  encoding: KnownEncoding | undefined,
): DiffTree {
  return {
    place: (name) => paths.target(inDirectory(name)),
    entry: (name) => paths.entry(inDirectory(name)),
    exists: (path) => files.isFile(path),
    read: (path) => files.read(path, MAX_FILE_BYTES),
    decode: (bytes, name) => decodeFile(bytes, name, { detect: detectEncoding, encoding }),
    mode: (path) => files.mode(path),
  };
}

function report(
  files: readonly PlannedFile[],
  backups: readonly string[],
  dryRun: boolean,
  display: (path: string) => string,
): DiffResult {
  const details = files.map(({ path, source, action, hunks, offsets, fuzz }) => ({
    path: display(path),
    ...(source === undefined ? {} : { source: display(source) }),
    action,
    hunks,
    offsets: [...offsets],
    fuzz,
  }));
  const count = `${files.length} file${files.length === 1 ? "" : "s"}`;
  const result = {
    files_modified: [...new Set(details.map(({ path }) => path))],
    backups_created: backups.length > 0,
    message: dryRun ? `The diff applies to ${count}; dry run, nothing written` : `Applied diff to ${count}`,
    files: details,
    dry_run: dryRun,
  };
  if (!dryRun) return result;
  const diff = files.map(({ path, before, edits }) =>
    formatDiff(before, edits, `a/${display(path)}`, `b/${display(path)}`)
  );
  return { ...result, diff: shownText(diff.join("")) };
}

/** One short line; what is as the diff says is not repeated. */
function describe({ path, source, action, hunks, offsets, fuzz }: DiffResult["files"][number]): string {
  const notes = [
    action === "modify" && hunks > 1 ? `${hunks} hunks` : "",
    offsets.length > 0 ? `offset ${offsets.map((offset) => offset > 0 ? `+${offset}` : offset).join(", ")}` : "",
    fuzz > 0 ? `fuzz ${fuzz}` : "",
  ].filter((note) => note !== "");
  const name = source === undefined ? path : `${source} → ${path}`;
  const verb = action === "modify" ? "" : `${action} `;
  return `${verb}${name}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`;
}
