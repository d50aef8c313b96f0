/** Looks at the arguments of one program: the rows of the table, paths, and the languages of find, git, sed and awk. @module */
import { splitCommand } from "../../core/argv.ts";
import { applyRules, type RuleEffects } from "./apply_rules.ts";
import { commandInAwk } from "./inspect_awk.ts";
import type { CommandInspector, Inspection, Place } from "./inspect_command.ts";
import { commandsOfFind } from "./inspect_find.ts";
import { readGit } from "./inspect_git.ts";
import { readSedScript } from "./inspect_sed.ts";
import { refuse, refuseUnconfined } from "./refusal.ts";
import type { Program } from "./syntax.ts";
import { type Arguments, literals, readArguments, type Word } from "./words.ts";

/** Applies what is known of the program's arguments; returns whether it can only read. */
export async function inspectArguments(
  family: string,
  program: Program,
  words: readonly Word[],
  place: Place,
  { confined, paths, inspector }: Inspection,
): Promise<boolean> {
  const effects: RuleEffects = {
    confined,
    path: (word) => paths.check(word, place.cwd),
    program: async (word) => {
      const split = splitCommand(word?.text ?? "");
      if (!word?.literal || split.kind !== "plain") {
        throw refuse(`${family} ${word?.text ?? ""}`, "the program in it must be a plain command");
      }
      await inspector.command(literals(split.words), place);
    },
  };
  if (family === "git") {
    await inspectGit(words, place, effects, inspector);
    return false;
  }
  const given = readArguments(words, program);
  await applyRules(family, given, program, effects);
  await checkOperands(program, given, effects);
  switch (family) {
    case "find": {
      let isRead = true;
      for (const command of commandsOfFind(words)) {
        const inner = await inspector.command(command, { ...place, input: { kind: "unknown" } });
        isRead &&= inner.class === "read";
      }
      return isRead;
    }
    case "sed":
      return inspectSed(given, confined);
    case "awk":
      inspectAwk(given, confined);
      return false;
    case "dd":
      for (const { text, literal } of given.operands) {
        if (text.startsWith("if=") || text.startsWith("of=")) await effects.path({ text: text.slice(3), literal });
      }
      return false;
  }
  return program.class === "read";
}

async function checkOperands(program: Program, { options, operands }: Arguments, effects: RuleEffects): Promise<void> {
  const { operands: kind, patternOptions = [] } = program;
  const hasPattern = options.some(({ name }) => patternOptions.includes(name));
  const paths = { none: [], paths: operands, pattern: hasPattern ? operands : operands.slice(1) };
  for (const word of paths[kind]) await effects.path(word);
  if (effects.confined || program.class !== "read") return;
  // Nothing else keeps an option's value inside the roots.
  for (const { value } of options) if (value) await effects.path(value);
}

async function inspectGit(
  words: readonly Word[],
  place: Place,
  effects: RuleEffects,
  inspector: CommandInspector,
): Promise<void> {
  const { globals, subcommand, options, operands, syntax, inner, scripts } = readGit(words);
  await applyRules("git", { options: globals, operands: [] }, { unabbreviated: true }, effects);
  for (const family of ["git *", `git ${subcommand}`]) await applyRules(family, { options, operands }, syntax, effects);
  if (inner.length > 0) await inspector.command(inner, place);
  for (const { text, literal } of scripts) {
    if (!literal) throw refuse("git", "the commands in it must be literal");
    await inspector.script(text, { ...place, cwd: null });
  }
}

function inspectSed({ options, operands }: Arguments, confined: boolean): boolean {
  const given = options.filter(({ name }) => name === "-e" || name.startsWith("--exp")).flatMap(({ value }) =>
    value ?? []
  );
  const fromFile = options.some(({ name }) => name === "-f" || name.startsWith("--fi"));
  const scripts = given.length > 0 || fromFile ? given : operands.slice(0, 1);
  if (scripts.some(({ literal }) => !literal)) {
    if (!confined) throw refuseUnconfined("sed", "the script is not known beforehand");
    return false;
  }
  const script = readSedScript(scripts.map(({ text }) => text).join("\n"));
  if (script === null) {
    throw refuse("sed", "this script is not understood", "Write it more simply, or use another program.");
  }
  if (script.runs) throw refuse("sed", "the command 'e' runs a program");
  if (script.files.length > 0 && !confined) throw refuseUnconfined("sed", "the script reads or writes files");
  const changes = options.some(({ name }) =>
    ["-i", "-f"].includes(name) || name.startsWith("--in") || name.startsWith("--fi")
  );
  return script.showsOnly && !changes && !fromFile;
}

function inspectAwk({ options, operands }: Arguments, confined: boolean): void {
  const isSource = (name: string): boolean => name === "-e" || name.startsWith("--so");
  const given = options.filter(({ name }) => isSource(name)).flatMap(({ value }) => value ?? []);
  const fromFile = options.some(({ name }) =>
    ["-f", "-E"].includes(name) || name.startsWith("--ex") || name.startsWith("--fi") && !name.startsWith("--field")
  );
  for (const { text, literal } of given.length > 0 || fromFile ? given : operands.slice(0, 1)) {
    if (!literal && !confined) throw refuseUnconfined("awk", "the program is not known beforehand");
    const runs = commandInAwk(text);
    if (runs !== null) {
      throw refuse(`awk '${runs}'`, "it runs a command", "Pipe between commands in the shell instead.");
    }
  }
}
