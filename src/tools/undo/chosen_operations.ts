/** Chooses the operations that a call of the undo tools means. @module */
import { OpsError } from "../../core/error.ts";
import { readSince } from "../../core/time.ts";
import { ANY_OWNER } from "../../store/handles.ts";
import type { JournalOperation, OperationQuery } from "../../store/journal.ts";
import { hashOwner } from "../../store/owner_hash.ts";
import type { ToolContext } from "../../call/tool.ts";

/** What a caller names. */
export interface Wanted {
  readonly op?: string | undefined;
  readonly since?: string | undefined;
  /** Real path. */
  readonly path?: string | undefined;
}

/** More operations are not undone by one call. */
const MAX_OPERATIONS = 10_000;

/**
 * The operations to undo, newest first: the named one; all of the caller's session since a time; else the newest of the
 * session that is not undone. The person at the command line means everybody's.
 *
 * @throws OpsError NOT_FOUND when there is none.
 */
export function chooseOperations({ op, since, path }: Wanted, context: ToolContext): readonly JournalOperation[] {
  const { journal, owner, session } = context;
  if (op !== undefined) return journal.list({ id: op, limit: 1, ...only(requireKept(op, context)) });
  const own: Partial<OperationQuery> = owner === ANY_OWNER
    ? {}
    : { owner: hashOwner(owner), sessionId: session.sessionId };
  if (since !== undefined) {
    const found = journal.list({ ...own, path, sinceMs: sinceMsOf(since), limit: MAX_OPERATIONS });
    return found.length > 0 ? found : nothing("changed nothing since then");
  }
  const undone = journal.undone();
  const newest = journal.list({ ...own, path, limit: MAX_OPERATIONS })
    .find(({ id, parent }) => parent === "" && !undone.has(id));
  return newest === undefined ? nothing("has nothing left to undo") : [newest];
}

/** @throws OpsError NOT_FOUND saying whether it was dropped. */
export function requireKept(op: string, { journal }: Pick<ToolContext, "journal">): string {
  if (journal.list({ id: op, limit: 1 }).length > 0) return op;
  const setting = journal.whyDropped(op), hint = "linux_fs_changes lists the operations.";
  if (setting === null) throw new OpsError("NOT_FOUND", `operation '${op.slice(0, 40)}' does not exist`, hint);
  throw new OpsError("NOT_FOUND", `${op} cannot be undone any more: it was removed because of ${setting}`, hint);
}

/** @throws OpsError INVALID_ARGUMENT for what is not a time. */
export function sinceMsOf(since: string): number {
  const seconds = readSince(since, Date.now());
  if (seconds !== null) return seconds * 1_000;
  const hint = "Give 30m, 2h, today, or an ISO time such as 2026-01-31T08:00:00Z.";
  throw new OpsError("INVALID_ARGUMENT", `'since': '${since.slice(0, 40)}' is not a valid time`, hint);
}

function only(id: string): Pick<OperationQuery, "id"> {
  return { id };
}

function nothing(what: string): never {
  throw new OpsError("NOT_FOUND", `this session ${what}`, "linux_fs_changes lists the operations of all sessions.");
}
