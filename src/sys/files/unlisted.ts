/** Counts the entries that a listing leaves out, and names the first of them. @module */
import type { DirectoryContent, WalkEntry } from "./walk.ts";

/** What a listing leaves out because it is hidden, or ignored by git. */
export interface Unlisted {
  readonly hidden: number;
  readonly ignored: number;
  /** The first of them, the highest in the tree first; directories with a slash. */
  readonly firstHidden: readonly string[];
  readonly firstIgnored: readonly string[];
}

/** So many names of each kind are kept. */
const MAX_NAMED = 4;

/** Counts directory by directory. */
export function makeUnlisted(): { add(content: DirectoryContent): void; sum(): Unlisted } {
  let hidden = 0, ignored = 0;
  const firstHidden: string[] = [], firstIgnored: string[] = [];
  return {
    add(content) {
      hidden += content.hidden.length;
      ignored += content.ignored.length;
      keepFirst(firstHidden, content, content.hidden);
      keepFirst(firstIgnored, content, content.ignored);
    },
    sum: () => ({ hidden, ignored, firstHidden, firstIgnored }),
  };
}

function keepFirst(
  names: string[],
  { directory: { below } }: DirectoryContent,
  entries: readonly WalkEntry[],
): void {
  for (const { name, type } of entries.slice(0, MAX_NAMED - names.length)) {
    names.push(`${below === "" ? "" : `${below}/`}${name}${type === "dir" ? "/" : ""}`);
  }
}
