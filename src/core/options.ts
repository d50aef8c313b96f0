/** Reads the arguments of a program as the program itself does: options, their values, operands. @module */
import type { ShellWord } from "./shell/word.ts";

/** One argument. Of one that the shell will expand, only what stands before the expansion is known. */
export type Word = ShellWord;

/** How a program reads its arguments, as far as the rules depend on it. */
export interface Syntax {
  /** Short options that take a value, as letters: joined (`-ofile`) or in the next word. */
  readonly valued?: string;
  /** Long options that take their value from the next word when it is not joined with `=`. */
  readonly valuedLong?: readonly string[];
  /** Long options that exist and are the beginning of a refused one. */
  readonly exact?: readonly string[];
  /** Long options may not be shortened. */
  readonly unabbreviated?: boolean;
  /** Options are whole words with one dash (`-exec`), and operands come before them. */
  readonly wholeWords?: boolean;
  /** A first word without a dash is a cluster of options whose values follow in order (`tar cf a.tar`). */
  readonly oldStyle?: boolean;
  /** Options end at the first operand: what follows belongs to another program. */
  readonly stopsAtOperand?: boolean;
}

/** An option as it was given. */
export interface Option {
  /** `-x` or `--name`, without its value. */
  readonly name: string;
  readonly value: Word | null;
}

/** Arguments taken apart. */
export interface Arguments {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
}

/** Literal words. */
export const literals = (texts: readonly string[]): Word[] =>
  texts.map((text) => ({ text, literal: true, single: true }));

/** Takes arguments (without the program's name) apart, in the way of getopt_long. */
export function readOptions(words: readonly Word[], syntax: Syntax): Arguments {
  if (syntax.wholeWords) return readWholeWords(words);
  const options: Option[] = [], operands: Word[] = [];
  const first = words[0];
  const old = syntax.oldStyle && first && !first.text.startsWith("-") ? readOldStyle(first, words, syntax) : null;
  if (old) options.push(...old.options);
  for (let index = old ? old.end : 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (text === "--" && word.literal) {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      if (syntax.stopsAtOperand) {
        operands.push(...words.slice(index));
        break;
      }
      operands.push(word);
      continue;
    }
    const next = words[index + 1] ?? null;
    const taken = text.startsWith("--") ? readLong(word, next, syntax) : readCluster(word, next, syntax);
    options.push(...taken.options);
    if (taken.usedNext) index++;
  }
  return { options, operands };
}

/** Starting points of find stand between its few leading options and its expression. */
function readWholeWords(words: readonly Word[]): Arguments {
  const rest = words.slice(leadingOptions(words));
  const begins = rest.findIndex(beginsExpression);
  const operands = rest.slice(0, begins < 0 ? undefined : begins);
  const options = words.flatMap(({ text }, index) =>
    text.startsWith("-") ? [{ name: text, value: words[index + 1] ?? null }] : []
  );
  return { options, operands };
}

/** How many words they are; `--` ends them and is one of them. */
function leadingOptions(words: readonly Word[]): number {
  for (let index = 0;; index++) {
    const text = words[index]?.text ?? "";
    if (text === "--") return index + 1;
    if (text === "-D") index++; // with its value
    else if (!/^-(?:[HLP]$|O)/.test(text)) return index;
  }
}

/** As find itself decides: `-` and `!x` are names of files. */
function beginsExpression({ text }: Word): boolean {
  return text === "(" || text === "!" || text.startsWith("-") && text.length > 1;
}

function readOldStyle(
  first: Word,
  words: readonly Word[],
  { valued = "" }: Syntax,
): { options: readonly Option[]; end: number } {
  let end = 1;
  const options = [...first.text].map((letter) => ({
    name: `-${letter}`,
    value: valued.includes(letter) ? words[end++] ?? null : null,
  }));
  const flags = new Set<string>(); // one letter a hundred thousand times says no more than once
  return { options: options.filter(({ name, value }) => value !== null || !flags.has(name) && flags.add(name)), end };
}

interface Taken {
  readonly options: readonly Option[];
  readonly usedNext: boolean;
}

function readLong(word: Word, next: Word | null, { valuedLong = [] }: Syntax): Taken {
  const equals = word.text.indexOf("=");
  if (equals > 0) {
    const value = { ...word, text: word.text.slice(equals + 1) };
    return { options: [{ name: word.text.slice(0, equals), value }], usedNext: false };
  }
  const usedNext = next !== null && valuedLong.some((name) => matchesLong(word.text, name));
  return { options: [{ name: word.text, value: usedNext ? next : null }], usedNext };
}

function readCluster(word: Word, next: Word | null, { valued = "" }: Syntax): Taken {
  const options: Option[] = [], flags = new Set<string>();
  for (let index = 1; index < word.text.length; index++) {
    const letter = word.text.charAt(index);
    if (!valued.includes(letter)) {
      if (!flags.has(letter)) options.push({ name: `-${letter}`, value: null });
      flags.add(letter);
      continue;
    }
    const rest = word.text.slice(index + 1);
    const joined = rest !== "" || !word.literal;
    options.push({ name: `-${letter}`, value: joined ? { ...word, text: rest } : next });
    return { options, usedNext: !joined && next !== null };
  }
  return { options, usedNext: false };
}

/** Whether what was typed is a long option or a beginning of it. */
const matchesLong = (typed: string, name: string): boolean =>
  typed === name || typed.length > 3 && name.startsWith(typed);

/** Whether an option that was given is the one that a rule names; GNU programs take any unambiguous beginning. */
export function isOption(given: string, ruled: string, { exact = [], unabbreviated = false }: Syntax): boolean {
  if (given === ruled) return true;
  if (!given.startsWith("--") || !ruled.startsWith("--") || unabbreviated) return false;
  return ruled.startsWith(given) && !exact.includes(given);
}
