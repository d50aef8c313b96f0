/** Finds every command in what is to run: through wrappers, shells, substitutions, xargs and find. @module */
import { OpsError } from "../../core/error.ts";
import { readOptions, type Word } from "../../core/options.ts";
import { baseName } from "../../core/path.ts";
import { TOO_LONG } from "../../core/shell/reader.ts";
import { readScript, type Script } from "../../core/shell/script.ts";
import { readWrapped, SHELLS, type Wrapped } from "../../core/wrappers.ts";

/** Where a command is. */
export interface Place {
  /** Real path; null when a script may have changed the directory. */
  readonly cwd: string | null;
  /** Inside a script, where builtins and functions exist. */
  readonly script: boolean;
  readonly functions: ReadonlySet<string>;
  /** Whether it reads a pipe or a file. */
  readonly piped: boolean;
  /** The text that it reads, where that is known. */
  readonly stdin: string | null;
  /** Run by npx, uv and the like, from what the project has installed. */
  readonly project: boolean;
  /** The program that a name means to the rules: an operator may have given it another name. */
  readonly identify: (name: string) => string;
  /** How many commands are around it. */
  readonly depth: number;
  /** Of all scripts that are read together. */
  readonly budget: ReadBudget;
}

/** Characters of shell source that may still be read: `eval eval …` is source in source. */
interface ReadBudget {
  left: number;
}

/** What is found on the way. */
export type FoundCommands =
  | { readonly kind: "command"; readonly name: string; readonly words: readonly Word[]; readonly place: Place }
  | { readonly kind: "wrapper"; readonly name: string; readonly wrapped: Wrapped; readonly place: Place }
  | { readonly kind: "script"; readonly script: Script; readonly place: Place }
  /** Something that is known only when it runs. */
  | { readonly kind: "unknown"; readonly what: string; readonly reason: string };

const MAX_DEPTH = 16;
/** Several times the longest command line. */
const MAX_SCRIPT_CHARS = 512 * 1024;
const RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** Commands after which a relative path is another one. */
const MOVES = new Set(["cd", "pushd", "popd", "source", ".", "eval"]);
/** Wrappers of the shell itself: behind them builtins still exist. */
const OF_THE_SHELL = new Set(["command", "builtin", "exec", "time"]);
/** What find puts in for `{}`, or what xargs appends. */
const UNKNOWN_WORD: Word = { text: "", literal: false, single: true };

/** Finds commands; of each only what can be known before it runs. */
export function* findCommands(words: readonly Word[], place: Place): Generator<FoundCommands> {
  const [first] = words;
  if (first === undefined) return;
  if (!first.literal) return yield unknown(first.text || "a command", "its name is known only when it runs");
  if (place.depth > MAX_DEPTH) return yield unknown(first.text, "commands are nested too deep");
  const name = place.identify(baseName(first.text)), inner = { ...place, depth: place.depth + 1 };
  yield { kind: "command", name: first.text, words, place };
  if (place.script && place.functions.has(first.text)) return;
  const wrapped = readWrapped(name, words);
  if (wrapped) yield* insideWrapper(name, wrapped, inner);
  else if (SHELLS.has(name)) yield* insideShell(name, words.slice(1), inner);
  else if (name === "find") {
    for (const command of commandsOfFind(words)) yield* findCommands(command, unscripted(inner));
  } else if (place.script && (name === "eval" || name === "trap")) yield* insideBuiltin(name, words.slice(1), inner);
}

/** Finds the commands of shell source. @throws OpsError INVALID_ARGUMENT for more commands than are looked at */
export function* findInScript(source: string, place: Place): Generator<FoundCommands> {
  place.budget.left -= source.length;
  const script = place.budget.left < 0 ? null : readScript(source);
  if (script === null || script.fault === TOO_LONG) {
    throw new OpsError("INVALID_ARGUMENT", `the script is too long: ${TOO_LONG}`, "Write it to a file and run that.");
  }
  const moves = script.commands.some(({ words }) => MOVES.has(words[0]?.text ?? ""));
  const here = { ...place, script: true, cwd: moves ? null : place.cwd };
  yield { kind: "script", script, place: here };
  const functions = new Set([...place.functions, ...script.functions]);
  for (const { words, redirects, operator } of script.commands) {
    const piped = /^\|&?$/.test(operator) || redirects.some((redirect) => redirect.operator.includes("<")) ||
      place.piped;
    yield* findCommands(words, { ...here, functions, piped, stdin: piped ? null : place.stdin });
  }
}

