/** Explains why a diff was rejected: file, hunk, expected and found lines. @module */
import { OpsError } from "../error.ts";
import type { FailedHunk } from "./apply_hunks.ts";
import { findClosest } from "./closest_block.ts";
import { reportClosest } from "./closest_report.ts";
import { plainView } from "./line_ends.ts";
import type { RejectedFile } from "./plan_diff.ts";
import { runSliced } from "./sliced.ts";
import { shownText } from "./text_file.ts";

/** Hunks that are explained in full; the others are only named. */
const MAX_EXPLAINED = 3;
const MAX_NAMED = 20;
const MAX_PLACES = 10;
/** Less than this in common is no help. */
const MIN_ALIKE = 0.4;

/** The error for hunks that do not fit. */
export async function rejectionError(files: readonly RejectedFile[], signal?: AbortSignal): Promise<OpsError> {
  const failures = files.flatMap((file) => file.failed.map((failed) => ({ file, failed })));
  const parts: string[] = [];
  for (const { file, failed } of failures.slice(0, MAX_EXPLAINED)) {
    const budgetMs = 200 / Math.min(failures.length, MAX_EXPLAINED);
    parts.push(`${title(file, failed)} ${await explain(file, failed, budgetMs, signal)}`);
  }
  const others = failures.slice(MAX_EXPLAINED, MAX_NAMED).map(({ file, failed }) => title(file, failed));
  if (others.length > 0) {
    parts.push(`These do not fit either: ${others.join(", ")}${failures.length > MAX_NAMED ? ", …" : ""}`);
  }
  const hint = "Correct these hunks and send the whole diff again.";
  return new OpsError("DIFF_REJECTED", `${parts.join("\n")}\nNothing was changed`, hint);
}

function title({ name, hunkCount }: RejectedFile, { hunk }: FailedHunk): string {
  return `'${name}' hunk ${hunk.number} of ${hunkCount} (line ${hunk.diffLine} of the diff)`;
}

async function explain(
  file: RejectedFile,
  { hunk, reason }: FailedHunk,
  budgetMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  switch (reason.why) {
    case "overlap":
      return "changes lines that another hunk changes, too.";
    case "no-context":
      return "has no line of the file to go by; add context lines.";
    case "done":
      return `seems applied already: line ${reason.line} and the following are as it wants them.`;
    case "ambiguous": {
      const shown = reason.lines.slice(0, MAX_PLACES).join(", ") + (reason.lines.length > MAX_PLACES ? ", …" : "");
      return `fits at ${reason.lines.length} places: lines ${shown}. Add context lines or the right line number.`;
    }
    case "mismatch":
      return await explainMismatch(
        file,
        hunk.lines.filter(({ op }) => op !== "+").map(({ text }) => text),
        budgetMs,
        signal,
      );
  }
}

async function explainMismatch(
  file: RejectedFile,
  expected: readonly string[],
  budgetMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const text = shownText(plainView(file.text).plain);
  const wanted = expected.map((line) => line.replace(/\r$/, "")).join("\n");
  const closest = await runSliced(findClosest(text, wanted), { budgetMs, ...(signal ? { signal } : {}) });
  if (closest === null || closest.alike < MIN_ALIKE) {
    const [first = ""] = expected.filter((line) => line.trim() !== "");
    return `does not fit anywhere: expected \`${first.trim().slice(0, 100)}\` …, found nothing like it.`;
  }
  const { lines, alikePercent, difference } = reportClosest(text, closest, wanted);
  return `does not fit. Closest: lines ${lines}, ${alikePercent}% alike ({-expected-}{+found+}):\n${difference}`;
}
