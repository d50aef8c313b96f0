/**
 * Commits changes of several files atomically. Everything that needs space or can be refused is done under temporary
 * names first. Then names are exchanged, each with a rollback that needs no space: the old file keeps a second name
 * until the end. A killed server can leave a commit half done; the backups hold the rest.
 * @module
 */
import { parentOf } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";
import { writeError } from "./error.ts";
import { syncDirectory } from "./ops.ts";
import { type Commit, type CommitDeps, prepare, type Prepared, type Step } from "./steps.ts";

/**
 * Carries out all steps or none.
 *
 * @throws the error of the step that failed, with everything as it was; OpsError WRITE_FAILED that names what could
 *   not be put back.
 */
export async function commitSteps(deps: CommitDeps, steps: readonly Step[]): Promise<void> {
  const commit: Commit = { ...deps, undo: [() => deps.backups.discard()], finish: [] };
  try {
    const prepared: Prepared[] = [];
    for (const step of steps) await named(deps, step.path, async () => prepared.push(await prepare(commit, step)));
    for (const { path, reserve } of prepared) await named(deps, path, reserve);
    for (const { path, exchange } of prepared) await named(deps, path, exchange);
    for (const part of [0, 1]) for (const { path, end } of prepared) await named(deps, path, end?.[part]);
  } catch (error) {
    await rollBack(commit, error);
    throw error;
  }
  for (const action of commit.finish) await action();
  for (const directory of new Set(steps.map((step) => parentOf(step.path)))) await syncDirectory(deps.ops, directory);
}

/** Of several files the one that failed is named. */
async function named(
  { display }: CommitDeps,
  path: string,
  action: (() => Promise<unknown>) | undefined,
): Promise<void> {
  try {
    await action?.();
  } catch (error) {
    throw writeError(error, display(path));
  }
}

async function rollBack({ undo, backups }: Commit, cause: unknown): Promise<void> {
  const failures: string[] = [];
  const [discardBackups, ...actions] = undo;
  for (const action of actions.reverse()) {
    try {
      await action();
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (failures.length === 0) return await discardBackups?.();
  const why = cause instanceof Error ? cause.message : String(cause);
  const hint = backups.paths.length > 0
    ? `The old contents are kept: ${backups.paths.slice(0, 5).join(", ")}`
    : undefined;
  throw new OpsError(
    "WRITE_FAILED",
    `${why}; not everything could be put back: ${failures.slice(0, 3).join("; ")}`,
    hint,
  );
}
