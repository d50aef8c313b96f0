/** The sandbox level in one word, for every page. @module */
import type { Level, SandboxReport } from "../../../sandbox/protocol.ts";
import { badge } from "../badge.ts";
import type { Markup } from "../markup.ts";
import type { Part } from "../part.ts";

/** In the bar. */
export const levelPart: Part = { id: "level", className: "", render: (moment) => levelBadge(moment.report()) };

/** The level, and how good it is. */
export function levelBadge({ level, unconfined }: SandboxReport): Markup {
  return unconfined ? badge("unconfined", "bad") : badge(`sandbox: ${level}`, KINDS[level]);
}

const KINDS = { full: "good", landlock: "warn", bwrap: "warn", none: "bad" } as const satisfies Record<Level, string>;
