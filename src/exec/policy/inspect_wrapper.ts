/** Looks at programs whose arguments are commands: wrappers and shells. @module */
import { checkEnv } from "./env_rules.ts";
import type { Input, Inspected, Inspection, Place } from "./inspect_command.ts";
import { UNKNOWN_WORD } from "./inspect_find.ts";
import { refuse } from "./refusal.ts";
import { readArguments, type Word } from "./words.ts";
import type { Wrapper } from "./wrappers.ts";

/** Checks a wrapper, and the command in it. @throws OpsError COMMAND_NOT_ALLOWED, INVALID_PATH */
export async function inspectWrapper(
  name: string,
  wrapper: Wrapper,
  words: readonly Word[],
  place: Place,
  inspection: Inspection,
): Promise<Inspected> {
  const { options, operands } = readArguments(words, wrapper);
  for (const { name: option, value } of options) {
    // Any beginning of a long option is the option.
    if (wrapper.refused?.some((ruled) => ruled.startsWith(option))) {
      throw refuse(`${name} ${option}`, "it takes a command apart in a way of its own");
    }
    if (value && wrapper.paths?.includes(option)) await inspection.paths.check(value, place.cwd);
    if (wrapper.shellOptions?.includes(option)) await inspectLiteralScript(name, value, place, inspection);
  }
  const command = await skipToCommand(name, wrapper, operands, place, inspection);
  const unclear = words.slice(0, words.length - command.length).find(({ single }) => !single);
  if (unclear) {
    throw refuse(
      `${name} ${unclear.text}`,
      "an expansion before the command could be any number of words",
      "Quote it.",
    );
  }
  if (wrapper.appends) command.push(UNKNOWN_WORD);
  if (command.length === 0 || wrapper.appends && command.length === 1) {
    if (!wrapper.optional) throw refuse(name, "it needs a command");
    return { class: "read", program: name };
  }
  const moved = options.some(({ name: option }) => option === "-C" || option.startsWith("--ch"));
  const input: Input = wrapper.appends ? { kind: "nothing" } : place.input;
  const inner = await inspection.inspector.command(command, {
    ...place,
    input,
    cwd: moved ? null : place.cwd,
    script: name === "time" && place.script,
  });
  // Words that come from its input were not looked at.
  return wrapper.appends ? { class: "code", program: inner.program } : inner;
}

/** What stands between a wrapper's options and the command: operands, assignments, a shell's `-c`. */
async function skipToCommand(
  name: string,
  wrapper: Wrapper,
  operands: readonly Word[],
  place: Place,
  inspection: Inspection,
): Promise<Word[]> {
  let index = wrapper.skip;
  for (; wrapper.assignments; index++) {
    const word = operands[index];
    const equals = word?.text.indexOf("=") ?? -1;
    if (word === undefined || equals <= 0) break;
    const value = word.literal ? word.text.slice(equals + 1) : null;
    for (const entry of checkEnv({ name: word.text.slice(0, equals), value, exported: true }, inspection.confined)) {
      await inspection.paths.check({ text: entry, literal: true }, place.cwd);
    }
  }
  const command = operands.slice(index);
  const [flag, line] = command;
  if (wrapper.shellOptions && flag && wrapper.shellOptions.includes(flag.text)) {
    await inspectLiteralScript(name, line ?? null, place, inspection);
    return [];
  }
  return command;
}

async function inspectLiteralScript(
  name: string,
  word: Word | null,
  place: Place,
  { inspector }: Inspection,
): Promise<void> {
  if (!word?.literal) throw refuse(name, "the commands in it must be literal");
  await inspector.script(word.text, place);
}

/** Checks a shell: the script after `-c`, a file, or what it reads. @throws OpsError COMMAND_NOT_ALLOWED, INVALID_PATH */
export async function inspectShell(
  name: string,
  words: readonly Word[],
  place: Place,
  { inspector, paths }: Inspection,
): Promise<Inspected> {
  const { options, operands } = readArguments(words.map(plusAsMinus), {
    valued: "oO",
    valuedLong: ["--rcfile", "--init-file"],
    stopsAtOperand: true,
    unabbreviated: true,
  });
  const unknown = words.slice(0, words.length - operands.length + 1).find(({ literal }) => !literal);
  if (unknown) throw refuse(`${name} ${unknown.text}`, "its options, and what it runs, must be literal");
  for (const { name: option, value } of options) {
    if (value && (option === "--rcfile" || option === "--init-file")) await paths.check(value, place.cwd);
  }
  const [first] = operands;
  if (options.some(({ name: option }) => option === "-c")) {
    if (first === undefined) throw refuse(`${name} -c`, "a script is needed");
    return await inspector.script(first.text, { ...place, functions: new Set() });
  }
  if (first !== undefined && !options.some(({ name: option }) => option === "-s")) {
    if (!await paths.isScript(first.text, place.cwd)) {
      throw refuse(`${name} ${first.text}`, "there is no such file here, and it would be looked for on PATH");
    }
    await paths.check(first, place.cwd);
    return { class: "code", program: name };
  }
  if (place.input.kind === "text") {
    return await inspector.script(place.input.text, { ...place, functions: new Set(), input: { kind: "unknown" } });
  }
  if (place.input.kind === "unknown") {
    throw refuse(
      name,
      "it would run commands from its input, which nobody looked at",
      `Give them as ${name} -c '…' or as a file.`,
    );
  }
  return { class: "code", program: name };
}

/** `bash +e` turns an option off; its letters are read like those of `-e`. */
const plusAsMinus = (word: Word): Word =>
  /^\+[A-Za-z]/.test(word.text) ? { ...word, text: `-${word.text.slice(1)}` } : word;
