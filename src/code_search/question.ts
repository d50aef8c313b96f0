/** Parses a question into words, names and paths. @module */
import type { Thesaurus } from "./thesaurus.ts";
import { type QuestionKind, questionKind } from "./question_kind.ts";
import { splitWords, type Stems, STOP_WORDS } from "./words.ts";

/** One word that is looked for. */
export interface Term {
  readonly stem: string;
  /** Words that names have for it. */
  readonly related: readonly string[];
}

/** A question taken apart. */
export interface Question {
  /** Distinct words that say something, in order. */
  readonly terms: readonly Term[];
  /** All words in order, as stems: to find a quotation. */
  readonly sequence: readonly string[];
  /** Names as typed, with how much each tells: `Foo.bar` also gives `bar`, and `Foo`. */
  readonly names: ReadonlyMap<string, number>;
  /** Whether the whole question is one name or path. */
  readonly isName: boolean;
  /** What kind of answer it asks for. */
  readonly kind: QuestionKind;
  /** What looks like a path of a file, lower case. */
  readonly paths: readonly string[];
}

/** More of a question says nothing more. */
const MOST_CHARS = 4_000, MOST_TERMS = 40, MOST_NAMES = 8;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#|\/)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const QUALIFIERS = /\.|::|->|#|\//;
/** A word that is put together as names are, not as prose is. */
const STRUCTURED = /[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|_|\$|::|->|\w\.\w|\w#\w/;
const PATH = /[\w@.-]+(?:\/[\w@.-]+)+|[\w-]+\.[a-z]{1,4}\b/gi;
const SOLE_NAME = /^\s*["'`]?[@$]?[\w$]+(?:(?:\.|::|->|#|-|\/)[\w$]+)*\(?\)?["'`]?\s*$/;

/** What the last part of a qualified name tells, and what its qualifiers do. */
const LAST_PART = 0.8, QUALIFIER = 0.3;

function namesOf(found: readonly string[]): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  const put = (name: string, weight: number) => {
    const known = names.get(name);
    if (known !== undefined || (name.length > 1 && names.size < MOST_NAMES)) {
      names.set(name, Math.max(weight, known ?? 0));
    }
  };
  for (const name of found) {
    const parts = name.split(QUALIFIERS);
    put(name, 1);
    if (parts.length > 1) {
      for (const [at, part] of parts.entries()) put(part, at < parts.length - 1 ? QUALIFIER : LAST_PART);
    }
  }
  return names;
}

/** Takes a question apart; anything at all is a question. */
export function readQuestion(q: string, stems: Stems, thesaurus: Thesaurus): Question {
  const text = q.slice(0, MOST_CHARS);
  const words = splitWords(text);
  const said = words.filter((word) => !STOP_WORDS.has(word));
  const kept = new Set((said.length > 0 ? said : words).map(stems.stem));
  const terms = [...kept].slice(0, MOST_TERMS).map((stem) => ({
    stem,
    related: [...thesaurus.get(stem) ?? []].filter((word) => !kept.has(word)),
  }));
  const isName = SOLE_NAME.test(text);
  const found = (text.match(NAME) ?? []).filter((name) => isName || STRUCTURED.test(name));
  return {
    terms,
    sequence: words.slice(0, MOST_TERMS).map(stems.stem),
    names: namesOf(found),
    isName,
    kind: questionKind(text, isName),
    paths: (text.match(PATH) ?? []).map((path) => path.toLowerCase().replace(/^(?:\.{1,2}\/)+/, "")).slice(0, 4),
  };
}
