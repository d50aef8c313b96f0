/** Collects the facts of a call's log line besides its outcome: caller, target and size. @module */
import { summarizeArgs } from "../store/args_summary.ts";

/** Arguments that an operator looks for, as the specifications list them; texts and secrets are not among them. */
const ARGUMENTS = [
  ...[
    "path",
    "source",
    "target",
    "root",
    "cwd",
    "working_directory",
    "command",
    "argv",
    "pid",
    "proc_id",
    "signal",
    "user",
  ],
  ...["max_results", "offset_lines", "max_lines", "depth", "file_glob"],
];
/** Figures of a result. */
const FIGURES = [
  ...[
    "total_processes",
    "total_hits",
    "exit_code",
    "bytes_written",
    "replacements_made",
    "returned_lines",
    "short_summary",
  ],
  ...["proc_id", "pid", "state"],
];

/** Fields for the log, from arguments and result. */
export function logFacts(args: unknown, result: unknown): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const [name, value] of entriesOf(args, ARGUMENTS)) {
    facts[name] = typeof value === "number" ? value : unquoted(summarizeArgs({ [name]: value }).slice(name.length + 1));
  }
  const meta = isObject(result) && isObject(result.meta) ? result.meta : {};
  for (const [name, value] of [...entriesOf(meta, FIGURES), ...entriesOf(result, FIGURES)]) {
    if (typeof value === "number" || typeof value === "string") facts[name] ??= value;
  }
  return facts;
}

/** A summary quotes what has blanks, because it is one line of several values. */
function unquoted(value: string): string {
  return /^".*"$/.test(value) ? value.slice(1, -1) : value;
}

function entriesOf(value: unknown, names: readonly string[]): [string, unknown][] {
  if (!isObject(value)) return [];
  return names.filter((name) => Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined)
    .map((name) => [name, value[name]]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
