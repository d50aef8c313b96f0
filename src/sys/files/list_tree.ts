/** Lists a directory tree within a bound: breadth first, with the bound shared between directories. @module */
import { type Entries, entriesByPath, type EntryFacts, mainFacts } from "./entries.ts";
import { makePacer } from "../pacer.ts";
import type { FileType } from "./open_regular.ts";
import { makeUnlisted, type Unlisted } from "./unlisted.ts";
import { type DirectoryContent, readDirectory, subdirectories, walk, type WalkDirectory } from "./walk.ts";
import type { EntryType, WalkOptions } from "./walk.ts";
import type { PathTest } from "./globs.ts";
import type { SeenDirectory } from "./raw_names.ts";

/** What to list. */
export interface TreeRequest extends WalkOptions {
  /** Levels below the root; at least 1. */
  readonly depth: number;
  readonly maxEntries: number;
  /** Only files whose path below the root passes; directories are then not listed. */
  readonly filter: PathTest | null;
  /** How entries are looked at. */
  readonly look?: Entries;
}

/** A listed entry. */
export interface TreeEntry {
  /** Path below the root. */
  readonly path: string;
  readonly type: FileType;
  readonly sizeBytes?: number;
  readonly mtimeMs?: number;
  /** What a link says, as it is written. */
  readonly target?: string;
}

/** What is not in the list, and why. */
export interface Omission {
  /** Path of a directory below the root; "" is the root. */
  readonly path: string;
  /** Entries of it that are not listed, as far as they are known. */
  readonly count: number;
  /** Why it could not be read; null when only the bound is the reason. */
  readonly fault: string | null;
}

/** A list, and what it leaves out. */
export interface Tree extends Unlisted {
  /** In the order of a tree: a directory is followed by what is in it. */
  readonly entries: readonly TreeEntry[];
  readonly omitted: readonly Omission[];
  /** Directories that the bound left unopened. */
  readonly unopened: number;
  /** Whether the bound, and not a fault or the depth, left something out. */
  readonly truncated: boolean;
  /** The directories that were read. */
  readonly seen: readonly SeenDirectory[];
}

/** A nested directory shows at least this many entries, if it has them, before others are opened. */
const MIN_SHARE = 10;
/** Entries that may be read for each one that is listed: large directories cost time although they are cut. */
const READ_FACTOR = 10;

/** Lists a tree within bounds. @param root Where to begin, from `walkRoot`. @throws the reason of `signal`. */
export async function listTree(root: WalkDirectory, request: TreeRequest, signal: AbortSignal): Promise<Tree> {
  return request.filter === null
    ? await listLevels(root, request, signal)
    : await listMatches(root, request, request.filter, signal);
}

/** One entry by itself. @param path Real path. */
export function describeEntry(
  path: string,
  below: string,
  type: EntryType,
  entries: Entries = entriesByPath,
): TreeEntry {
  try {
    return describe(path, below, mainFacts(entries.lstat(path)), entries);
  } catch {
    return { path: below, type }; // vanished, or not for us: its name is all there is to say
  }
}

function describe(path: string, below: string, facts: EntryFacts, entries: Entries): TreeEntry {
  const { type, sizeBytes, mtimeMs } = facts;
  if (type === "file") return { path: below, type, sizeBytes, mtimeMs };
  return { path: below, type, mtimeMs, ...(type === "symlink" ? targetOf(path, entries) : {}) };
}

/** What a link says; nothing when it is gone by now. */
function targetOf(path: string, entries: Entries): { target?: string } {
  try {
    return { target: entries.readLink(path) };
  } catch {
    return {};
  }
}

/** Level by level, so that a bound cuts the depths and not the top. */
async function listLevels(root: WalkDirectory, request: TreeRequest, signal: AbortSignal): Promise<Tree> {
  const listed = new Map<string, DirectoryContent>(), omitted: Omission[] = [], seen: SeenDirectory[] = [];
  const bound = { room: request.maxEntries, reads: request.maxEntries * READ_FACTOR };
  const unlisted = makeUnlisted();
  let unopened = 0;
  for (let level = [root]; level.length > 0;) {
    const contents = await readLevel(level, request, bound, signal);
    unopened += level.length - contents.length;
    const shares = shareOut(contents.map(({ entries }) => entries.length), bound.room);
    level = [];
    for (const [index, content] of contents.entries()) {
      const entries = content.entries.slice(0, shares[index]), { directory, fault } = content;
      seen.push(seenOf(content));
      listed.set(directory.below, { ...content, entries });
      bound.room -= entries.length;
      unlisted.add(content);
      const count = content.entries.length - entries.length;
      if (count > 0 || fault !== null) omitted.push({ path: directory.below, count, fault });
      if (directory.depth + 1 < request.depth) level.push(...subdirectories({ ...content, entries }, request));
    }
  }
  const truncated = unopened > 0 || omitted.some(({ count }) => count > 0);
  return {
    entries: flatten(listed, request.look ?? entriesByPath),
    omitted,
    unopened,
    truncated,
    ...unlisted.sum(),
    seen,
  };
}

