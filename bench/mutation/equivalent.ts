/** Equivalent mutants, which no test can distinguish from the source, each with its reason. @module */
import type { Mutant } from "../../scripts/reports/mutation.ts";

/** One of them, named by what does not change when lines move. */
export interface Equivalent extends Pick<Mutant, "path" | "operator" | "context" | "original"> {
  readonly reason: string;
}

const EQUIVALENTS: readonly Equivalent[] = [
  {
    path: "src/server/http/middleware/size_limit.ts",
    operator: "change a constant",
    original: "0",
    context: 'if (Number(headers.get("Content-Length") ?? 0) > bodyBytes) {',
    reason: "no bound of a body is below one byte",
  },
  {
    path: "src/core/edit/align.ts",
    operator: "change a constant",
    original: "2",
    context: "const furthest = new Int32Array(2 * bound + 2);",
    reason: "a longer array holds the same numbers in its places, and zeros behind them that nothing reads",
  },
  {
    path: "src/core/edit/unified_diff.ts",
    operator: "change a constant",
    original: "0",
    context: "const first = lineAt(lines, edits[at]?.start ?? 0);",
    reason: "there is an edit at every place below the length; the type checker asks for the rest",
  },
  {
    path: "src/exec/output.ts",
    operator: "move a boundary",
    original: ">=",
    context: "if (length >= most) break;",
    reason: "one block more is joined, and cut off again",
  },
  {
    path: "src/server/http/middleware/rate_gate.ts",
    operator: "move a boundary",
    original: ">",
    context: "if (value > 0) table.set(key, value);",
    reason: "a key with nothing counted answers as one that is not kept; it only takes memory",
  },
  {
    path: "src/core/edit/diff_names.ts",
    operator: "drop an anchor",
    original: "^",
    context: 'left.replace(/^[^/]*\\//, "") === right.replace(/^[^/]*\\//, "");',
    reason: "the first match begins at the start of the text in any case",
  },
  {
    path: "src/server/http/call_gate.ts",
    operator: "remove a statement",
    original: "lanes.delete(key);",
    context: "if (lane.running === 0) lanes.delete(key);",
    reason: "an empty lane answers as a new one does; it only takes memory",
  },
  {
    path: "src/server/http/call_gate.ts",
    operator: "empty a string",
    original: '"abort"',
    context: 'signal.removeEventListener("abort", giveUp);',
    reason: "a turn that was given is not taken back by a late abort; the listener only takes memory",
  },
  {
    path: "src/sys/files/real_path.ts",
    operator: "swap and with or",
    original: "&&",
    context: 'if (error instanceof Error && "code" in error && error.code === "ENAMETOOLONG") return "too-long";',
    reason: "what is thrown there is always an error, and the rest of the condition decides",
  },
  {
    path: "src/roots/path_guard.ts",
    operator: "move a boundary",
    original: ">=",
    context: 'if (target === null || links >= MAX_LINKS) throw faultError("loop", full, typed);',
    reason: "the kernel refuses a chain of so many links before; this ends one that is made longer meanwhile",
  },
  {
    path: "src/roots/path_guard.ts",
    operator: "change a constant",
    original: "40",
    context: "const MAX_LINKS = 40;",
    reason: "the kernel refuses a chain of so many links before; this ends one that is made longer meanwhile",
  },
  {
    path: "src/core/argv.ts",
    operator: "move a boundary",
    original: "<",
    context: 'if (close < 0) return { broken: "a single quote is not closed" };',
    reason: "the search begins behind an opening quote, so it never ends at 0",
  },
  {
    path: "src/core/edit/align.ts",
    operator: "change a constant",
    original: "0",
    context: "x = before[previous + bound] ?? 0;",
    reason: "the diagonal before is always in the list; the type checker asks for the rest",
  },
  {
    path: "src/core/edit/stray_match.ts",
    operator: "empty a string",
    original: '"\\ufffd"',
    context: 'for (const sequence of real === "\\ufffd" ? [real] : straySequences(real)) {',
    reason: "read as a stray byte, U+FFFD is one sequence too",
  },
];

/** The entry for a mutant, if it has one. */
export function equivalentOf(mutant: Mutant): Equivalent | undefined {
  return EQUIVALENTS.find(({ path, operator, context, original }) =>
    mutant.path === path && mutant.operator === operator && mutant.context === context && mutant.original === original
  );
}
