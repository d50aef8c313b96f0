/** Looks at the shell's own commands inside a script. @module */
import { BUILTINS } from "./builtins.ts";
import { checkEnv } from "./env_rules.ts";
import type { Inspection, Place } from "./inspect_command.ts";
import { refuse, refuseUnconfined } from "./refusal.ts";
import { literals, readArguments, type Word } from "./words.ts";

/** Checks one builtin; returns the program whose exit code it reports. @throws OpsError COMMAND_NOT_ALLOWED, INVALID_PATH */
export async function inspectBuiltin(
  name: string,
  words: readonly Word[],
  place: Place,
  inspection: Inspection,
): Promise<string> {
  const builtin = BUILTINS[name] ?? "free";
  if (typeof builtin === "object") throw refuse(name, builtin.refused);
  switch (builtin) {
    case "free":
      // `printf -v PATH` and `wait -p PATH` set a variable as well.
      if (name === "let") {
        checkNames(
          name,
          words.flatMap(({ text }) => literals(text.match(/[A-Za-z_]\w*/g) ?? [])),
          inspection.confined,
        );
      }
      if (/^-[vp]$/.test(words[0]?.text ?? "")) checkNames(name, words.slice(1, 2), inspection.confined);
      break;
    case "inner":
      return await inspectInner(name, words, place, inspection);
    case "script":
      await inspectSource(name, words, place, inspection);
      break;
    case "source":
      await inspectFile(name, words[0], place, inspection);
      break;
    case "directory":
      for (const word of words) if (!word.text.startsWith("-")) await inspection.paths.check(word, place.cwd);
      break;
    case "names":
      if (name === "unset" && place.functions.size > 0) checkUnset(words, place.functions);
      checkNames(name, words, inspection.confined);
  }
  return name;
}

async function inspectFile(name: string, file: Word | undefined, place: Place, inspection: Inspection): Promise<void> {
  if (!file?.literal) throw refuse(name, "the file that it runs must be named literally");
  // Without a slash the shell looks along PATH first, where nothing begins with a dot.
  if (!/^\.|\//.test(file.text)) {
    throw refuse(`${name} ${file.text}`, "it would be looked for on PATH", `Write ./${file.text}`);
  }
  if (!inspection.confined) throw refuseUnconfined(name, "it runs a script that nobody looked at");
  await inspection.paths.check(file, place.cwd);
}

async function inspectInner(
  name: string,
  words: readonly Word[],
  place: Place,
  { inspector }: Inspection,
): Promise<string> {
  const { options, operands } = readArguments(words, { valued: name === "exec" ? "a" : "", stopsAtOperand: true });
  const asks = options.some(({ name: option }) => option === "-v" || option === "-V");
  if (asks || operands.length === 0) return name;
  return (await inspector.command(operands, place)).program;
}

async function inspectSource(
  name: string,
  words: readonly Word[],
  place: Place,
  { inspector }: Inspection,
): Promise<void> {
  // Of trap only the first word is code, and "-" or an option is none.
  const code = name === "trap" ? words.slice(0, 1).filter(({ text }) => !text.startsWith("-")) : words;
  if (code.some(({ literal }) => !literal)) throw refuse(name, "the commands in it must be literal");
  const source = code.map(({ text }) => text).join(" ");
  if (source.trim() !== "") await inspector.script(source, place);
}

/** A function that is no more leaves its name to a program; `unset` takes functions where there is no such variable. */
function checkUnset(words: readonly Word[], functions: ReadonlySet<string>): void {
  const word = words.find(({ text, literal }) => !literal || functions.has(text));
  if (word) throw refuse(`unset ${word.text}`, "a function's name would mean a program again");
}

/** Variables that a builtin sets: `read PATH` is an assignment too. */
function checkNames(name: string, words: readonly Word[], confined: boolean): void {
  const exported = name === "export" || words.some(({ text }) => /^-[a-z]*x/.test(text));
  for (const { text, literal } of words) {
    const fault = text.startsWith("-") ? faultOfOption(name, text) : null;
    if (fault) throw refuse(`${name} ${text}`, fault);
    const variable = text.match(/^([A-Za-z_][A-Za-z0-9_]*)(?:\[|\+?=|$)/)?.[1];
    const value = literal && text.includes("=") ? text.slice(text.indexOf("=") + 1) : null;
    if (variable !== undefined) checkEnv({ name: variable, value, exported }, confined);
  }
}

function faultOfOption(name: string, option: string): string | null {
  if (/^(?:declare|typeset|local)$/.test(name) && /n/.test(option)) return "it gives a variable another name";
  if (/^(?:mapfile|readarray)$/.test(name) && /C/.test(option)) return "it runs a command for each line";
  if (name === "unset" && /f/.test(option)) return "a function's name would mean a program again";
  return null;
}
