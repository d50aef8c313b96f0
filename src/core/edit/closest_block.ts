/** Finds the block of a text that is most similar to a wanted one, by shared bigrams, in linear time. @module */
import type { SlicedWork } from "./sliced.ts";

/** A block of whole lines, or a part of one very long line. */
export interface Closest {
  /** First and past-the-last index in the text. */
  readonly start: number;
  readonly end: number;
  /** 0 (nothing in common) to 1 (the same apart from white space and order). */
  readonly alike: number;
}

/** A line, or a piece of a line too long to be shown whole. */
interface Unit {
  readonly start: number;
  readonly end: number;
}

const LONG_LINE_CHARS = 400;
const PIECE_CHARS = 80;
/** Character pairs are counted in this many classes; a power of two. */
const CLASSES = 4096;
const UNITS_PER_STEP = 200;

/** Counts of character pairs, without white space: indentation must not decide what is alike. */
class PairCounts {
  readonly counts = new Int32Array(CLASSES);
  total = 0;

  /** Adds (`by` 1) or takes away (`by` -1) the pairs of a unit. Answers by how much the overlap with `wanted` changed. */
  change(text: string, { start, end }: Unit, by: 1 | -1, wanted: Int32Array): number {
    let previous = 0, gained = 0;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code <= 32) continue;
      const key = (previous * 31 + code) & (CLASSES - 1);
      previous = code;
      const count = this.counts[key] ?? 0;
      const limit = wanted[key] ?? 0;
      if (by === 1 ? count < limit : count <= limit) gained += by;
      this.counts[key] = count + by;
      this.total += by;
    }
    return gained;
  }
}

/**
 * Looks for the closest block; stops early when told so.
 *
 * @param text With LF line ends.
 * @returns null when the text has nothing in common with the wanted block.
 */
export function* findClosest(text: string, wanted: string): SlicedWork<Closest | null> {
  const none = new Int32Array(CLASSES);
  const target = new PairCounts();
  for (const unit of cutUnits(wanted, 0, wanted.length)) target.change(wanted, unit, 1, none);
  if (target.total === 0) return null;
  const window = new PairCounts();
  const units: Unit[] = [];
  let first = 0, overlap = 0, steps = 0;
  let best: Closest | null = null;
  for (const unit of cutUnits(text, 0, text.length)) {
    units.push(unit);
    overlap += window.change(text, unit, 1, target.counts);
    // The shortest window that ends here and is at least as long as what is wanted.
    for (let oldest = units[first]; oldest !== undefined && first < units.length - 1; oldest = units[first]) {
      const lost = window.change(text, oldest, -1, target.counts);
      if (window.total < target.total) {
        window.change(text, oldest, 1, target.counts);
        break;
      }
      overlap += lost;
      first++;
    }
    const alike = 2 * overlap / (target.total + window.total);
    if (alike > (best?.alike ?? 0)) best = { start: units[first]?.start ?? 0, end: unit.end, alike };
    if (++steps % UNITS_PER_STEP === 0 && (yield)) break;
  }
  return best === null ? null : trimmed(text, best, target);
}

/** Drops outer units as long as that makes the block more alike. */
function trimmed(text: string, found: Closest, target: PairCounts): Closest {
  const units = [...cutUnits(text, found.start, found.end)];
  const window = new PairCounts();
  let overlap = 0;
  for (const unit of units) overlap += window.change(text, unit, 1, target.counts);
  let best = found;
  for (let going = true; going && units.length > 1;) {
    going = false;
    for (const at of [0, -1]) {
      const unit = units.at(at);
      if (unit === undefined || units.length < 2) break;
      const lost = window.change(text, unit, -1, target.counts);
      const alike = 2 * (overlap + lost) / (target.total + window.total);
      if (alike < best.alike) {
        window.change(text, unit, 1, target.counts);
        continue;
      }
      overlap += lost;
      units.splice(at, 1);
      best = { start: units[0]?.start ?? found.start, end: units.at(-1)?.end ?? found.end, alike };
      going = true;
    }
  }
  return best;
}

function* cutUnits(text: string, from: number, to: number): Generator<Unit> {
  for (let start = from; start < to;) {
    const at = text.indexOf("\n", start);
    const end = at < 0 || at > to ? to : at;
    if (end - start <= LONG_LINE_CHARS) yield { start, end };
    else {for (let piece = start; piece < end; piece += PIECE_CHARS) {
        yield { start: piece, end: Math.min(end, piece + PIECE_CHARS) };
      }}
    start = end + 1;
  }
}
