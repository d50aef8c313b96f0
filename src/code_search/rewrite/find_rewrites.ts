/** Finds what a structural rewrite changes in the files of a folder. @module */
import { OpsError } from "../../core/error.ts";
import type { GrammarName, Grammars } from "../../sys/grammar.ts";
import { makePacer } from "../../sys/pacer.ts";
import type { Workspace } from "../symbols/source_file.ts";
import { type CodePattern, fillIn, readCodePattern } from "./pattern.ts";

/** A rewrite. */
export interface RewriteQuestion {
  readonly pattern: string;
  readonly replacement: string;
  readonly grammar: GrammarName;
  /** Files of the folder that may match, below the root. */
  readonly files: readonly string[];
}

/** One change. Lines and columns count from 1. */
export interface RewritePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly before: string;
  readonly after: string;
}

/** What a rewrite changes. */
export interface RewriteAnswer {
  readonly places: readonly RewritePlace[];
  /** Files that could not be looked at, and why. */
  readonly unread: readonly string[];
}

/** What it takes. */
export interface RewriteDeps {
  readonly workspace: Workspace;
  readonly grammars: Grammars;
  readonly isLate: () => boolean;
  readonly signal: AbortSignal;
}

/** Reads the pattern. @throws OpsError INVALID_ARGUMENT */
async function patternOf(
  { pattern, grammar }: Pick<RewriteQuestion, "pattern" | "grammar">,
  grammars: Grammars,
): Promise<CodePattern> {
  if (grammar === "php" || grammar === "bash") {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `in ${grammar} a $ is part of the language`,
      "Use linux_fs_apply_diff there.",
    );
  }
  const read = readCodePattern(pattern, await grammars.load(grammar), grammar);
  if (read === undefined) {
    const hint = "Write an expression, a statement or a definition; $NAME is one node, $$$NAME any number.";
    throw new OpsError("INVALID_ARGUMENT", `the pattern is not ${grammar} code`, hint);
  }
  if (read.word === "") throw new OpsError("INVALID_ARGUMENT", "the pattern has no word of its own", "Name something.");
  return read;
}

/** The longest word of a pattern: files without it do not match. */
export async function rewriteWord(
  question: Pick<RewriteQuestion, "pattern" | "grammar">,
  grammars: Grammars,
): Promise<string> {
  return (await patternOf(question, grammars)).word;
}

/** Finds the places. @throws OpsError INVALID_ARGUMENT */
export async function findRewrites(question: RewriteQuestion, deps: RewriteDeps): Promise<RewriteAnswer> {
  const { workspace, grammars, isLate, signal } = deps;
  const pattern = await patternOf(question, grammars), pace = makePacer(signal);
  const places: RewritePlace[] = [], unread: string[] = [];
  for (const path of question.files) {
    await pace();
    const file = isLate() ? "time was over" : await workspace.open(path);
    if (typeof file === "string") {
      if (file !== "no grammar") unread.push(`${path}: ${file}`);
      continue;
    }
    if (file.grammar !== question.grammar) continue;
    const tree = file.tree();
    if (tree === undefined) unread.push(`${path}: parser gave up`);
    for (const { start, end, bindings } of tree === undefined ? [] : pattern.find(tree.root)) {
      const filled = fillIn(question.replacement, bindings);
      if ("unknown" in filled) {
        throw new OpsError("INVALID_ARGUMENT", `the pattern has no ${filled.unknown}`, "Use variables of the pattern.");
      }
      const column = start - file.text.lastIndexOf("\n", start - 1);
      const before = file.text.slice(start, end);
      if (before !== filled.text) {
        places.push({ path, line: file.rowOf(start) + 1, column, before, after: filled.text });
      }
    }
  }
  return { places, unread };
}
