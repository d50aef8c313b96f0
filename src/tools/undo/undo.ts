/** `linux_fs_undo`: restores files that calls changed, where nothing else has changed them since. @module */
import * as z from "zod";
import { isInside } from "../../core/path.ts";
import { sleep } from "../../core/time.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import type { JournalOperation } from "../../store/journal.ts";
import { chooseOperations } from "./chosen_operations.ts";
import { type Imagined, undoEntry } from "./undo_entry.ts";

/** Some 20 ms of work. */
const ENTRIES_AT_ONCE = 32;
/** Paths that a result names. */
const MAX_NAMED = 50;

/** See the summary. */
export const fsUndo = defineTool({
  name: "linux_fs_undo",
  title: "Undo",
  summary: "Undo the last change of files, or by op, since (2h) or path; what changed since is left alone.",
  toolset: "fs",
  effect: "destroy",
  input: () =>
    z.strictObject({
      op: z.string().optional(),
      since: z.string().optional(),
      path: z.string().optional(),
      dry_run: z.boolean().default(false),
    }),
  output: () =>
    z.object({
      ok: z.boolean(),
      /** This undo, which can be undone too; absent when it changed nothing. */
      op: z.string().optional(),
      undone: z.array(z.string()),
      restored_count: z.int(),
      restored: z.array(z.string()),
      conflict_count: z.int(),
      conflicts: z.array(z.object({ path: z.string(), reason: z.string() })),
      dry_run: z.boolean(),
    }),
  failed: ({ ok }) => !ok,
  render: ({ op, undone, restored_count, restored, conflict_count, conflicts, dry_run }) => {
    const verb = dry_run ? "would restore" : "restored", paths = restored_count === 1 ? "path" : "paths";
    const own = op === undefined ? "" : ` · undo ${op}`;
    return [
      `${verb} ${restored_count} ${paths} of ${undone.join(", ")}${own}`,
      ...restored,
      ...more(restored_count, restored),
      ...conflict_count > 0 ? [`left alone ${conflict_count}:`] : [],
      ...conflicts.map(({ path, reason }) => `${path}: ${reason}`),
      ...more(conflict_count, conflicts),
    ].join("\n");
  },
  async run({ op, since, path, dry_run }, context) {
    const { paths, operation, signal, progress } = context;
    const real = path === undefined ? undefined : await paths.entry(path);
    await context.programChanges?.collectAll();
    const chosen = chooseOperations({ op, since, path: real }, context);
    const restored = new Set<string>(), conflicts = new Map<string, string>();
    const imagined: Imagined | null = dry_run ? new Map() : null;
    if (!dry_run) operation.undoes(chosen.map(({ id }) => id));
    let steps = 0;
    for (const [at, one] of chosen.entries()) {
      progress(at, chosen.length);
      for (const entry of entriesOf(one, real, context)) {
        signal.throwIfAborted();
        const shown = paths.display(entry.path);
        if (conflicts.has(shown)) continue; // what came before it is not to be reached past it
        const outcome = await undoEntry(entry, context, imagined);
        if (outcome.is === "restored") restored.add(shown);
        if (outcome.is === "conflict") conflicts.set(shown, whose(outcome.reason, entry.path, one, context));
        if (++steps % ENTRIES_AT_ONCE === 0) await sleep(0); // other calls come in between
      }
    }
    const left = [...conflicts].map(([path, reason]) => ({ path, reason }));
    return {
      ok: left.length === 0,
      ...operation.id === null ? {} : { op: operation.id },
      undone: chosen.map(({ id }) => id),
      restored_count: restored.size,
      restored: [...restored].slice(0, MAX_NAMED),
      conflict_count: left.length,
      conflicts: left.slice(0, MAX_NAMED),
      dry_run,
    };
  },
});

/** Last changes first. */
function entriesOf({ id }: JournalOperation, path: string | undefined, { journal }: ToolContext) {
  const entries = journal.entries(id).toReversed();
  if (path === undefined) return entries;
  return entries.filter((entry) => isInside(entry.path, path) || entry.source !== null && isInside(entry.source, path));
}

/** Names the session that changed a path after an operation; nothing in the journal means another program did. */
function whose(reason: string, path: string, { id }: JournalOperation, { journal }: ToolContext): string {
  if (reason !== "changed since") return reason;
  const [newest] = journal.list({ path, limit: 1 });
  if (newest === undefined || newest.id === id) return "changed since by another program";
  return `changed since by ${newest.agentId}, session ${newest.sessionId.slice(0, 8)} (${newest.id})`;
}

function more(count: number, named: readonly unknown[]): string[] {
  return count > named.length ? [`and ${count - named.length} more`] : [];
}
