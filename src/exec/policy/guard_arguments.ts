/**
 * The rules about arguments, for machines where the kernel does not hold programs in full: there they are the wall, and
 * refuse what could start another program or leave the roots.
 * @module
 */
import { splitCommand } from "../../core/argv.ts";
import { type Arguments, literals, readOptions, type Word } from "../../core/options.ts";
import { baseName } from "../../core/path.ts";
import { SHELLS, type Wrapped, WRAPPERS } from "../../core/wrappers.ts";
import { applyRules, canStartPrograms, type RuleEffects } from "./apply_rules.ts";
import { checkEnv } from "./env_rules.ts";
import type { FoundCommands, Place } from "./find_commands.ts";
import { readGit } from "./git_commands.ts";
import { BUILTINS } from "./listed.ts";
import type { PathCheck } from "./operands.ts";
import { refuse, refuseUnconfined } from "./refusal.ts";
import { REFUSED_PROGRAMS } from "./rules.ts";
import { familyOf, type Program, type ProgramClass, programOf } from "./syntax.ts";

/** What the guard needs. */
export interface GuardDeps {
  readonly paths: PathCheck;
  /** Whether namespaces hold what is started, so that a program may do what only has to stay inside them. */
  readonly confined: boolean;
  readonly binaries: Readonly<Record<string, string>>;
  /** Checks a command that a rule found in an argument, with everything inside it. */
  inner(words: readonly Word[], place: Place): Promise<void>;
  /** The same for a line for a shell. */
  line(source: string, place: Place): Promise<void>;
}

/** Builtins that run, or make the shell run, what cannot be seen here. */
const HIDING = new Set("alias bind compgen complete compopt coproc enable fc hash history".split(" "));
const DECLARES = new Set("declare export local readonly typeset".split(" "));
const LOADER = /^ld(?:-linux|\.so|-musl)/;

/** Checks one thing that was found. @throws OpsError COMMAND_NOT_ALLOWED, INVALID_PATH */
export async function guardArguments(found: FoundCommands, deps: GuardDeps): Promise<ProgramClass> {
  switch (found.kind) {
    case "unknown":
      throw refuse(found.what, found.reason, "Write it out.");
    case "wrapper":
      await guardWrapper(found.name, found.wrapped, found.place, deps);
      return found.wrapped.wrapper.appends && found.wrapped.command.length > 0 ? "code" : "read";
    case "script": {
      const { script, place } = found;
      if (script.fault !== null) throw refuse("the script", script.fault, "Write it more simply.");
      for (const { assignments, redirects } of script.commands) {
        for (const assignment of assignments) {
          if (assignment.name !== "IFS") await guardVariable(assignment, place, deps); // words are literal here
        }
        for (const { file, operator } of redirects) {
          if (/<<-?$|<<<$/.test(operator)) continue;
          if (!file.literal && !deps.confined) {
            throw refuseUnconfined(`> ${file.text}`, "the file is not known in advance");
          }
          await deps.paths.check(file, place.cwd);
        }
      }
      return "code";
    }
    case "command":
      return await guardCommand(found.name, found.words.slice(1), found.place, deps);
  }
}

async function guardVariable(
  variable: Parameters<typeof checkEnv>[0],
  { cwd }: Place,
  { paths, confined }: GuardDeps,
): Promise<void> {
  for (const text of checkEnv(variable, confined)) await paths.check({ text, literal: true }, cwd);
}

async function guardWrapper(
  name: string,
  { wrapper, options, assignments }: Wrapped,
  place: Place,
  deps: GuardDeps,
): Promise<void> {
  for (const { name: option, value } of options) {
    // Any beginning of a long option is the option.
    if (wrapper.refused?.some((ruled) => ruled.startsWith(option))) {
      throw refuse(`${name} ${option}`, "it parses the command by rules of its own");
    }
    if (value && wrapper.paths?.includes(option)) await deps.paths.check(value, place.cwd);
  }
  for (const { text, literal } of assignments) {
    const [variable = ""] = text.split("=");
    const value = literal ? text.slice(variable.length + 1) : null;
    await guardVariable({ name: variable, value }, place, deps);
  }
}

async function guardCommand(
  name: string,
  words: readonly Word[],
  place: Place,
  deps: GuardDeps,
): Promise<ProgramClass> {
  if (place.script && place.functions.has(name)) return "code";
  if (place.script && BUILTINS.has(name)) return await guardBuiltin(name, words, place, deps);
  const path = deps.binaries[name] ?? name, family = familyOf(name, path), file = baseName(path);
  const refused = REFUSED_PROGRAMS[name] ?? REFUSED_PROGRAMS[file];
  if (refused !== undefined || LOADER.test(file)) throw refuse(name, refused ?? "it runs any program that it is given");
  if (Object.hasOwn(WRAPPERS, place.identify(name))) return "read"; // what it wraps is judged by itself
  if (SHELLS.has(name) || SHELLS.has(file)) return "code";
  if (!deps.confined && canStartPrograms(family)) {
    const unknown = words.find(({ text, literal }) => !literal && text === "");
    if (unknown) throw refuseUnconfined(name, "an argument is not known in advance and could start a program");
  }
  return await guardProgram(family, programOf(family), words, place, deps) ? "read" : "code";
}

