/** Parses diffs as programs and models write them into file changes, and skips other text. @module */
import { OpsError } from "../error.ts";
import type { FilePatch } from "./hunk.ts";
import { isEnvelope, parseEnvelope } from "./parse_envelope.ts";
import { isSearchReplace, parseSearchReplace } from "./parse_search_replace.ts";
import { parseUnified } from "./parse_unified.ts";

/**
 * Reads a diff.
 *
 * @throws OpsError INVALID_ARGUMENT when there is no diff in the text, or one that cannot be applied to text files.
 */
export function parseDiff(text: string): readonly FilePatch[] {
  const lines = splitDiff(text);
  const patches = isEnvelope(lines)
    ? parseEnvelope(lines)
    : isSearchReplace(lines)
    ? parseSearchReplace(lines)
    : parseUnified(lines);
  if (patches.length > 0) return patches;
  throw new OpsError(
    "INVALID_ARGUMENT",
    "'diff_text' does not contain a diff",
    "Send '--- a/file', '+++ b/file', '@@ … @@' and lines led by ' ', '-' or '+'.",
  );
}

/** Lines without the CR of a diff that was written with CRLF throughout, and without a common indentation. */
function splitDiff(text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const headers = lines.filter((line) => /^\s*(?:---|\+\+\+|\*\*\*|diff --git) \S|^\s*@@/.test(line));
  const dos = headers.length > 0 && headers.every((line) => line.endsWith("\r"));
  const clean = dos ? lines.map((line) => line.replace(/\r$/, "")) : lines;
  const [indent] = headers.map((line) => line.match(/^\s*/)?.[0] ?? "").sort((a, b) => a.length - b.length);
  return indent === undefined || indent === ""
    ? clean
    : clean.map((line) => line.startsWith(indent) ? line.slice(indent.length) : line);
}
