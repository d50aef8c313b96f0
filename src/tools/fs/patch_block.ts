/** `linux_fs_patch_block`: replaces a literal block of text, or shows the closest match. @module */
import { sha256Hex } from "../../core/bytes.ts";
import * as z from "zod";
import { type BlockEdits, findBlock, MAX_COUNTED } from "../../core/edit/block.ts";
import { findClosest } from "../../core/edit/closest_block.ts";
import { reportClosest } from "../../core/edit/closest_report.ts";
import { applyEdits } from "../../core/edit/edits.ts";
import { lineNumber, plainView } from "../../core/edit/line_ends.ts";
import { runSliced } from "../../core/edit/sliced.ts";
import { decodeFile, encodeFile, shownText } from "../../core/edit/text_file.ts";
import { formatDiff } from "../../core/edit/unified_diff.ts";
import { escapeBeyondAscii, foldLookAlikes } from "../../core/look_alike.ts";
import { visible } from "../../core/visible.ts";
import { OpsError } from "../../core/error.ts";
import { detectEncoding } from "../../sys/files/detect_encoding.ts";
import { defineTool } from "../../call/tool.ts";
import { SHOWN_CHARS } from "./content_hash.ts";
import { encodingArgument, encodingOf } from "./encoding_argument.ts";

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_NAMED_LINES = 20;
const SNIPPET_CHARS = 300;
/** Less than this in common is no help. */
const MIN_ALIKE = 0.35;

const output = () =>
  z.object({
    path: z.string(),
    replacements_made: z.int(),
    lines: z.array(z.int()),
    before_snippet: z.string(),
    after_snippet: z.string(),
    new_sha256: z.string(),
    dry_run: z.boolean(),
    diff: z.string().optional(),
  });

/** See the summary. */
export const fsPatchBlock = defineTool({
  name: "linux_fs_patch_block",
  title: "Replace text in a file",
  summary: "Replace old_text, which must match exactly expected_replacements times; line ends of the file are kept.",
  toolset: "fs",
  effect: "write",
  core: true,
  input: () =>
    z.strictObject({
      path: z.string(),
      old_text: z.string(),
      new_text: z.string(),
      expected_replacements: z.int().min(1).default(1),
      dry_run: z.boolean().default(false),
      encoding: encodingArgument(),
    }),
  output,
  render: ({ path, replacements_made, lines, new_sha256, dry_run, diff }) => {
    if (dry_run) return `${diff ?? ""}[dry run, nothing written]`;
    const where = lines.slice(0, MAX_NAMED_LINES).join(", ") + (lines.length > MAX_NAMED_LINES ? ", …" : "");
    const what = replacements_made === 1 ? `line ${where}` : `${replacements_made} places, lines ${where}`;
    return `patched ${path} (${what}) sha256 ${new_sha256.slice(0, SHOWN_CHARS)}`;
  },
  async run({ path, old_text, new_text, expected_replacements, dry_run, encoding }, { paths, writer, signal }) {
    const named = encodingOf({ encoding });
    const real = await paths.existing(path), shown = paths.display(real);
    return await writer.change([real], async (files) => {
      const file = decodeFile(await files.read(real, MAX_FILE_BYTES), `'${shown}'`, {
        detect: detectEncoding,
        encoding: named,
      });
      const found = findBlock(
        file,
        { oldText: old_text, newText: new_text, expected: expected_replacements },
        `'${shown}'`,
      );
      const lines = lineNumbers(found);
      if (found.starts.length !== expected_replacements) {
        throw await countMismatch(found, lines, old_text, expected_replacements, shown, signal);
      }
      const text = applyEdits(file.text, found.edits);
      const data = encodeFile({ ...file, text });
      if (!dry_run) await files.write(real, data);
      const [first] = found.edits;
      return {
        path: shown,
        replacements_made: found.edits.length,
        lines,
        before_snippet: snippet(file.text, first?.start ?? 0, first?.end ?? 0),
        after_snippet: snippet(text, first?.start ?? 0, (first?.start ?? 0) + (first?.insert.length ?? 0)),
        new_sha256: await sha256Hex(data),
        dry_run,
        ...(dry_run ? { diff: shownText(formatDiff(file.text, found.edits, `a/${shown}`, `b/${shown}`)) } : {}),
      };
    }, signal);
  },
});

/** Line of each occurrence; one pass over the text, however many there are. */
function lineNumbers({ plain, starts }: BlockEdits): number[] {
  let line = 1, from = 0;
  return starts.map((start) => {
    line += lineNumber(plain.slice(from, start), start - from) - 1;
    from = start;
    return line;
  });
}

async function countMismatch(
  found: BlockEdits,
  lines: readonly number[],
  oldText: string,
  expected: number,
  shown: string,
  signal: AbortSignal,
): Promise<OpsError> {
  if (lines.length > 0) {
    const where = lines.slice(0, MAX_NAMED_LINES).join(", ") + (lines.length > MAX_NAMED_LINES ? ", …" : "");
    const count = lines.length >= MAX_COUNTED ? `at least ${lines.length}` : `${lines.length}`;
    const message = `old_text matches ${count} times in '${shown}' (lines ${where}), expected ${expected}`;
    const hint = lines.length > expected
      ? `Add neighbouring lines to old_text, or set expected_replacements to ${lines.length}.`
      : `Set expected_replacements to ${lines.length}, or correct old_text.`;
    return new OpsError("PATCH_COUNT_MISMATCH", message, hint);
  }
  const text = shownText(found.plain), wanted = oldText.replaceAll("\r\n", "\n");
  const closest = await runSliced(findClosest(text, wanted), { signal });
  if (closest === null || closest.alike < MIN_ALIKE) {
    const message = `old_text was not found in '${shown}', nor anything like it`;
    return new OpsError("PATCH_COUNT_MISMATCH", message, "Read the file again; it may not be the file you expect.");
  }
  const report = reportClosest(text, closest, wanted);
  const message =
    `old_text was not found in '${shown}'. Closest: lines ${report.lines}, ${report.alikePercent}% alike ` +
    `({-old_text-}{+file+}):\n${tellApart(report.difference)}\nNothing was changed`;
  return new OpsError("PATCH_COUNT_MISMATCH", message, "Send old_text exactly as it is in the file.");
}

/** What differs only in how it is encoded, and what cannot be seen, is shown with escapes: else the two look the same. */
function tellApart(difference: string): string {
  const apart = difference.replace(/\{-([^]*?)-\}\{\+([^]*?)\+\}/g, (all, wanted: string, found: string) => {
    if (foldLookAlikes(wanted) !== foldLookAlikes(found)) return all;
    return `{-${escapeBeyondAscii(wanted)}-}{+${escapeBeyondAscii(found)}+}`;
  });
  return visible(apart);
}

/** The lines around a place, cut to a few hundred characters. */
function snippet(text: string, start: number, end: number): string {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", Math.max(start, end - 1));
  const lines = shownText(plainView(text.slice(from, next < 0 ? text.length : next)).plain);
  return lines.length <= SNIPPET_CHARS ? lines : `${lines.slice(0, SNIPPET_CHARS)}…`;
}
