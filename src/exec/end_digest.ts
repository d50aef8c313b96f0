/** Condenses the whole output of a managed process when a read sees its end. @module */
import { type LeanDeps, type LeanOutput, leanOutput } from "./lean_run.ts";
import type { Entry } from "./process_entry.ts";
import type { ReadRequest } from "./processes.ts";
import { budgetOf } from "./run_outcome.ts";

/** The same digest as that of a command that has ended within its call. Null when nothing is to be gained, or shown already. */
export async function endDigest(deps: LeanDeps, entry: Entry, request: ReadRequest): Promise<LeanOutput | null> {
  const { run, argv, cwd, pty, endShown } = entry;
  const isPart = request.offset !== undefined || request.isAnswer === true || request.keepAnsi === true;
  if (run.exit === null || endShown || pty || isPart) return null;
  return await leanOutput(deps, { argv, cwd, exitCode: run.exit.code, output: run.output }, budgetOf(deps.config));
}
