/** The commands that find runs for what it finds. @module */
import type { Word } from "./words.ts";

const RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** What find puts in for `{}`, or what xargs appends: known only at run time. */
export const UNKNOWN_WORD: Word = { text: "", literal: false, single: true };

/** Every command in a find expression, `{}` replaced by an unknown word. */
export function commandsOfFind(words: readonly Word[]): readonly (readonly Word[])[] {
  const commands: Word[][] = [];
  for (let index = 0; index < words.length; index++) {
    if (!RUNS.has(words[index]?.text ?? "")) continue;
    const command: Word[] = [];
    while (++index < words.length) {
      const word = words[index];
      if (word === undefined || word.literal && word.text === ";") break;
      if (word.literal && word.text === "+" && words[index - 1]?.text.includes("{}")) break;
      command.push(
        word.text.includes("{}")
          ? { text: word.text.slice(0, word.text.indexOf("{}")), literal: false, single: true }
          : word,
      );
    }
    commands.push(command);
  }
  return commands;
}
