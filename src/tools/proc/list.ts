/** `linux_proc_list`: lists processes with their resource use, busiest first. @module */
import { shortSize } from "../../core/bytes.ts";
import * as z from "zod";
import type { ProcessFact } from "../../sysinfo/processes.ts";
import { restAt } from "../../core/bound.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { between } from "../between.ts";
import { keepRest, metaLine } from "../keep_rest.ts";
import { visibleProcesses } from "./visible.ts";

/** Rows of the lean text: the busiest are what is asked for, and 20 of them cost under 800 tokens. */
const SHOWN_ROWS = 20, SHOWN_COMMAND = 60;
const MAX_OPEN_FILES = 200;

const output = () =>
  z.object({
    processes: z.array(z.object({
      pid: z.int(),
      ppid: z.int(),
      user: z.string(),
      cpu_percent: z.number(),
      mem_percent: z.number(),
      rss_bytes: z.int(),
      threads: z.int(),
      state: z.string(),
      started: z.string(),
      name: z.string(),
      command: z.string(),
    })),
    /** Of the one process that was asked for; regular files only. */
    open_files: z.array(z.object({
      fd: z.int(),
      path: z.string(),
      size_bytes: z.int(),
      deleted: z.boolean(),
    })).optional(),
    total_processes: z.int(),
    truncated: z.boolean(),
    /** The whole list as text, one process a line, where it is truncated. */
    handle: z.string().nullable(),
    /** Of all that fit the filter; 100 is one core. */
    total_cpu_percent: z.number(),
    total_rss_bytes: z.int(),
  });

type Result = z.output<ReturnType<typeof output>>;

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
      max_results: between(1, 5_000).default(200),
      pid: z.int().optional().describe("One process, with its open files"),
      user: z.string().optional(),
      name: z.string().optional(),
      sort: z.enum(["cpu", "mem", "start"]).default("cpu"),
      kernel: z.boolean().default(false),
    }),
  output,
  render: renderList,
  async run({ max_results, pid, user, name, sort, kernel }, context) {
    const wanted = name?.toLowerCase() ?? "";
    const found = (await visibleProcesses(context, { user, kernel }))
      .filter((fact) => pid === undefined || fact.pid === pid)
      .filter(({ name, command }) => `${name}\n${command}`.toLowerCase().includes(wanted))
      .sort(ORDER[sort]);
    const files = pid !== undefined && found.length === 1 ? await context.facts.openFiles(pid) : undefined;
    return {
      ...files && {
        open_files: files.slice(0, MAX_OPEN_FILES).map(({ descriptor, path, sizeBytes, deleted }) => ({
          fd: descriptor,
          path,
          size_bytes: sizeBytes,
          deleted,
        })),
      },
      processes: found.slice(0, max_results).map((fact) => ({
        pid: fact.pid,
        ppid: fact.ppid,
        user: fact.user,
        cpu_percent: fact.cpuPercent,
        mem_percent: fact.memoryPercent,
        rss_bytes: fact.rssBytes,
        threads: fact.threads,
        state: fact.state,
        started: new Date(fact.startedMs).toISOString(),
        name: fact.name,
        command: fact.command,
      })),
      total_processes: found.length,
      truncated: found.length > max_results,
      handle: found.length > max_results ? keepRest(() => keepList(found, context)) : null,
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

function renderList(
  { open_files, processes, total_processes, total_cpu_percent, total_rss_bytes, handle }: Result,
): string {
  const users = new Set(processes.map(({ user }) => user));
  const shown = processes.slice(0, SHOWN_ROWS);
  const rows = shown.map((row) => {
    const user = users.size > 1 ? `${row.user} ` : "";
    const state = row.state === "Z" || row.state === "T" || row.state === "D" ? ` [${row.state}]` : "";
    return `${row.pid} ${user}${row.cpu_percent}% ${shortSize(row.rss_bytes)} ${cut(row.command)}${state}`;
  });
  const head = `pid ${users.size > 1 ? "user " : ""}cpu rss command`;
  const total = metaLine(
    `${shown.length} of ${total_processes} processes`,
    `all use cpu ${total_cpu_percent}%, rss ${shortSize(total_rss_bytes)}`,
    handle !== null && restAt(handle),
  );
  if (rows.length === 0) return "[no process matches]";
  if (open_files === undefined) return [head, ...rows, total].join("\n");
  const files = open_files.map(({ fd, path, size_bytes, deleted }) =>
    `${fd} ${shortSize(size_bytes)} ${path}${deleted ? " (deleted)" : ""}`
  );
  return [head, ...rows, ...files.length > 0 ? ["open files: fd size path", ...files] : ["no open files"]].join("\n");
}

function cut(command: string): string {
  return command.length > SHOWN_COMMAND ? `${command.slice(0, SHOWN_COMMAND - 1)}…` : command;
}
