/** Applies a function to every string in a nested value. @module */

/** Deeper than any result. */
const MAX_DEPTH = 40;

/** A copy with a function applied to every text, names of fields left alone; the same value where nothing changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  return mapBelow(value, change, MAX_DEPTH);
}

function mapBelow(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapBelow(item, change, depth - 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  let isSame = true;
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) => {
    const changed = mapBelow(item, change, depth - 1);
    isSame &&= changed === item;
    return [name, changed] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}
