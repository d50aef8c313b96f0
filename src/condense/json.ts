/** Condenses JSON: minified while it fits, otherwise its structure and first items. @module */
import { cutLine, leftOut, note } from "../core/bound.ts";
import { headWithin } from "../core/bound_lines.ts";
import { estimateTokens } from "../core/tokens.ts";
import { countOf, type Draft, makePage, type Source } from "./page.ts";

const SOFT_TOKENS = 1_500;
/** Of a JSON that does not fit: what its shape may take. */
const SHAPE_SHARE = 0.4;
const MAX_DEPTH = 6;
/** Its beginning, which shows how values look. */
const SAMPLE_TOKENS = 400;
/** Objects with more keys than this whose values look alike are maps, described by one value. */
const MAP_KEYS = 12;

/** Enriches jq, and every output that is JSON or JSON lines. */
export function enrichJson(source: Source, budgetTokens: number): Draft | null {
  const text = source.stdout.trim();
  if (!/^[[{]/.test(text)) return null;
  const budget = Math.min(budgetTokens, SOFT_TOKENS);
  const value = parse(text) ?? parseLines(source.lines);
  if (value === undefined) return null;
  const compact = squeeze(text);
  const items = Array.isArray(value) ? { matchCount: value.length } : {};
  if (estimateTokens(compact) <= budget) return { text: compact, omitted: "", ...items };
  return { ...renderShape(value, compact, budget), ...items };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not one value: perhaps one a line
  }
}

function parseLines(lines: readonly string[]): unknown[] | undefined {
  const values = lines.filter((line) => line.trim() !== "").map(parse);
  return values.length > 1 && values.every((value) => typeof value === "object") ? values : undefined;
}

/** Takes out blanks between tokens; strings and numbers stay as they were written. */
function squeeze(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => part.startsWith('"') ? part : "");
}

function renderShape(value: unknown, compact: string, budget: number): Draft {
  const page = makePage(budget);
  let shape = "";
  for (let depth = MAX_DEPTH; depth > 0; depth--) {
    shape = shapeOf(value, depth);
    if (estimateTokens(shape) <= budget * SHAPE_SHARE) break;
  }
  page.force(note(`shape: ${cutLine(shape, 2_000)}`));
  page.force(note("its beginning"));
  const beginning = headWithin(compact, Math.min(page.room, SAMPLE_TOKENS));
  page.force(beginning);
  const left = compact.length - beginning.length;
  page.force(leftOut(left, countOf(compact.length, "character")));
  return { text: page.text(), omitted: `${left} of ${compact.length} characters` };
}

/** Types with counts: `{name: string, tags: [12 × string], packages: {59 keys × {version: string}}}`. */
export function shapeOf(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${value.length} × ${depth > 0 ? mergeShapes(value, depth - 1) : "…"}]`;
  }
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  const entries = Object.entries(value);
  if (depth === 0) return `{${countOf(entries.length, "key")}}`;
  if (entries.length > MAP_KEYS && looksLikeMap(entries.map(([, each]) => each))) {
    return `{${entries.length} keys × ${mergeShapes(entries.map(([, each]) => each), depth - 1)}}`;
  }
  return `{${entries.map(([key, each]) => `${key}: ${shapeOf(each, depth - 1)}`).join(", ")}}`;
}

function looksLikeMap(values: readonly unknown[]): boolean {
  const kindOf = (value: unknown) => Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  return new Set(values.map(kindOf)).size === 1;
}

/** The shape of items that should be alike: of objects, all keys, those that some lack with a question mark. */
function mergeShapes(values: readonly unknown[], depth: number): string {
  const objects = values.filter((value) => value !== null && typeof value === "object" && !Array.isArray(value));
  if (objects.length < values.length || depth === 0) {
    return [...new Set(values.slice(0, 50).map((value) => shapeOf(value, Math.min(depth, 1))))].slice(0, 4).join(" | ");
  }
  const keys = new Map<string, unknown[]>();
  for (const object of objects) {
    for (const [key, each] of Object.entries(object ?? {})) {
      keys.set(key, [...(keys.get(key) ?? []), each].slice(0, 20));
    }
  }
  const counts = new Map<string, number>();
  for (const object of objects) {
    for (const key of Object.keys(object ?? {})) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const fields = [...keys].slice(0, 30).map(([key, own]) =>
    `${key}${(counts.get(key) ?? 0) < objects.length ? "?" : ""}: ${shapeOf(own[0], depth - 1)}`
  );
  return `{${fields.join(", ")}${keys.size > 30 ? `, ${keys.size - 30} more` : ""}}`;
}
