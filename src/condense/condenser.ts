/** Condenses output: short output at once, long output in a thread of its own. @module */
import { onceDone } from "../core/once.ts";
import { enrich, type Enriched, type EnrichInput } from "./enrich.ts";

/** Condenses the output of a command, as `enrich` does. */
export type Condense = (input: EnrichInput) => Promise<Enriched | null>;

/** What the thread for long output answers. */
export interface CondenserVerbs {
  enrich(input: EnrichInput): Promise<Enriched | null>;
}

/** Condensed on the thread that serves: some 20 ms in the worst case. */
const AT_ONCE_CHARS = 32 * 1024;

/** @param openThread Called when the first long output has to be condensed. */
export function makeCondense(openThread: () => Promise<CondenserVerbs>): Condense {
  const thread = onceDone(openThread);
  return async (input) => {
    if (input.stdout.length + input.stderr.length <= AT_ONCE_CHARS) return enrich(input);
    return await (await thread()).enrich(input);
  };
}
