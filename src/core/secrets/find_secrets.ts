/** Finds secrets of known formats in a text, in time linear in its length. @module */
import { once } from "../once.ts";
import { type Format, type Match, matchFormat, readFormats, wordEnd } from "./formats.ts";
import { type LiteralIndex, makeLiteralIndex } from "./literal_index.ts";
import { findKeyLines, KEY_START } from "./private_key.ts";

/** Looks at one place; an empty list when it does not find a secret. */
type Look = (text: string, at: number, anchor: string, effort: Effort) => readonly Match[];

/** What may still be spent on a text. */
interface Effort {
  characters: number;
}

/** Characters that are looked at for each character of a text; past that, a word that begins like a secret counts as one. */
const EFFORT_PER_CHARACTER = 8, LEAST_EFFORT = 200_000;
/** What is then masked of a key or an address. */
const UNSEEN_CHARS = 512;
/** A shorter start of a format says nothing where the rest was cut off. */
const TELLING_ANCHOR = 4;
/** What follows, or comes before, the part of a line that is shown; see bound.ts. */
const CUT_AFTER = "…[+", CUT_BEFORE = "]…", CUT_OUT = "left out]\n";
/** `://user:password@`. */
const URL_PASSWORD = /:\/\/[^\s/:@"'<>`\\]{0,128}:([^\s@/"'<>`\\]{3,256})@/y;
/** What documents write in place of a password, and what a program puts in later. */
const NO_PASSWORD =
  /^(?:[${<%[*].*|\*+|x+|\.+|(?:my|your|the)?[-_]?(?:pass(?:word|wd)?|pwd|pw|secret|token|key)|user(?:name)?|example|test|foo|bar|root|postgres|admin)$/i;
/** A part of a word that looks like chance: letters and digits, long. */
const CUT_REST = /(?:\]…|left out\]\n)((?=[\w+/=-]{0,80}[0-9])(?=[\w+/=-]{0,80}[A-Za-z])[\w+/=-]{16,2000})/g;

/** Secrets in a text, from left to right, not overlapping. */
export function findSecrets(text: string): readonly Match[] {
  const found: Match[] = [];
  const effort = { characters: LEAST_EFFORT + EFFORT_PER_CHARACTER * text.length };
  looks().scan(text, (at, anchor, look) => {
    const matches = look(text, at, anchor, effort), last = matches.at(-1);
    found.push(...matches);
    return last ? Math.max(last.end, at + 1) : null;
  });
  return text.includes(CUT_BEFORE) || text.includes(CUT_OUT) ? withCutRests(text, found) : found;
}

const looks = once((): LiteralIndex<Look> => {
  const index = makeLiteralIndex<Look>(), byAnchor = new Map<string, Format[]>();
  for (const format of readFormats()) {
    for (const anchor of format.anchors) byAnchor.set(anchor, [...byAnchor.get(anchor) ?? [], format]);
  }
  for (const [anchor, formats] of byAnchor) {
    index.add(anchor, (text, at, _, effort) => lookForFormats(text, at, anchor, formats, effort));
  }
  index.add("://", (text, at, _, effort) => lookForPassword(text, at, effort));
  index.add(KEY_START, (text, at, _, effort) => lookForKey(text, at, effort));
  return index;
});

function lookForFormats(
  text: string,
  at: number,
  anchor: string,
  formats: readonly Format[],
  effort: Effort,
): readonly Match[] {
  const end = wordEnd(text, at), [first] = formats;
  if (first === undefined) return [];
  const asWhole = (): readonly Match[] => [{ start: at, end, name: first.name }];
  if (effort.characters < 0) return asWhole();
  effort.characters -= (end - at) * formats.length;
  for (const format of formats) {
    const match = matchFormat(text, at, format);
    if (match) return [match];
  }
  const isCut = anchor.length >= TELLING_ANCHOR && text.startsWith(CUT_AFTER, end) && end - at > anchor.length;
  return isCut ? asWhole() : [];
}

function lookForKey(text: string, at: number, effort: Effort): readonly Match[] {
  if (effort.characters < 0) return [{ start: at, end: Math.min(text.length, at + UNSEEN_CHARS), name: "PRIVATE_KEY" }];
  const { matches, looked } = findKeyLines(text, at);
  effort.characters -= looked;
  return matches;
}

function lookForPassword(text: string, at: number, effort: Effort): readonly Match[] {
  if (effort.characters < 0) return [{ start: at, end: Math.min(text.length, at + UNSEEN_CHARS), name: "PASSWORD" }];
  effort.characters -= wordEnd(text, at) - at;
  URL_PASSWORD.lastIndex = at;
  const [whole, password] = URL_PASSWORD.exec(text) ?? [];
  if (whole === undefined || password === undefined || NO_PASSWORD.test(password)) return [];
  const end = at + whole.length - 1;
  return [{ start: end - password.length, end, name: "PASSWORD" }];
}

/** Of a secret of which only the end is shown, nothing tells the format. */
function withCutRests(text: string, found: readonly Match[]): readonly Match[] {
  const rests = [...text.matchAll(CUT_REST)].map(({ index, 0: whole, 1: rest = "" }) => {
    const end = index + whole.length;
    return { start: end - rest.length, end, name: "CUT" };
  });
  const others = rests.filter(({ start, end }) => !found.some((match) => match.start < end && start < match.end));
  return others.length === 0 ? found : [...found, ...others].sort((one, other) => one.start - other.start);
}
