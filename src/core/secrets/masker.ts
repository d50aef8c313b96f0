/** Replaces secrets by placeholders and placeholders by secrets. @module */
import type { FileValue } from "./file_values.ts";
import { findSecrets } from "./find_secrets.ts";
import type { Match } from "./formats.ts";
import { type LiteralIndex, makeLiteralIndex } from "./literal_index.ts";
import { mapTexts } from "../map_texts.ts";
import { makePlaceholders, PLACEHOLDER } from "./placeholders.ts";

/** Masks what is shown, and gives back what was masked. */
export interface Masker {
  /** The text with every secret replaced; the same string where there is none. */
  mask(text: string): string;
  /** A copy with {@link mask} applied to every text in it; the same value where nothing changed. */
  maskValue<T>(value: T): T;
  /** A copy with every placeholder replaced by its secret; calls back with those that were never given out. */
  revealValue<T>(value: T, unknown: (placeholder: string) => void): T;
  /** Takes over what the files hold now. @param shown Values that are not masked, whatever they look like. */
  learn(hidden: readonly FileValue[], shown: readonly FileValue[]): void;
}

/** Makes a masker that knows formats only. */
export function makeMasker(): Masker {
  const placeholders = makePlaceholders();
  let values: LiteralIndex<FileValue> | null = null;
  let names: LiteralIndex<FileValue> | null = null;
  let shown: ReadonlySet<string> = new Set();

  const replace = (text: string, matches: readonly (Match & { isKnown?: boolean })[]): string => {
    let result = "", from = 0;
    for (const { start, end, name, isKnown } of matches) {
      const value = text.slice(start, end);
      if (start < from || shown.has(value)) continue;
      result += text.slice(from, start) + placeholders.of(name, value, isKnown === true);
      from = end;
    }
    return from === 0 ? text : result + text.slice(from);
  };

  const mask = (text: string): string => {
    if (text.length < 4) return text;
    const inFiles = [...valuesIn(text, values), ...assignedIn(text, names)].sort((one, other) =>
      one.start - other.start
    );
    const known = replace(text, inFiles);
    return replace(known, findSecrets(known));
  };

  return {
    mask,
    maskValue: (value) => mapTexts(value, mask),
    revealValue: (value, unknown) =>
      mapTexts(value, (text) =>
        text.replace(PLACEHOLDER, (whole, name: string) => {
          const secret = placeholders.valueOf(name);
          if (secret === undefined) unknown(whole);
          return secret ?? whole;
        })),
    learn(hidden, visible) {
      shown = new Set(visible.map(({ value }) => value));
      const own = hidden.filter(({ value }) => !shown.has(value));
      values = indexOf(own.filter(({ isCommon }) => !isCommon), ({ value }) => value);
      names = indexOf(own.filter(({ isCommon, name }) => isCommon && name.length > 2), ({ name }) => name);
    },
  };
}

function indexOf(
  all: readonly FileValue[],
  literalOf: (value: FileValue) => string,
): LiteralIndex<FileValue> | null {
  if (all.length === 0) return null;
  const index = makeLiteralIndex<FileValue>();
  for (const value of all) index.add(literalOf(value), value);
  return index;
}

function valuesIn(text: string, index: LiteralIndex<FileValue> | null): (Match & { isKnown: boolean })[] {
  const found: (Match & { isKnown: boolean })[] = [];
  index?.scan(text, (start, { length }, { name }) => {
    found.push({ start, end: start + length, name, isKnown: true });
    return start + length;
  });
  return found;
}

const BETWEEN = /["']?\s{0,8}(?:=>|[=:])\s{0,8}["']?/y;

/** Values that are common words, behind the names of their variables. */
function assignedIn(text: string, index: LiteralIndex<FileValue> | null): (Match & { isKnown: boolean })[] {
  const found: (Match & { isKnown: boolean })[] = [];
  index?.scan(text, (at, { length }, { name, value }) => {
    BETWEEN.lastIndex = at + length;
    if (!BETWEEN.test(text) || !text.startsWith(value, BETWEEN.lastIndex)) return null;
    const start = BETWEEN.lastIndex, end = start + value.length;
    if (/[\w-]/.test(text.charAt(end))) return null;
    found.push({ start, end, name, isKnown: true });
    return end;
  });
  return found;
}
