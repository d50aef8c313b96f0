/** Explains the exit code of a program. @module */

/** Programs for which 1 is an answer ("no match", "they differ", "false") and not a failure. */
const ANSWERS_WITH_ONE = new Set(
  ["grep", "egrep", "fgrep", "rg", "fd", "diff", "cmp", "test", "[", "[[", "expr", "which", "pgrep", "type", "command"],
);

/** As `timeout` reports the deadline. */
export const TIMED_OUT = 124;
/** As a shell reports a program that is not there. */
export const NOT_FOUND = 127;

/** Whether a run failed. @param program The one whose exit code it is. */
export function isFailure(program: string, exitCode: number, stderr: string): boolean {
  if (exitCode === 0) return false;
  return !(exitCode === 1 && stderr.trim() === "" && ANSWERS_WITH_ONE.has(program));
}
