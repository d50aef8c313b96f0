/** `linux_proc_list`: lists processes with their resource use, busiest first. @module */
import { shortSize } from "../../core/bytes.ts";
import * as z from "zod";
import type { ProcessFact } from "../../sysinfo/processes.ts";
import { cutLine, restAt } from "../../core/bound.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { between } from "../between.ts";
import { keepRest, metaLine } from "../keep_rest.ts";
import { describeProcess } from "./describe_process.ts";
import { listShape, type ProcessList } from "./list_shape.ts";
import { visibleProcesses } from "./visible.ts";

/** Rows of the text unless more are asked for: the busiest are what is looked for, and 20 cost under 800 tokens. */
const SHOWN_ROWS = 20, SHOWN_COMMAND = 60;
/** Rows of the structure, likewise. */
const DEFAULT_ROWS = 200;
const MAX_OPEN_FILES = 200;

const ORDER: Readonly<Record<"cpu" | "mem" | "start", (a: ProcessFact, b: ProcessFact) => number>> = {
  cpu: (a, b) => b.cpuPercent - a.cpuPercent || b.rssBytes - a.rssBytes,
  mem: (a, b) => b.rssBytes - a.rssBytes,
  start: (a, b) => b.startTicks - a.startTicks,
};

/** See the summary. */
export const procList = defineTool({
  name: "linux_proc_list",
  title: "List processes",
  summary: "List running processes, the busiest first; name is a substring of the command.",
  toolset: "proc",
  effect: "read",
  input: () =>
    z.strictObject({
      max_results: between(1, 5_000).optional(),
      pid: z.int().optional().describe("One process in detail"),
      user: z.string().optional(),
      name: z.string().optional(),
      sort: z.enum(["cpu", "mem", "start"]).default("cpu"),
      kernel: z.boolean().default(false),
    }),
  output: listShape,
  render: renderList,
  async run({ max_results = DEFAULT_ROWS, pid, user, name, sort, kernel }, context) {
    const wanted = name?.toLowerCase() ?? "", nowMs = Date.now();
    const found = (await visibleProcesses(context, { user, kernel }))
      .filter((fact) => pid === undefined || fact.pid === pid)
      .filter(({ name, command }) => `${name}\n${command}`.toLowerCase().includes(wanted))
      .sort(ORDER[sort]);
    const files = pid !== undefined && found.length === 1 ? await context.facts.processFiles(pid) : undefined;
    return {
      ...files && {
        cwd: files.cwd,
        open_files: files.open.slice(0, MAX_OPEN_FILES).map(({ descriptor, path, sizeBytes, deleted }) => ({
          fd: descriptor,
          path,
          size_bytes: sizeBytes,
          deleted,
        })),
        open_files_total: files.open.length,
      },
      processes: found.slice(0, max_results).map((fact) => ({
        pid: fact.pid,
        ppid: fact.ppid,
        user: fact.user,
        cpu_percent: fact.cpuPercent,
        cpu_seconds: fact.cpuSeconds,
        mem_percent: fact.memoryPercent,
        rss_bytes: fact.rssBytes,
        threads: fact.threads,
        state: fact.state,
        started: new Date(fact.startedMs).toISOString(),
        age_seconds: Math.max(0, Math.round((nowMs - fact.startedMs) / 1000)),
        name: fact.name,
        command: fact.command,
      })),
      total_processes: found.length,
      truncated: found.length > max_results,
      handle: found.length > max_results ? keepRest(() => keepList(found, context)) : null,
      cpu_window_seconds: Math.round((found[0]?.sampleMs ?? 0) / 100) / 10,
      total_cpu_percent: Math.round(sumOf(found, ({ cpuPercent }) => cpuPercent) * 10) / 10,
      total_rss_bytes: sumOf(found, ({ rssBytes }) => rssBytes),
    };
  },
});

/** Every process on a line of its own. */
function keepList(found: readonly ProcessFact[], { handles, owner }: ToolContext): string {
  const rows = found.map(({ pid, ppid, user, cpuPercent, memoryPercent, rssBytes, command }) =>
    [pid, ppid, user, `${cpuPercent}%`, `${memoryPercent}%`, shortSize(rssBytes), command.replaceAll("\n", " ")].join(
      " ",
    )
  );
  return handles.put({
    kind: "proc",
    owner,
    payload: `${["pid ppid user cpu mem rss command", ...rows].join("\n")}\n`,
  });
}

function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}

function renderList(list: ProcessList, { max_results }: { readonly max_results?: number | undefined }): string {
  const { processes, total_processes, total_cpu_percent, total_rss_bytes, cpu_window_seconds, handle } = list;
  const [only] = processes;
  if (only === undefined) return "[no process matches]";
  if (list.open_files !== undefined) return describeProcess(only, list);
  const users = new Set(processes.map(({ user }) => user));
  const shown = processes.slice(0, max_results ?? SHOWN_ROWS);
  const rows = shown.map((row) => {
    const user = users.size > 1 ? `${row.user} ` : "";
    const state = row.state === "Z" || row.state === "T" || row.state === "D" ? ` [${row.state}]` : "";
    const command = cutLine(row.command, SHOWN_COMMAND);
    return `${row.pid} ${user}${row.cpu_percent}% ${shortSize(row.rss_bytes)} ${command}${state}`;
  });
  const total = metaLine(
    `${shown.length} of ${total_processes} processes`,
    `all use cpu ${total_cpu_percent}% over ${cpu_window_seconds} s, rss ${shortSize(total_rss_bytes)}`,
    handle !== null && restAt(handle),
  );
  return [`pid ${users.size > 1 ? "user " : ""}cpu rss command`, ...rows, total].join("\n");
}