/** The program whose exit code a command reports: of a pipeline or a list the last one; "" when it depends. */
export function reportedProgram(words: readonly Word[]): string {
  const name = baseName(words[0]?.text ?? "");
  const command = readWrapped(name, words)?.command ?? [];
  if (command.length > 0) return reportedProgram(command);
  const source = SHELLS.has(name) ? sourceOf(words.slice(1)) : null;
  if (!source) return name;
  const { commands, compound } = readScript(source.text);
  return compound ? "" : reportedProgram(commands.filter(({ nested }) => !nested).at(-1)?.words ?? []);
}

const unknown = (what: string, reason: string): FoundCommands => ({ kind: "unknown", what, reason });
const unscripted = (place: Place): Place => ({ ...place, script: false });

function* insideWrapper(name: string, wrapped: Wrapped, place: Place): Generator<FoundCommands> {
  const { wrapper, options, before, command } = wrapped;
  yield { kind: "wrapper", name, wrapped, place };
  const [flag, line] = command;
  const lines = wrapper.shellOptions?.includes(flag?.text ?? "")
    ? [line]
    : options.filter((option) => wrapper.shellOptions?.includes(option.name)).map(({ value }) => value ?? undefined);
  for (const source of lines) yield* literalScript(name, source, place);
  if (lines.length > 0) return;
  const loose = before.find(({ single }) => !single);
  if (loose) yield unknown(`${name} ${loose.text}`, "an expansion before the command could become several words");
  const moved = options.some(({ name: option }) => option === "-C" || option.startsWith("--ch"));
  if (command.length === 0) return;
  yield* findCommands(wrapper.appends ? [...command, UNKNOWN_WORD] : command, {
    ...place,
    script: place.script && OF_THE_SHELL.has(name),
    ...wrapper.appends ? { piped: false, stdin: null } : {},
    cwd: moved ? null : place.cwd,
    project: place.project || wrapper.project === true,
  });
}

function* insideShell(name: string, words: readonly Word[], place: Place): Generator<FoundCommands> {
  const source = sourceOf(words), fresh = { ...place, functions: new Set<string>() };
  const { operands } = readShell(words), before = words.slice(0, words.length - operands.length + 1);
  const loose = before.find(({ literal }) => !literal);
  if (loose) yield unknown(`${name} ${loose.text}`, "what it runs is known only when it runs");
  if (source) yield* literalScript(name, source, fresh);
  else if (operands.length > 0) return;
  else if (place.stdin !== null) yield* findInScript(place.stdin, { ...fresh, piped: true, stdin: null });
  else if (place.piped) yield unknown(name, "it runs commands from its input");
}

function* insideBuiltin(name: string, words: readonly Word[], place: Place): Generator<FoundCommands> {
  // Of trap only the first word is code, and "-" or an option is not.
  const code = name === "trap" ? words.slice(0, 1).filter(({ text }) => !text.startsWith("-")) : words;
  const literal = code.every((word) => word.literal);
  yield* literalScript(name, { text: code.map(({ text }) => text).join(" "), literal, single: true }, place);
}

function* literalScript(name: string, source: Word | undefined, place: Place): Generator<FoundCommands> {
  if (source?.literal) yield* findInScript(source.text, place);
  else yield unknown(name, "the commands in it are known only when it runs");
}

/** The source behind `-c`. */
function sourceOf(words: readonly Word[]): Word | undefined {
  const { options, operands } = readShell(words);
  return options.some(({ name }) => name === "-c") ? operands[0] : undefined;
}

function readShell(words: readonly Word[]): ReturnType<typeof readOptions> {
  // `bash +e` turns an option off; its letters are read like those of `-e`.
  const minus = words.map((word) => /^\+[A-Za-z]/.test(word.text) ? { ...word, text: `-${word.text.slice(1)}` } : word);
  const valuedLong = ["--rcfile", "--init-file"];
  return readOptions(minus, { valued: "oO", valuedLong, stopsAtOperand: true, unabbreviated: true });
}

/** Every command in a find expression, `{}` replaced by an unknown word. */
function commandsOfFind(words: readonly Word[]): Word[][] {
  const commands: Word[][] = [];
  for (let index = 0; index < words.length; index++) {
    if (!RUNS.has(words[index]?.text ?? "")) continue;
    const command: Word[] = [];
    for (index++; index < words.length; index++) {
      const word = words[index];
      if (word === undefined || word.literal && word.text === ";") break;
      if (word.literal && word.text === "+" && words[index - 1]?.text.includes("{}")) break;
      const place = word.text.indexOf("{}");
      command.push(place < 0 ? word : { text: word.text.slice(0, place), literal: false, single: true });
    }
    commands.push(command);
  }
  return commands;
}

/** Where a command that a caller gave begins. */
export function outermost(cwd: string, stdin: string | null, identify: Place["identify"]): Place {
  return {
    cwd,
    script: false,
    functions: new Set(),
    piped: false,
    stdin,
    project: false,
    identify,
    depth: 0,
    budget: { left: MAX_SCRIPT_CHARS },
  };
}
