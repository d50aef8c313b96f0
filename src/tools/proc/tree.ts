/** `linux_proc_tree`: shows the process tree. @module */
import * as z from "zod";
import { cutLine } from "../../core/bound.ts";
import { OpsError } from "../../core/error.ts";
import type { ProcessFact } from "../../sysinfo/processes.ts";
import { defineTool } from "../../call/tool.ts";
import { between } from "../between.ts";
import { visibleProcesses } from "./visible.ts";

const MAX_NODES = 500, SHOWN_ROWS = 60, SHOWN_COMMAND = 70;

const output = () =>
  z.object({
    /** In the order of the tree; `depth` 0 has no visible parent. */
    processes: z.array(
      z.object({ pid: z.int(), ppid: z.int(), depth: z.int(), user: z.string(), command: z.string() }),
    ),
    total_processes: z.int(),
    truncated: z.boolean(),
  });

/** See the summary. */
export const procTree = defineTool({
  name: "linux_proc_tree",
  title: "Process tree",
  summary: "Show which process started which, from pid down or for all.",
  toolset: "proc",
  effect: "read",
  input: () =>
    z.strictObject({
      pid: z.int().min(1).optional(),
      max_depth: between(1, 64).default(8),
      user: z.string().optional(),
    }),
  output,
  render: ({ processes, total_processes }) => {
    const rows = processes.slice(0, SHOWN_ROWS).map(({ pid, depth, command }) =>
      `${" ".repeat(depth)}${pid} ${cutLine(command, SHOWN_COMMAND)}`
    );
    const rest = total_processes - rows.length;
    return rest > 0 ? `${rows.join("\n")}\n[${rest} more; give pid or max_depth]` : rows.join("\n");
  },
  async run({ pid, max_depth, user }, context) {
    const all = await visibleProcesses(context, { user, kernel: false });
    const pids = new Set(all.map((fact) => fact.pid));
    const roots = pid === undefined
      ? all.filter(({ ppid }) => !pids.has(ppid))
      : all.filter((fact) => fact.pid === pid);
    if (pid !== undefined && roots.length === 0) throw new OpsError("PROCESS_NOT_FOUND", `no visible process ${pid}`);
    const found = flatten(roots, childrenOf(all), max_depth);
    return {
      processes: found.slice(0, MAX_NODES).map(({ fact: { pid, ppid, user, command }, depth }) => ({
        pid,
        ppid,
        depth,
        user,
        command,
      })),
      total_processes: found.length,
      truncated: found.length > MAX_NODES,
    };
  },
});

function childrenOf(all: readonly ProcessFact[]): ReadonlyMap<number, readonly ProcessFact[]> {
  const children = new Map<number, ProcessFact[]>();
  for (const fact of all) {
    const siblings = children.get(fact.ppid);
    if (siblings) siblings.push(fact);
    else children.set(fact.ppid, [fact]);
  }
  return children;
}

/** Depth first. A list that was read while processes came and went can hold no cycle, because a pid stands in it once. */
function flatten(
  level: readonly ProcessFact[],
  children: ReadonlyMap<number, readonly ProcessFact[]>,
  maxDepth: number,
  depth = 0,
): { fact: ProcessFact; depth: number }[] {
  if (depth >= maxDepth) return [];
  return level.flatMap((
    fact,
  ) => [{ fact, depth }, ...flatten(children.get(fact.pid) ?? [], children, maxDepth, depth + 1)]);
}
