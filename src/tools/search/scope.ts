/** What both searches have in common: which files count, and how their paths are shown. @module */
import * as z from "zod";
import { wireName } from "../../core/escape_name.ts";

/** Arguments that widen a search. */
export const scopeInput = {
  include_hidden: z.boolean().default(false),
  include_ignored: z.boolean().default(false),
};

/** Arguments that say where a search looked. */
export interface ShownScope {
  readonly root: string;
  readonly file_glob?: string | undefined;
  readonly include_hidden: boolean;
  readonly include_ignored: boolean;
}

/** Where a search looked, in words. */
export function describeScope({ root, file_glob, include_hidden, include_ignored }: ShownScope): string {
  const skipped = [!include_hidden && "hidden", !include_ignored && "ignored"].filter((part) => part).join(" and ");
  const glob = file_glob === undefined ? "" : `, only ${file_glob}`;
  return `${root}${glob}${skipped === "" ? "" : `; ${skipped} files not searched`}`;
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
