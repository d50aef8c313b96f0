/** Parses the options of `llmc-mcp te`: they come before the command, so that none of the command's own is taken. @module */

import type { CompletionKind, OptionRow } from "../completion/command_table.ts";

/** What was asked. */
export interface TeOptions {
  readonly json: boolean;
  readonly raw: boolean;
  readonly stats: boolean;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly model?: string | undefined;
  readonly handle?: string | undefined;
  /** From 0. */
  readonly chunk: number;
  readonly cwd?: string | undefined;
  /** Passed on to whatever reads the configuration. */
  readonly config: {
    readonly root?: readonly string[] | undefined;
    readonly config?: string | undefined;
    readonly set?: readonly string[] | undefined;
    readonly verbose?: boolean | undefined;
  };
  readonly command: readonly string[];
}

/** An option of `te`. */
export interface TeOption extends OptionRow {
  /** As the help shows it, with the word for its value. */
  readonly shown: string;
}

/** Lines of one `--chunk`. */
export const CHUNK_LINES = 200;

/** Every option but `--help`, for the help and for shells. */
export const TE_OPTIONS: readonly TeOption[] = [
  toggle("raw", "print the output as the command wrote it"),
  toggle("json", "print result, enrichment and telemetry as JSON"),
  toggle("stats", "print usage statistics of the last 30 days"),
  valued("agent A", "agent id for the records (default: $TE_AGENT_ID)"),
  valued("session S", "session id for the budget (default: $TE_SESSION_ID)"),
  valued("model M", "model for the records (default: $TE_MODEL)"),
  valued("cwd DIR", "working directory (default: this one, if it is in a root)", "directory"),
  valued("handle H", "print the rest of an earlier result"),
  valued("chunk N", `which part of it, from 0; ${CHUNK_LINES} lines each`),
  valued("root DIR", "folder that tools may use; repeatable (default: this one)", "directory"),
  valued("config FILE", "configuration file", "file"),
  valued("set KEY=VALUE", "set one configuration key; repeatable", "setting"),
  toggle("verbose", "log everything, and print stack traces"),
];

const SWITCHES = new Set(["help", ...TE_OPTIONS.filter(({ value }) => value === null).map(nameOf)]);
const VALUED = new Set(TE_OPTIONS.filter(({ value }) => value !== null).map(nameOf));

function toggle(name: string, description: string): TeOption {
  return { flags: [`--${name}`], shown: `--${name}`, description, value: null };
}

function valued(
  shown: string,
  description: string,
  kind: "none" | "directory" | "file" | "setting" = "none",
): TeOption {
  const [name = ""] = shown.split(" "), value: CompletionKind = { kind };
  return { flags: [`--${name}`], shown: `--${shown}`, description, value };
}

function nameOf({ flags: [flag = ""] }: OptionRow): string {
  return flag.replace(/^--/, "");
}

/**
 * Reads the options up to `--` or the first word that is not an option.
 *
 * @returns the options; or what is wrong with them, as a sentence; or "" for `--help`.
 */
export function readTeOptions(words: readonly string[]): TeOptions | string {
  const given = new Map<string, string[]>();
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "-h") return "";
    if (word === "--" || !word.startsWith("--")) break;
    const [name = "", joined] = word.slice(2).split(/=(.*)/s);
    if (SWITCHES.has(name) && joined === undefined) given.set(name, [""]);
    else if (VALUED.has(name)) {
      const value = joined ?? words[++i];
      if (value === undefined) return `--${name} needs a value`;
      given.set(name, [...given.get(name) ?? [], value]);
    } else return `unknown option ${word}; options of the command come after its name, or after --`;
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
    config: {
      root: given.get("root"),
      config: last("config"),
      set: given.get("set"),
      verbose: given.has("verbose"),
    },
    agent: last("agent"),
    session: last("session"),
    model: last("model"),
    handle: last("handle"),
    cwd: last("cwd"),
    command,
  };
}
