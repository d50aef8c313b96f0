/** Parses the options of `llmc-mcp te`, which must precede the command. @module */

import type { Kind, OptionRow } from "../completion/command_table.ts";

/** What was asked. */
export interface TeOptions {
  readonly json: boolean;
  readonly raw: boolean;
  readonly stats: boolean;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly handle?: string | undefined;
  /** From 0. */
  readonly chunk: number;
  readonly cwd?: string | undefined;
  /** Passed on to whatever reads the configuration: `--root`, `--config`, `--set`. */
  readonly config: {
    readonly root?: readonly string[] | undefined;
    readonly config?: string | undefined;
    readonly set?: readonly string[] | undefined;
  };
  readonly command: readonly string[];
}

/** Every option, for the help and for shells; `--help` is everywhere. */
export const TE_OPTIONS: readonly OptionRow[] = [
  toggle("raw", "print the output as the command wrote it"),
  toggle("json", "print result, enrichment and telemetry as JSON"),
  toggle("stats", "what went through the envelope in the last 30 days"),
  valued("agent", "who calls, for budget and records (default: $TE_AGENT_ID)"),
  valued("session", "the session that the cost counts against (default: $TE_SESSION_ID)"),
  valued("cwd", "working directory (default: the current one, if inside a root)", "directory"),
  valued("handle", "print what an earlier result left out"),
  valued("chunk", "which part of it, from 0"),
  valued("root", "folder that tools may touch; can be repeated", "directory"),
  valued("config", "configuration file", "file"),
  valued("set", "one configuration key; can be repeated", "setting"),
];

const SWITCHES = new Set(["help", ...TE_OPTIONS.filter(({ value }) => value === null).map(nameOf)]);
const VALUED = new Set(TE_OPTIONS.filter(({ value }) => value !== null).map(nameOf));

function toggle(name: string, description: string): OptionRow {
  return { flags: [`--${name}`], description, value: null };
}

function valued(
  name: string,
  description: string,
  kind: "none" | "directory" | "file" | "setting" = "none",
): OptionRow {
  const value: Kind = { kind };
  return { flags: [`--${name}`], description, value };
}

function nameOf({ flags: [flag = ""] }: OptionRow): string {
  return flag.replace(/^--/, "");
}

/**
 * Reads the options up to `--` or the first word that is none.
 *
 * @returns a sentence that says what is wrong, or the options; "" for `--help`.
 */
export function readTeOptions(words: readonly string[]): TeOptions | string {
  const given = new Map<string, string[]>();
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "--" || !word.startsWith("--")) break;
    const [name = "", joined] = word.slice(2).split(/=(.*)/s);
    if (SWITCHES.has(name) && joined === undefined) given.set(name, [""]);
    else if (VALUED.has(name)) {
      const value = joined ?? words[++i];
      if (value === undefined) return `--${name} needs a value`;
      given.set(name, [...given.get(name) ?? [], value]);
    } else return `unknown option ${word}; put the command's own options after its name, or after --`;
  }
  if (given.has("help")) return "";
  const command = words.slice(words[i] === "--" ? i + 1 : i);
  return check(given, command);
}

function check(given: ReadonlyMap<string, string[]>, command: readonly string[]): TeOptions | string {
  const last = (name: string) => given.get(name)?.at(-1);
  const chunk = Number(last("chunk") ?? 0);
  if (!Number.isInteger(chunk) || chunk < 0) return "--chunk is a number from 0";
  if (given.has("chunk") && !given.has("handle")) return "--chunk goes with --handle";
  const jobs = [command.length > 0, given.has("handle"), given.has("stats")].filter(Boolean).length;
  if (jobs !== 1) return "give one of: a command, --handle, --stats";
  return {
    json: given.has("json"),
    raw: given.has("raw"),
    stats: given.has("stats"),
    chunk,
    config: { root: given.get("root"), config: last("config"), set: given.get("set") },
    agent: last("agent"),
    session: last("session"),
    handle: last("handle"),
    cwd: last("cwd"),
    command,
  };
}
