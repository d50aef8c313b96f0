/** Makes `grep PATTERN FOLDER` recursive, as the specification's Tool Envelope does. @module */
import { baseName } from "../../core/path.ts";
import type { RunOutcome } from "../../exec/run_outcome.ts";

/** What grep says of a folder that it was not told to search. */
const IS_FOLDER = /: Is a directory$/m;

/** The command to run instead of one in which grep found nothing but that an operand is a folder; null for others. */
export function searchingFolders({ argv, stdout, stderr, exitCode }: RunOutcome): readonly string[] | null {
  const [program = "", ...rest] = argv ?? [];
  const isGrep = /^[ef]?grep$/.test(baseName(program));
  return isGrep && exitCode === 2 && stdout === "" && IS_FOLDER.test(stderr) ? [program, "-r", ...rest] : null;
}
