/** `linux_fs_changes`: lists operations of all sessions, what each changed, and the lines of it. @module */
import * as z from "zod";
import { isInside, isInsideAny } from "../../core/path.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { makePacer } from "../../sys/pacer.ts";
import type { JournalEntry, JournalOperation } from "../../store/journal.ts";
import { requireKept, sinceMsOf } from "./chosen_operations.ts";
import { isOutsideChange, verbOf } from "./describe_entry.ts";
import { entryDiff } from "./entry_diff.ts";

/** Operations that one call lists, and paths. */
const MAX_OPERATIONS = 50, MAX_PATHS = 500;
/** Of a session: it tells sessions apart, and does not open what they own. */
const SHOWN_OF_SESSION = 8;

const output = () =>
  z.object({
    operations: z.array(z.object({
      op: z.string(),
      time_iso: z.string(),
      tool: z.string(),
      agent_id: z.string(),
      session_id: z.string(),
      summary: z.string(),
      count: z.int(),
      /** Changes whose earlier content is not kept. */
      uncovered: z.int(),
      /** Absent unless one operation or path was asked for, or a diff. */
      changes: z.array(z.object({ path: z.string(), change: z.string(), source: z.string().optional() })).optional(),
      undone_by: z.string().optional(),
      undoes: z.string().optional(),
      is_open: z.boolean(),
    })),
    /** Paths that something else has changed after the newest operation on them. */
    changed_outside: z.array(z.string()),
    diff: z.string().optional(),
    truncated: z.boolean(),
  });

type Result = z.output<ReturnType<typeof output>>;

/** See the summary. */
export const fsChanges = defineTool({
  name: "linux_fs_changes",
  title: "Changes",
  summary: "Who changed which files, of all sessions; with op, path or diff file by file.",
  toolset: "fs",
  effect: "read",
  input: () =>
    z.strictObject({
      op: z.string().optional(),
      since: z.string().optional(),
      session: z.string().optional(),
      path: z.string().optional(),
      diff: z.boolean().default(false),
    }),
  output,
  render: (result) => [...result.operations.flatMap(linesOf), ...closing(result)].join("\n"),
  async run({ op, since, session, path, diff }, context) {
    const { journal, paths } = context;
    await context.programChanges?.collectAll();
    const real = path === undefined ? undefined : await paths.entry(path);
    const found = journal.list({
      ...op === undefined ? {} : { id: requireKept(op, context) },
      ...since === undefined ? {} : { sinceMs: sinceMsOf(since) },
      session,
      path: real,
      limit: MAX_OPERATIONS + 1,
    });
    const listed = found.slice(0, MAX_OPERATIONS), inDetail = op !== undefined || real !== undefined || diff;
    const undone = journal.undone(), touched = new Set<string>(), diffs: string[] = [];
    const pacer = makePacer(context.signal); // hundreds of files, each compared without a turn of the event loop
    let room = MAX_PATHS, isCut = found.length > listed.length;
    const operations: Result["operations"] = [];
    for (const one of listed) {
      const entries = allowed(journal.entries(one.id), real, context);
      if (entries.length === 0) continue;
      const shown = inDetail ? entries.slice(0, room) : [];
      room -= shown.length;
      isCut ||= inDetail && shown.length < entries.length;
      for (const { path } of shown) touched.add(path);
      for (const entry of diff ? shown : []) {
        await pacer();
        diffs.push(await entryDiff(entry, context));
      }
      operations.push(summaryOf(one, entries.length, undone, inDetail ? shown : null, context));
    }
    const outside = await changedOutside(touched, context);
    return {
      operations,
      changed_outside: outside,
      ...diff ? { diff: diffs.join("") } : {},
      truncated: isCut,
    };
  },
});

/** Entries that the caller may see: those in its roots. */
function allowed(
  entries: readonly JournalEntry[],
  path: string | undefined,
  { paths }: ToolContext,
): readonly JournalEntry[] {
  return entries.filter((entry) =>
    isInsideAny(entry.path, paths.roots) && (entry.source === null || isInsideAny(entry.source, paths.roots)) &&
    (path === undefined || isInside(entry.path, path) || entry.source !== null && isInside(entry.source, path))
  );
}

function summaryOf(
  { id, timeMs, tool, agentId, sessionId, summary, uncovered, parent, state }: JournalOperation,
  count: number,
  undone: ReadonlyMap<string, string>,
  shown: readonly JournalEntry[] | null,
  { paths }: ToolContext,
): Result["operations"][number] {
  const undoneBy = undone.get(id);
  return {
    op: id,
    time_iso: new Date(timeMs).toISOString(),
    tool,
    agent_id: agentId,
    session_id: sessionId.slice(0, SHOWN_OF_SESSION),
    summary,
    count,
    uncovered,
    ...shown === null ? {} : {
      changes: shown.map((entry) => ({
        path: paths.display(entry.path),
        change: verbOf(entry),
        ...entry.source === null ? {} : { source: paths.display(entry.source) },
      })),
    },
    ...undoneBy === undefined ? {} : { undone_by: undoneBy },
    ...parent === "" ? {} : { undoes: parent },
    is_open: state === "open",
  };
}

async function changedOutside(touched: ReadonlySet<string>, context: ToolContext): Promise<string[]> {
  const found: string[] = [], pacer = makePacer(context.signal);
  for (const path of touched) {
    await pacer();
    if (await isOutsideChange(path, context)) found.push(context.paths.display(path));
  }
  return found;
}

function linesOf(
  { op, time_iso, tool, agent_id, session_id, summary, count, uncovered, changes, undone_by, undoes, is_open }:
    Result["operations"][number],
): string[] {
  const notes = [
    undoes === undefined ? "" : `undoes ${undoes}`,
    undone_by === undefined ? "" : `undone by ${undone_by}`,
    uncovered > 0 ? `${uncovered} without earlier content` : "",
    is_open ? "not ended" : "",
  ].filter((note) => note !== "");
  const files = `${count} ${count === 1 ? "path" : "paths"}`, when = `${time_iso.slice(0, 19)}Z`;
  const head = `${op} ${when} ${tool} ${files} ${agent_id}/${session_id}${notes.map((note) => `, ${note}`).join("")}`;
  if (changes === undefined) return [`${head} ${summary}`.trimEnd()];
  return [head, ...changes.map(({ path, change, source }) => `  ${change} ${source ? `${source} → ` : ""}${path}`)];
}

function closing({ operations, changed_outside, diff, truncated }: Result): string[] {
  return [
    ...operations.length === 0 ? ["No changes."] : [],
    ...truncated ? ["There are more: narrow it by since, session or path."] : [],
    ...changed_outside.length > 0 ? [`changed since by another program: ${changed_outside.join(", ")}`] : [],
    ...diff ? [diff] : [],
  ];
}
