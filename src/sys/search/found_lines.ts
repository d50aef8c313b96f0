/** Merges matching lines and their context into hits. @module */
import { cutAround } from "../../core/bound.ts";
import type { ContentHit } from "./search.ts";

/** Characters of a line that a hit shows. */
const MAX_HIT_CHARS = 240;

/** One line of a file, as a search saw it. */
export interface FoundLine {
  /** Counted from 1. */
  readonly number: number;
  /** Number of its last line, where a match spans several. */
  readonly lastNumber: number;
  readonly isMatch: boolean;
  readonly text: string;
}

/** Where a match lies in a line, in characters. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A line as a hit shows it: cut around the match when it is long. @param match Asked only then. */
export function shownLine(text: string, match: () => Span): string {
  if (text.length <= MAX_HIT_CHARS) return text;
  const { start, end } = match();
  return cutAround(text, start, end, MAX_HIT_CHARS);
}

/** For lines that are shown from their start. */
export const AT_START = (): Span => ({ start: 0, end: 0 });

/** Hits of one file. @param lines Matches and their surroundings, by rising number. */
export function assembleHits(path: string, lines: readonly FoundLine[], contextLines: number): ContentHit[] {
  const hits: ContentHit[] = [];
  for (const [index, { isMatch, number, lastNumber, text }] of lines.entries()) {
    if (!isMatch) continue;
    const near = lines.slice(Math.max(0, index - contextLines), index + contextLines + 1);
    hits.push({
      path,
      line: number,
      text,
      before: near.filter((line) => line.number < number && line.number >= number - contextLines).map(textOf),
      after: near.filter((line) => line.number > lastNumber && line.number <= lastNumber + contextLines).map(textOf),
    });
  }
  return hits;
}

function textOf({ text }: FoundLine): string {
  return text;
}
