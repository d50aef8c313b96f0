/**
 * Locates a hunk in a text: at its line number, else nearest to it, with less and less context, never by guessing.
 * @module
 */
import type { Hunk, HunkLine } from "./hunk.ts";
import { keyOf, type LineLookup, nearestFirst } from "./line_lookup.ts";

/** How exactly old lines fit: to the byte, but for line ends, but for blanks at line ends and lost leading blanks. */
export type Exactness = "bytes" | "lines" | "blanks";

/** Where a hunk goes. */
export interface HunkPlace {
  /** Index of the first line that fits. */
  readonly at: number;
  /** Context lines left out at the start and at the end. */
  readonly lead: number;
  readonly tail: number;
  readonly exactness: Exactness;
  /** Most context lines left out at one end. */
  readonly fuzz: number;
  /** Lines between where the header says and where it fits; 0 when the header has no number. */
  readonly offset: number;
}

/** Why there is no place. */
export type NoPlace =
  | { readonly why: "mismatch" }
  | { readonly why: "no-context" }
  | { readonly why: "ambiguous"; readonly lines: readonly number[] };

const MAX_FUZZ = 2;
const MAX_PLACES = 50;
/** A place is clearly the nearest when the next one is more than this many times as far. */
const CLEARLY_NEARER = 4;

/**
 * Finds the place of a hunk.
 *
 * @param drift Offset of the hunk before: what shifted one usually shifted the next.
 * @param after Index of the first line behind the hunk before.
 */
export function locateHunk(index: LineLookup, hunk: Hunk, drift: number, after: number): HunkPlace | NoPlace {
  const old = hunk.lines.filter(({ op }) => op !== "+");
  const start = hunk.oldStart === null ? null : Math.max(0, old.length === 0 ? hunk.oldStart : hunk.oldStart - 1);
  const finish = (place: Omit<HunkPlace, "offset">): HunkPlace => ({
    ...place,
    offset: start === null ? 0 : place.at - place.lead - start,
  });
  if (old.length === 0) {
    const at = insertionPoint(index, hunk, start, drift);
    return at === null ? { why: "no-context" } : finish({ at, lead: 0, tail: 0, exactness: "lines", fuzz: 0 });
  }
  const leading = hunk.lines.findIndex(({ op }) => op !== " ");
  const trailing = hunk.lines.toReversed().findIndex(({ op }) => op !== " ");
  for (let fuzz = 0; fuzz <= MAX_FUZZ; fuzz++) {
    const lead = Math.min(fuzz, leading), tail = Math.min(fuzz, trailing);
    const part = old.slice(lead, old.length - tail);
    if (part.length === 0 || (fuzz > 0 && Math.max(lead, tail) < fuzz)) break;
    const found = search(index, hunk, part, old.length, start === null ? null : start + lead + drift, after);
    if (found === null) continue;
    return "why" in found ? found : finish({ ...found, lead, tail, fuzz });
  }
  return { why: "mismatch" };
}

/**
 * Where lines fit, nearest to a wanted index first if there is one; at most fifty places, because more than one is
 * already a question.
 */
