/** Counts what an answer about a symbol leaves out, by reason. @module */
import type { SymbolLeftOut } from "./symbol.ts";

const MOST_FILES = 5;

/** Counts. */
export interface UnseenCounter {
  add(reason: string, path: string, count?: number): void;
  list(): SymbolLeftOut[];
}

/** Makes an empty counter. */
export function makeLeftOut(): UnseenCounter {
  const reasons = new Map<string, { count: number; files: Set<string> }>();
  return {
    add(reason, path, count = 1) {
      const known = reasons.get(reason) ?? { count: 0, files: new Set() };
      known.count += count;
      if (known.files.size < MOST_FILES) known.files.add(path);
      reasons.set(reason, known);
    },
    list: () => [...reasons].map(([reason, { count, files }]) => ({ reason, count, files: [...files] })),
  };
}
