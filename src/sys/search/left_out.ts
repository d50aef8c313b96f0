/** Counts what a search leaves out, by its reason. @module */

/** Why an entry is left out. */
export type LeftOutReason = "hidden" | "ignored" | "link" | "special" | "binary" | "encoding";

/** Entries that were left out for one reason: a folder counts once. */
export interface LeftOutGroup {
  readonly count: number;
  /** The first of them in path order, folders with a final slash. */
  readonly names: string[];
}

/** What was left out; reasons without entries are absent. */
export type SearchLeftOut = Readonly<Partial<Record<LeftOutReason, LeftOutGroup>>>;

/** Takes entries while a search goes on. */
export interface LeftOutCounter {
  /** @param name Path below the root. */
  add(reason: LeftOutReason, name: string): void;
  /** Takes a line of ripgrep's debug log; most say nothing of an entry. */
  takeDebugLine(line: string): void;
  /** What was counted. @param isFolder Asked of the names that are shown. */
  groups(isFolder: (name: string) => boolean): SearchLeftOut;
}

const MAX_NAMES_SHOWN = 3;
const IGNORING =
  /: ignoring (?:\.\/)?([^]*?): (Ignore\(IgnoreMatch\((?:Hidden|Gitignore)\b|failed to pass haystack filter)/;

/** Compares paths name by name, as a walk that is sorted by name meets them. */
export function byPath(a: string, b: string): number {
  if (a === b) return 0;
  return a.replaceAll("/", "\0") < b.replaceAll("/", "\0") ? -1 : 1;
}

/** Starts with nothing. */
export function makeLeftOutCounter(): LeftOutCounter {
  const found = new Map<LeftOutReason, string[]>();
  const add: LeftOutCounter["add"] = (reason, name) => {
    if (name === ".git" || name.endsWith("/.git")) return; // the inside of a repository's store is never searched
    const names = found.get(reason);
    if (names) names.push(name);
    else found.set(reason, [name]);
  };
  return {
    add,
    takeDebugLine(line) {
      const [, name = "", why = ""] = line.includes(": ignoring ") ? line.match(IGNORING) ?? [] : [];
      if (name === "") return;
      if (why.includes("Hidden")) add("hidden", name);
      else if (why.includes("Gitignore")) add("ignored", name);
      else add(line.includes("is_symlink: true") ? "link" : "special", name);
    },
    groups(isFolder) {
      const show = (name: string): string => name + (isFolder(name) ? "/" : "");
      const groups = [...found].map(([reason, names]): [LeftOutReason, LeftOutGroup] => {
        const first = [...new Set(names)].sort(byPath);
        return [reason, { count: first.length, names: first.slice(0, MAX_NAMES_SHOWN).map(show) }];
      });
      return Object.fromEntries(groups);
    },
  };
}