/** Reads directories of one level, as many as the bound gives room for. */
async function readLevel(
  level: readonly WalkDirectory[],
  request: TreeRequest,
  bound: { room: number; reads: number },
  signal: AbortSignal,
): Promise<DirectoryContent[]> {
  const pacer = makePacer(signal), contents: DirectoryContent[] = [];
  let promised = 0;
  for (const directory of level) {
    if (promised >= bound.room || bound.reads <= 0) break;
    await pacer();
    const content = await readDirectory(directory, request, signal);
    contents.push(content);
    promised += Math.min(MIN_SHARE, content.entries.length);
    bound.reads -= content.entries.length;
  }
  return contents;
}

/** Divides room fairly: small demands are met whole, the rest is shared by the large ones. */
function shareOut(demands: readonly number[], room: number): number[] {
  const shares = demands.map(() => 0);
  const order = [...demands.keys()].sort((a, b) => (demands[a] ?? 0) - (demands[b] ?? 0));
  let left = room;
  for (const [turn, index] of order.entries()) {
    const share = Math.min(demands[index] ?? 0, Math.ceil(left / (order.length - turn)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** The listed levels in the order of a tree. */
function flatten(
  listed: ReadonlyMap<string, DirectoryContent>,
  look: Entries,
): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const add = (below: string): void => {
    const content = listed.get(below);
    if (content === undefined) return;
    const folder = content.directory.path;
    const facts = look.factsOf(folder, content.entries.map(({ name }) => name));
    for (const { name, type } of content.entries) {
      const path = below === "" ? name : `${below}/${name}`, known = facts.get(name);
      // Without facts its name is all there is to say.
      entries.push(known === undefined ? { path, type } : describe(`${folder}/${name}`, path, known, look));
      if (type === "dir") add(path);
    }
  };
  add("");
  return entries;
}

/** Files that pass a filter, wherever they are. */
async function listMatches(
  root: WalkDirectory,
  request: TreeRequest,
  filter: PathTest,
  signal: AbortSignal,
): Promise<Tree> {
  const entries: TreeEntry[] = [], omitted: Omission[] = [], seen: SeenDirectory[] = [];
  const unlisted = makeUnlisted();
  let truncated = false;
  for await (const content of walk(root, request, request.depth, signal)) {
    seen.push(seenOf(content));
    unlisted.add(content);
    if (content.fault !== null) omitted.push({ path: content.directory.below, count: 0, fault: content.fault });
    for (const { name, type } of content.entries) {
      const path = content.directory.below === "" ? name : `${content.directory.below}/${name}`;
      if (type === "dir" || !filter(path)) continue;
      truncated = entries.length === request.maxEntries;
      if (truncated) return { entries, omitted, unopened: 0, truncated, ...unlisted.sum(), seen };
      entries.push(describeEntry(`${root.path}/${path}`, path, type, request.look));
    }
  }
  return { entries, omitted, unopened: 0, truncated, ...unlisted.sum(), seen };
}

function seenOf({ directory: { path, below }, mtimeMs }: DirectoryContent): SeenDirectory {
  return { path: path || "/", below, mtimeMs };
}

/** Every path of a tree, for those who want more than fits: a bounded number, and whether that is all. */
export async function listAll(
  root: WalkDirectory,
  request: TreeRequest,
  signal: AbortSignal,
): Promise<{ paths: string[]; complete: boolean }> {
  const paths: string[] = [];
  for await (const { directory, entries } of walk(root, request, request.depth, signal)) {
    for (const { name, type } of entries) {
      const path = directory.below === "" ? name : `${directory.below}/${name}`;
      if (request.filter === null) paths.push(type === "dir" ? `${path}/` : path);
      else if (type !== "dir" && request.filter(path)) paths.push(path);
      if (paths.length >= request.maxEntries) return { paths, complete: false };
    }
  }
  return { paths, complete: true };
}
