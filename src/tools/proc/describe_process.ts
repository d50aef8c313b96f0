/** Describes one process with its working directory and open files, as text. @module */
import { leftOut } from "../../core/bound.ts";
import { shortSize } from "../../core/bytes.ts";
import { humanDuration } from "../../core/time.ts";
import type { ProcessList } from "./list_shape.ts";

/** One process of the list. */
type ProcessRow = ProcessList["processes"][number];

/** The letters of /proc that say more than "it waits for something". */
const STATES: Readonly<Record<string, string>> = {
  R: "running",
  S: "sleeping",
  D: "waits for a disk or device",
  T: "stopped",
  t: "stopped by a debugger",
  Z: "zombie",
  I: "idle",
};

/** All that is known of a process; its command in full. */
export function describeProcess(
  row: ProcessRow,
  { cwd, open_files = [], open_files_total = 0, cpu_window_seconds }: ProcessList,
): string {
  const { pid, ppid, user, cpu_percent, cpu_seconds, rss_bytes, mem_percent, threads, state, started } = row;
  const files = open_files.map((file) =>
    `${file.fd} ${shortSize(file.size_bytes)} ${file.path}${file.deleted ? " (deleted)" : ""}`
  );
  const missing = open_files_total - files.length;
  return [
    `${pid} ${row.name}, ${STATES[state] ?? state}, parent ${ppid}, user ${user}, threads ${threads}`,
    `cpu ${cpu_percent}% over ${cpu_window_seconds} s, ${cpu_seconds} s in all; rss ${
      shortSize(rss_bytes)
    } (${mem_percent}%)`,
    `started ${started.slice(0, 19)}Z, ${humanDuration(row.age_seconds)} ago`,
    `cwd ${cwd || "not visible to this user"}`,
    `command ${row.command}`,
    ...files.length > 0 ? ["open files: fd size path", ...files] : ["no open files"],
    ...missing > 0 ? [leftOut(missing, `${open_files_total} open files`)] : [],
  ].join("\n");
}