export function placesOf(
  index: LineLookup,
  part: readonly HunkLine[],
  exactness: Exactness,
  near: number | null,
): readonly number[] {
  const places: number[] = [];
  for (const at of candidatesFor(index, part, near)) {
    if (fitsAt(index, at, part, exactness)) places.push(at);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

function fitsAt(index: LineLookup, at: number, part: readonly HunkLine[], exactness: Exactness): boolean {
  if (at < 0 || at + part.length > index.lines.length) return false;
  return part.every((wanted, offset) => fits(index, at + offset, wanted, exactness));
}

type Found = { readonly at: number; readonly exactness: Exactness };

function search(
  index: LineLookup,
  hunk: Hunk,
  part: readonly HunkLine[],
  old: number,
  expected: number | null,
  after: number,
): Found | NoPlace | null {
  const grades: readonly Exactness[] = ["bytes", "lines", "blanks"];
  if (expected !== null) {
    const exactness = grades.find((grade) => fitsAt(index, expected, part, grade));
    if (exactness !== undefined && (!hunk.atEnd || expected + part.length === index.lines.length)) {
      return { at: expected, exactness };
    }
  }
  // With context left out, a closing brace alone proves nothing.
  if (part.length < old && !part.some(({ text }) => /\w{3}/.test(text))) return null;
  for (const exactness of grades) {
    const places = placesOf(index, part, exactness, expected);
    if (places.length === 0) continue;
    const at = choose(index, hunk, part.length, places, expected, after);
    return at === null ? { why: "ambiguous", lines: ascending(places).map((place) => place + 1) } : { at, exactness };
  }
  return null;
}

/** Where the rarest line of a part stands, shifted to the part's start; nearest first to an index if there is one. */
function* candidatesFor({ standing }: LineLookup, part: readonly HunkLine[], near: number | null): Generator<number> {
  let fewest = Infinity, places: readonly number[] = [], shift = 0;
  for (const [offset, { op, text }] of part.entries()) {
    const isShifted = op === " " && keyOf(text) !== "";
    const found = standing(text), other = isShifted ? standing(` ${text}`) : [];
    if (found.length + other.length >= fewest) continue;
    fewest = found.length + other.length;
    places = other.length === 0 ? found : ascending([...found, ...other]);
    shift = offset;
    if (fewest === 0) return;
  }
  for (const at of near === null ? places : nearestFirst(places, near + shift)) yield at - shift;
}

function ascending(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => a - b);
}

/** The one place that is meant; null when several may be. */
function choose(
  index: LineLookup,
  hunk: Hunk,
  length: number,
  found: readonly number[],
  expected: number | null,
  after: number,
): number | null {
  const places = ascending(found);
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return only;
  const atEnd = hunk.atEnd ? places.find((at) => at + length === index.lines.length) : undefined;
  if (atEnd !== undefined) return atEnd;
  const anchored = behindAnchors(index, hunk, places);
  if (anchored.length === 1) return anchored[0] ?? null;
  const left = anchored.length > 1 ? anchored : places;
  if (expected !== null) {
    const [near = 0, next = 0] = left.map((at) => Math.abs(at - expected)).sort((a, b) => a - b);
    const nearest = left.find((at) => Math.abs(at - expected) === near) ?? null;
    return hunk.reliable && next > near * CLEARLY_NEARER ? nearest : null;
  }
  // Without numbers, hunks stand in the order of the file.
  const following = left.filter((at) => at >= after);
  return following.length === 1 && after > 0 ? following[0] ?? null : null;
}

/** For each place of the innermost anchor (below the outer ones) the first candidate behind it. */
function behindAnchors(index: LineLookup, hunk: Hunk, places: readonly number[]): readonly number[] {
  const anchors = anchorPlaces(index, hunk.anchors);
  const found = anchors.flatMap((anchor) => places.find((at) => at >= anchor) ?? []);
  return [...new Set(found)];
}

/** Indices of lines that an anchor names: equal, or beginning with it (git cuts them). Outer anchors narrow inner ones. */
function anchorPlaces({ lines }: LineLookup, anchors: readonly string[]): readonly number[] {
  let from = 0;
  let places: readonly number[] = [];
  for (const anchor of anchors) {
    const wanted = anchor.trim();
    const standing = lines.map(({ text }, at) => ({ text: text.trim(), at })).filter(({ at }) => at >= from);
    const equal = standing.filter(({ text }) => text === wanted);
    places = (equal.length > 0 ? equal : standing.filter(({ text }) => text.startsWith(wanted))).map(({ at }) => at);
    from = (places[0] ?? from - 1) + 1;
  }
  return places;
}

/** Where lines go that have no context: behind their anchor, at a number that can be believed, or at the end. */
function insertionPoint(index: LineLookup, hunk: Hunk, start: number | null, drift: number): number | null {
  const { lines } = index;
  if (lines.length === 0 || hunk.atEnd) return lines.length;
  if (start === null) {
    if (hunk.anchors.length === 0) return lines.length;
    const [anchor, ...others] = anchorPlaces(index, hunk.anchors);
    return anchor === undefined || others.length > 0 ? null : anchor + 1;
  }
  const at = start + drift;
  return hunk.reliable && at >= 0 && at <= lines.length ? at : null;
}

function fits({ lines, shown, compare }: LineLookup, at: number, wanted: HunkLine, exactness: Exactness): boolean {
  const line = lines[at];
  if (line === undefined) return false;
  compare(line);
  if (exactness === "bytes") return line.text + line.end === wanted.text + (wanted.ended ? "\n" : "");
  const text = shown(at), plain = wanted.text.replace(/\r$/, "");
  if (exactness === "lines") return text === plain;
  const key = keyOf(text);
  return key === keyOf(plain) || (wanted.op === " " && key === keyOf(` ${plain}`));
}
