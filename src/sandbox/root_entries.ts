/**
 * Divides roots for Landlock, which cannot take away a part of what it grants: a root that holds files of the operator is
 * granted entry by entry, without them.
 * @module
 */
import type { Config } from "../config/resolve.ts";
import { makeGuardedPaths } from "../core/guarded_paths.ts";
import { isInside, joinPath, parentOf } from "../core/path.ts";

/** What of the roots a program may reach. */
export interface RootEntries {
  /** With all that is below. */
  readonly open: readonly string[];
  /** Guarded files and folders beside the operator's. */
  readonly readOnly: readonly string[];
  /** Folders on the way to the operator's files: nothing can be made, removed or renamed directly in them. */
  readonly listed: readonly string[];
}

type Divided = Pick<Config, "roots" | "operatorPaths" | "settings">;

/** The folders between a root and a file of the operator, the root among them; outermost first. */
export function foldersAboveOperatorPaths(
  { roots, operatorPaths }: Pick<Divided, "roots" | "operatorPaths">,
): string[] {
  const folders = new Set<string>();
  for (const path of operatorPaths) {
    const holding = roots.filter((root) => root !== "/" && isInside(path, root) && path !== root);
    for (const root of holding) {
      for (let folder = parentOf(path); isInside(folder, root); folder = parentOf(folder)) folders.add(folder);
    }
  }
  return [...folders].sort((one, other) => one.length - other.length);
}

/** Looks at the entries of those folders. Entries that are made later are not part of it. */
export function divideRoots(config: Divided): RootEntries {
  const { roots, operatorPaths, settings } = config;
  const listed = foldersAboveOperatorPaths(config), closed = new Set([...listed, ...operatorPaths]);
  const { guarded_paths, unguarded_paths } = settings.tools;
  const guarded = makeGuardedPaths(guarded_paths.filter((entry) => entry !== ".git"), roots, unguarded_paths);
  const open = roots.filter((root) => !closed.has(root)), readOnly: string[] = [];
  for (const folder of listed) {
    for (const path of entriesOf(folder).filter((path) => !closed.has(path))) {
      (guarded.entryOf(path) === null ? open : readOnly).push(path);
    }
  }
  return { open, readOnly, listed };
}

/** When entries were last added, removed or replaced in the folders that are granted entry by entry. */
export function entriesChangedAt(config: Pick<Divided, "roots" | "operatorPaths">): string {
  return foldersAboveOperatorPaths(config).map((folder) => {
    try {
      const { mtime, ino } = Deno.lstatSync(folder);
      return `${ino}:${mtime?.getTime()}`;
    } catch {
      return "";
    }
  }).join(" ");
}

/** Links are left out: a rule would grant what they lead to. */
function entriesOf(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder)).filter(({ isSymlink }) => !isSymlink)
      .map(({ name }) => joinPath(folder, name));
  } catch {
    return [];
  }
}