async function guardBuiltin(
  name: string,
  words: readonly Word[],
  place: Place,
  deps: GuardDeps,
): Promise<ProgramClass> {
  if (HIDING.has(name)) throw refuse(name, "it can make the shell run commands that cannot be checked");
  if (DECLARES.has(name)) {
    for (const { text, literal } of words) {
      const variable = text.match(/^([A-Za-z_]\w*)\+?(?:=|$)/)?.[1];
      const value = literal && text.includes("=") ? text.slice(text.indexOf("=") + 1) : null;
      if (variable) await guardVariable({ name: variable, value }, place, deps);
    }
  }
  if (name === "source" || name === ".") {
    if (!deps.confined) throw refuseUnconfined(name, "it runs a script that was not checked");
    if (words[0]) await deps.paths.check(words[0], place.cwd);
  }
  if (name === "cd" || name === "pushd") { for (const word of words) await deps.paths.check(word, place.cwd); }
  return "code";
}

/** @returns Whether it can only read. */
async function guardProgram(
  family: string,
  program: Program,
  words: readonly Word[],
  place: Place,
  deps: GuardDeps,
): Promise<boolean> {
  const { confined, paths } = deps;
  const effects: RuleEffects = {
    confined,
    path: (word) => paths.check(word, place.cwd),
    program: async (word) => {
      const split = splitCommand(word?.text ?? "");
      if (!word?.literal || split.kind !== "plain") {
        throw refuse(`${family} ${word?.text ?? ""}`, "the program in it must be a plain command");
      }
      await deps.inner(literals(split.words), place);
    },
  };
  if (family === "git") {
    await guardGit(words, place, effects, deps);
    return false;
  }
  const given = readOptions(words, program);
  await applyRules(family, given, program, effects);
  await guardOperands(program, given, effects);
  if (family === "dd") {
    for (const { text, literal } of given.operands) {
      if (/^[io]f=/.test(text)) await effects.path({ text: text.slice(3), literal });
    }
  }
  if (family === "sed") return guardSed(given, confined);
  if (family === "awk") guardAwk(given, confined);
  return program.class === "read";
}

async function guardOperands(program: Program, { options, operands }: Arguments, effects: RuleEffects): Promise<void> {
  const { operands: kind, patternOptions = [] } = program;
  const hasPattern = options.some(({ name }) => patternOptions.includes(name));
  const paths = { none: [], paths: operands, pattern: hasPattern ? operands : operands.slice(1) };
  for (const word of paths[kind]) await effects.path(word);
  if (effects.confined || program.class !== "read") return;
  // Nothing else keeps an option's value inside the roots.
  for (const { value } of options) if (value) await effects.path(value);
}

async function guardGit(words: readonly Word[], place: Place, effects: RuleEffects, deps: GuardDeps): Promise<void> {
  const { globals, subcommand, options, operands, syntax, inner, scripts } = readGit(words);
  await applyRules("git", { options: globals, operands: [] }, { unabbreviated: true }, effects);
  for (const family of ["git *", `git ${subcommand}`]) await applyRules(family, { options, operands }, syntax, effects);
  if (inner.length > 0) await deps.inner(inner, place);
  for (const { text, literal } of scripts) {
    if (!literal) throw refuse("git", "the commands in it must be literal");
    await deps.line(text, { ...place, cwd: null });
  }
}

/** Scripts that can only show, and those that change text: no file is read or written, and no command is run. */
const SED_SHOWS = /^[0-9$,;~+\spqd=!Q]*$/;
const SED_EDITS =
  /^(?:(?:[0-9$]+|\/(?:[^/\\\n]|\\.)*\/)?(?:,(?:[0-9$]+|\/(?:[^/\\\n]|\\.)*\/))?\s*(?:[dDgGhHlnNpPqx=]|s([/|,#])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI0-9]*|y\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/)\s*(?:[;\n]\s*|$))*$/;

function guardSed({ options, operands }: Arguments, confined: boolean): boolean {
  const given = options.filter(({ name }) => name === "-e" || name.startsWith("--exp"));
  const file = options.some(({ name }) => name === "-f" || name.startsWith("--fi"));
  const scripts = given.length > 0 || file ? given.flatMap(({ value }) => value ?? []) : operands.slice(0, 1);
  const text = scripts.map((script) => script.text).join("\n"), literal = scripts.every((script) => script.literal);
  if (!literal && !confined) throw refuseUnconfined("sed", "the script is not known in advance");
  if (literal && !SED_SHOWS.test(text) && !SED_EDITS.test(text)) {
    throw refuse("sed", "this script could run a program or open a file", "Use addresses with p, d, s and y only.");
  }
  const changes = options.some(({ name }) => name === "-i" || name.startsWith("--in"));
  return literal && SED_SHOWS.test(text) && !changes && !file;
}

/** What runs a command: `system(…)`, a pipe, a call by name, an extension. Strings and patterns are not told apart. */
const AWK_RUNS = /\bsystem\s*\(|(?<!\|)\|(?!\|)|@\s*\w+/;

function guardAwk({ options, operands }: Arguments, confined: boolean): void {
  const given = options.filter(({ name }) => name === "-e" || name.startsWith("--so"));
  const fromFile = options.some(({ name }) => /^(?:-[fE]|--ex|--fi(?!eld))/.test(name));
  const sources = given.length > 0 || fromFile ? given.flatMap(({ value }) => value ?? []) : operands.slice(0, 1);
  for (const { text, literal } of sources) {
    if (!literal && !confined) throw refuseUnconfined("awk", "the program is not known in advance");
    const runs = AWK_RUNS.exec(text);
    if (runs) throw refuse(`awk ${runs[0]}`, "it could run a command", "Pipe between commands in the shell instead.");
  }
}
