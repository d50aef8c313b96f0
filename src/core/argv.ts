/**
 * Splits a command line into words as a POSIX shell would, or reports the part that only a shell can handle; quotes words.
 * @module
 */
import { readScript } from "./shell/script.ts";

/** A command line taken apart. */
export type Split =
  /** Plain: these are the arguments, quotes removed. */
  | { readonly kind: "plain"; readonly words: readonly string[] }
  /** Only a shell can run it, because this means something to a shell. */
  | { readonly kind: "shell"; readonly token: string }
  /** No shell would accept it. */
  | { readonly kind: "broken"; readonly reason: string };

/** Splits a command line. Nothing is expanded; a line that needs a shell is not split at all. */
export function splitCommand(line: string): Split {
  const { commands: [command], special, fault } = readScript(line.replace(/^[ \t\r\n]+/, "").replace(/[\r\n]+$/, ""));
  // A shell says better what is wrong with its own syntax.
  if (special !== "") return { kind: "shell", token: special };
  if (fault !== null) return { kind: "broken", reason: fault };
  return command ? { kind: "plain", words: command.words.map(({ text }) => text) } : {
    kind: "broken",
    reason: "it is empty",
  };
}

/** The word itself where no shell would take it apart, else in single quotes. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
