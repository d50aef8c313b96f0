/** Lists commands and options for completion, from the command line's definition. @module */
import type { Argument, Command, Option } from "commander";

/** What a word stands for, as far as a shell can help with it. */
export type CompletionKind =
  | { readonly kind: "directory" | "file" | "setting" | "tool" | "tool argument" | "none" }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

/** An option in all its spellings. */
export interface OptionRow {
  readonly flags: readonly string[];
  readonly description: string;
  /** Null when it takes no value. */
  readonly value: CompletionKind | null;
}

/** A command, or the program itself where the path is empty. */
export interface CommandRow {
  /** Words that lead to it: `config show`. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionRow[];
  /** Of each positional argument; the last one is repeated when it is variadic. */
  readonly args: readonly CompletionKind[];
  readonly isVariadic: boolean;
}

/** Options that commands which read their own words take; commander does not know them. */
export type OwnOptions = Readonly<Record<string, readonly OptionRow[]>>;

/** All commands, the program first. */
export function readCommands(program: Command, own: OwnOptions): CommandRow[] {
  const visit = (command: Command, path: string): CommandRow[] => {
    const children = command.commands.filter((each) => each.name() !== "help");
    const row: CommandRow = {
      path,
      description: command.description(),
      commands: children.map((each) => ({ name: each.name(), description: each.description() })),
      options: withHelp([...command.options.map(optionRow), ...own[path] ?? []]),
      args: command.registeredArguments.map((each) => kindOf(each)),
      isVariadic: command.registeredArguments.at(-1)?.variadic ?? false,
    };
    return [row, ...children.flatMap((each) => visit(each, `${path} ${each.name()}`.trim()))];
  };
  return visit(program, "");
}

const HELP: OptionRow = { flags: ["-h", "--help"], description: "print help", value: null };

function withHelp(options: readonly OptionRow[]): readonly OptionRow[] {
  return options.some(({ flags }) => flags.includes("--help")) ? options : [...options, HELP];
}

function optionRow(option: Option): OptionRow {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  return { flags, description: option.description, value: option.required || option.optional ? kindOf(option) : null };
}

/** From the word that stands for the value in the help. */
function kindOf(value: Argument | Option): CompletionKind {
  if (value.argChoices) return { kind: "choice", choices: value.argChoices };
  const word = "flags" in value ? value.flags.match(/[<[](.+?)[\]>]/)?.[1] ?? "" : value.name();
  const known = KINDS[word.replace(/\.+$/, "")];
  return { kind: known ?? "none" };
}

const KINDS: Readonly<Record<string, "directory" | "file" | "setting" | "tool" | "tool argument">> = {
  dir: "directory",
  roots: "directory",
  file: "file",
  "key=value": "setting",
  name: "tool",
  arguments: "tool argument",
};
