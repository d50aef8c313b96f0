/** Splits names and texts into words: identifiers are split, suffixes are stemmed. @module */
import { stemmer } from "stemmer";

const BORDERS = /([a-z0-9])([A-Z])/g, ACRONYM_BORDERS = /([A-Z]+)([A-Z][a-z])/g;
const PLAIN = /[a-z]{2,}|[0-9]+/g;
/** Letters of any script; one ideograph or syllable can be a word. */
const ANY = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}]{2,}|\p{N}+/gu;
const MARKS = /\p{M}/gu;
/** Longer runs of letters are data, not words. */
const LONGEST_WORD = 40;
// deno-lint-ignore no-control-regex -- the ASCII range is what is meant
const ASCII = /^[\x00-\x7f]*$/;

/** Takes a text apart: `parseHTTPHeader_v2` is parse, http, header, 2. */
export function splitWords(text: string): string[] {
  const spaced = text.replace(BORDERS, "$1 $2").replace(ACRONYM_BORDERS, "$1 $2");
  const found = ASCII.test(spaced)
    ? spaced.toLowerCase().match(PLAIN)
    : spaced.replace(/ß/g, "ss").normalize("NFKD").replace(MARKS, "").toLowerCase().match(ANY);
  return found?.filter((word) => word.length <= LONGEST_WORD) ?? [];
}

/** Gives words their stem, remembering those it has seen. */
export interface Stems {
  stem(word: string): string;
  /** Stems of all words of a text, in order. */
  of(text: string): string[];
}

/** Words remembered at most; a repository has some 30,000. */
const MOST_REMEMBERED = 60_000;

/** Makes the stemmer. */
export function makeStems(): Stems {
  let known = new Map<string, string>();
  const stem = (word: string): string => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (known.size >= MOST_REMEMBERED) known = new Map();
    const made = /^[a-z]/.test(word) ? stemmer(word) : word;
    known.set(word, made);
    return made;
  };
  return { stem, of: (text) => splitWords(text).map(stem) };
}

/** Words of a question that say nothing about what is looked for, in the languages that questions come in. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an the of to in on for and or is are be with by from that this it its as at if not return returns will can whether " +
    "into when which used use set get given all any does do only has was then than but so where how what who why there i " +
    "my we you your our their they he she " +
    "der die das den dem des ein eine einen einem einer und oder ist sind wird werden mit von vom zum zur fur auf im " +
    "wo wie was wer wann warum welche welcher welches nicht wenn sich es wir ich").split(" "),
);
