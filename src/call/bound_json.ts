/** Bounds a result that is shown as JSON: it stays valid JSON, and the rest pages by item. @module */
import { NOTE_TOKENS, readOn } from "../core/bound.ts";
import { boundHead, fitLines } from "../core/bound_lines.ts";
import { byteLength } from "../core/bytes.ts";
import { OpsError } from "../core/error.ts";
import { estimateTokens } from "../core/tokens.ts";
import type { Bounds } from "./overflow.ts";

/** A field that was shortened, and where the whole of it is. */
interface Rest {
  /** Path of the field: `hits`, `meta.lines`. */
  readonly field: string;
  readonly shown: number;
  readonly total: number;
  readonly unit: "items" | "lines" | "characters";
  /** The whole field behind a handle: one item, as JSON, or one line of text a line. */
  readonly next: string;
}

type Json = Readonly<Record<string, unknown>>;

/** A list or a text inside the result. */
interface Part {
  readonly path: readonly string[];
  readonly value: readonly unknown[] | string;
  readonly bytes: number;
}

/** Fields that are shortened before a result counts as too large. */
const MAX_CUTS = 8;
/** A shorter part is not worth cutting. */
const MIN_PART_BYTES = 400;

/**
 * The result as JSON, with its largest lists and texts shortened until it fits.
 *
 * @throws OpsError OUTPUT_TOO_LARGE when it does not become small enough.
 */
export function boundJson(result: unknown, bounds: Bounds): { text: string; truncated: boolean } {
  let text = JSON.stringify(result);
  if (fits(text, bounds)) return { text, truncated: false };
  if (!isObject(result)) throw tooLarge();
  let shown: Json = result;
  const rest: Rest[] = [];
  for (let cuts = 0; cuts < MAX_CUTS; cuts++) {
    const part = largestPart(shown, rest);
    if (part === undefined) break;
    const others = estimateTokens(text) - estimateTokens(JSON.stringify(part.value));
    const room = Math.min(bounds.tokens - others - NOTE_TOKENS * (rest.length + 1), bounds.bytes / 4);
    const { value, ...note } = shorten(part, room, bounds.keep);
    rest.push({ field: part.path.join("."), ...note });
    shown = replaced(shown, part.path, value);
    text = JSON.stringify({ ...shown, truncated: true, rest });
    if (fits(text, bounds)) return { text, truncated: true };
  }
  throw tooLarge();
}

function fits(text: string, { tokens, bytes }: Bounds): boolean {
  if (text.length <= tokens && text.length * 3 <= bytes) return true;
  return estimateTokens(text) <= tokens && byteLength(text) <= bytes;
}

function tooLarge(): OpsError {
  const hint = "Ask for less, for example with max_results, depth or a narrower path.";
  return new OpsError("OUTPUT_TOO_LARGE", "the result does not fit into one answer", hint);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list or text that takes the most room and was not shortened yet. */
function largestPart(result: Json, done: readonly Rest[]): Part | undefined {
  const parts: Part[] = [];
  const look = (value: unknown, path: readonly string[]): void => {
    if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) look(inner, [...path, key]);
    } else if (typeof value === "string" || Array.isArray(value)) {
      const bytes = JSON.stringify(value).length;
      const isDone = done.some(({ field }) => field === path.join("."));
      if (bytes >= MIN_PART_BYTES && !isDone) parts.push({ path, value, bytes });
    }
  };
  look(result, []);
  return parts.sort((left, right) => right.bytes - left.bytes)[0];
}

/** As much of a part as the room allows, and how to get at the rest. */
function shorten({ value }: Part, room: number, keep: Bounds["keep"]): Omit<Rest, "field"> & { value: unknown } {
  if (typeof value !== "string") {
    const items = value.map((item) => JSON.stringify(item));
    const shown = fitLines(items, room, 0, jsonTokens);
    const next = whereIsTheRest(items.join("\n"), shown, keep);
    return { value: value.slice(0, shown), shown, total: items.length, unit: "items", next };
  }
  const { text, offset, unit } = boundHead(value, room, (line) => jsonTokens(JSON.stringify(line)));
  const next = whereIsTheRest(value, offset, keep, unit);
  return unit === "lines"
    ? { value: text, shown: offset, total: value.split("\n").length, unit, next }
    : { value: text, shown: text.length, total: value.length, unit: "characters", next };
}

/** Of one item or line among others, rounded up: what JSON writes between them costs more than a line end. */
function jsonTokens(json: string): number {
  return estimateTokens(json) + 1;
}

function whereIsTheRest(
  payload: string,
  offset: number,
  keep: Bounds["keep"],
  unit: "lines" | "bytes" = "lines",
): string {
  try {
    return readOn(keep(payload), offset, unit);
  } catch (error) {
    if (error instanceof OpsError) return `not stored: ${error.message}`;
    throw error;
  }
}

function replaced(result: Json, [key = "", ...below]: readonly string[], value: unknown): Json {
  const inner = result[key];
  return { ...result, [key]: below.length > 0 && isObject(inner) ? replaced(inner, below, value) : value };
}
