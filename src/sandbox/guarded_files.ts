/** Finds guarded files below a folder: what runs later, outside the sandbox, because of where it is. @module */
import { makeGuardedPaths } from "../core/guarded_paths.ts";
import { baseName, joinPath, parentOf } from "../core/path.ts";
import type { PinnedPaths } from "./pinned_paths.ts";

/** A file, or a link in the place of one. */
export interface GuardedFile {
  readonly path: string;
  /** The entry of `guarded_paths` that it is at or below. */
  readonly entry: string;
  /** Git writes its own configuration, so that is compared key by key. */
  readonly isGitConfig: boolean;
}

/** What is done with the folders and guarded files that are met. */
export interface Visitor {
  /** @returns false when no further folder is to be entered */
  folder(path: string): boolean;
  file(found: GuardedFile): void;
}

/** Finds them. */
export interface GuardedFinder {
  /** Visits folders from the top, the nearest first. */
  walk(top: string, visitor: Visitor): void;
  /** What a new entry, which need not be a file, may have made a guarded file: itself, or those beside it. */
  aroundEntry(path: string): GuardedFile[];
}

/** The entry whose files git makes itself: of them only hooks and configuration are guarded. */
const GIT = ".git";
/** Folders in which nothing is opened as a project. */
const SKIPPED = new Set(["node_modules", "__pycache__"]);
/** Of git's folders only these have hooks or configuration in them. */
const GIT_FOLDERS = new Set(["hooks", "modules", "worktrees"]);
const GIT_CONFIGS = ["config", "config.worktree"];
/** What makes a folder one of git's, whatever its name; `commondir` is in that of a linked working tree. */
const MARKS = ["HEAD", "objects", "refs", "commondir"];
/** New entries that can make a guarded file of one beside them. */
const OF_GIT = new Set([...MARKS, ...GIT_CONFIGS, "hooks"]);
/** What is set aside gets this ending, under which no program looks for it. */
export const SET_ASIDE = ".set-aside";
/** Git comes with samples, and does not run them under these names. */
const isInert = (name: string) => name.endsWith(".sample") || name.endsWith(SET_ASIDE);

/** @param entries Of `mcp.tools.guarded_paths`. */
export function makeGuardedFinder(
  entries: readonly string[],
  unguarded: readonly string[],
  roots: readonly string[],
  { list, infoOf }: Pick<PinnedPaths, "list" | "infoOf">,
): GuardedFinder {
  const exists = (path: string): boolean => infoOf(path) !== null;
  const isGitFolder = (folder: string, names?: readonly string[]): boolean => {
    const has = (name: string) => names ? names.includes(name) : exists(joinPath(folder, name));
    return baseName(folder) === GIT || has("HEAD") && (has("objects") || has("commondir")) ||
      has("objects") && has("refs");
  };
  const guardsGit = entries.includes(GIT);
  const plain = makeGuardedPaths(entries.filter((entry) => entry !== GIT), roots, unguarded);
  const git = makeGuardedPaths(guardsGit ? [GIT] : [], roots, unguarded);
  const inGit = (path: string, isGitConfig: boolean): GuardedFile[] =>
    guardsGit && !git.isAllowed(path) ? [{ path, entry: GIT, isGitConfig }] : [];

  const gitFiles = (folder: string): GuardedFile[] =>
    [
      ...GIT_CONFIGS.flatMap((name) => inGit(joinPath(folder, name), true)),
      ...list(joinPath(folder, "hooks")).filter(({ name }) => !isInert(name))
        .flatMap(({ name }) => inGit(joinPath(joinPath(folder, "hooks"), name), false)),
    ].filter(({ path }) => exists(path));

  return {
    walk(top, visitor) {
      const queue = [top];
      for (const folder of queue) {
        if (!visitor.folder(folder)) return;
        const found = list(folder), isGit = isGitFolder(folder, found.map(({ name }) => name));
        if (isGit) { for (const file of gitFiles(folder)) visitor.file(file); }
        for (const { name, isDirectory } of found) {
          const path = joinPath(folder, name), entry = plain.entryOf(path);
          if (!isDirectory && entry !== null && !name.endsWith(SET_ASIDE)) {
            visitor.file({ path, entry, isGitConfig: false });
          } else if (isDirectory && !SKIPPED.has(name) && (!isGit || GIT_FOLDERS.has(name))) queue.push(path);
        }
      }
    },
    aroundEntry(path) {
      const entry = plain.entryOf(path), folder = parentOf(path), name = baseName(path);
      const own = entry === null || name.endsWith(SET_ASIDE) ? [] : [{ path, entry, isGitConfig: false }];
      // The link by which git would find a folder elsewhere.
      const link = name === GIT && guardsGit && infoOf(path)?.isSymlink ? inGit(path, false) : [];
      const concernsGit = OF_GIT.has(name) || baseName(folder) === "hooks";
      const gits = concernsGit ? [folder, parentOf(folder)].filter((each) => isGitFolder(each)) : [];
      return [...own, ...link, ...gits.flatMap(gitFiles)];
    },
  };
}
