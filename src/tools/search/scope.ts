/** Shared parts of both searches: file selection, path display, progress. @module */
import * as z from "zod";
import { once } from "../../core/once.ts";
import { wireName } from "../../core/escape_name.ts";
import type { LeftOutReason, SearchLeftOut } from "../../sys/search/left_out.ts";
import { showWire } from "../fs/tree_text.ts";
import type { ToolContext } from "../../call/tool.ts";

/** Arguments that widen a search. */
export const scopeInput = once(() => ({
  include_hidden: z.boolean().default(false),
  include_ignored: z.boolean().default(false),
}));

/** Arguments that say where a search looked. */
export interface ShownScope {
  readonly root: string;
  readonly file_glob?: string | undefined;
  readonly include_hidden: boolean;
  readonly include_ignored: boolean;
}

/** Where a search looked, in words. */
export function describeScope({ root, file_glob }: ShownScope): string {
  return root + (file_glob === undefined ? "" : `, only ${file_glob}`);
}

/** The schema of what was left out, by reason. */
export const leftOutSchema = once(() =>
  z.partialRecord(
    z.enum(["hidden", "ignored", "link", "special", "binary", "encoding"]),
    z.object({ count: z.int(), names: z.array(z.string()) }),
  )
);

/** The names of the reasons, in the order in which they are shown. */
const REASONS: readonly (readonly [LeftOutReason, string])[] = [
  ["ignored", "ignored"],
  ["hidden", "hidden"],
  ["binary", "binary"],
  ["link", "links"],
  ["special", "special files"],
  ["encoding", "perhaps in other encodings"],
];

/** What a search left out and why, in words; false when it left out nothing. */
export function describeLeftOut(leftOut: SearchLeftOut, complete: boolean): string | false {
  const parts = REASONS.flatMap(([reason, words]) => {
    const group = leftOut[reason];
    if (group === undefined) return [];
    const more = group.count > group.names.length ? ", …" : "";
    return [`${group.count} ${words} (${group.names.map(showWire).join(", ")}${more})`];
  });
  return parts.length > 0 && `not searched: ${complete ? "" : "at least "}${parts.join(", ")}`;
}

/**
 * Paths below a root as callers see them.
 *
 * @param shownRoot The root as it is shown; a path "" below it is the root itself.
 */
export function makeShownPath(shownRoot: string): (below: string) => string {
  const base = shownRoot === "." ? "" : shownRoot.endsWith("/") ? shownRoot : `${shownRoot}/`;
  return (below) => {
    if (below === "") return shownRoot;
    return base + (below.isWellFormed() ? below : below.split("/").map(wireName).join("/"));
  };
}

const SIGN_OF_LIFE_MS = 1_000;

/** Waits for a search, and tells a client that asked for progress that it goes on: how far it is cannot be known. */
export async function whileReporting<T>(search: Promise<T>, report: ToolContext["progress"]): Promise<T> {
  let seconds = 0;
  const timer = setInterval(() => report(++seconds, undefined, `searching for ${seconds} s`), SIGN_OF_LIFE_MS);
  try {
    return await search;
  } finally {
    clearInterval(timer);
  }
}
