/** Walks directory trees: sorted, without following links, in slices that let other calls through. @module */
import { enterRules, type IgnoreRules, isIgnored, rulesAbove } from "./ignore_files.ts";
import { makePacer, sortPaced } from "../pacer.ts";

/** What a directory entry is; pipes, sockets and devices are `other`. */
export type EntryType = "dir" | "file" | "symlink" | "other";

/** One entry of a directory. */
export interface WalkEntry {
  readonly name: string;
  readonly type: EntryType;
}

/** What a walk leaves out. */
export interface WalkOptions {
  readonly includeHidden: boolean;
  /** Leaves out what .gitignore and its relatives exclude. */
  readonly respectIgnore: boolean;
  /** Entries that the runtime does not show, by path of their directory below the root. */
  readonly extra?: ReadonlyMap<string, readonly WalkEntry[]>;
  /** Real paths of directories that are not entered; those named `.git` never are, unless one is the root. */
  readonly closed: readonly string[];
}

/** A directory that a walk is about to read. */
export interface WalkDirectory {
  /** Real path without a final slash: "" stands for "/". */
  readonly path: string;
  /** Path below the root of the walk; "" for the root itself. */
  readonly below: string;
  /** 0 for the root. */
  readonly depth: number;
  /** Rules of the directories above it. */
  readonly rules: IgnoreRules | null;
}

/** A directory and what is in it. */
export interface DirectoryContent {
  readonly directory: WalkDirectory;
  /** Directories first, then everything else, each sorted by name. */
  readonly entries: readonly WalkEntry[];
  /** Rules for what is in it. */
  readonly rules: IgnoreRules | null;
  /** Entries left out because their names begin with a dot. */
  readonly hidden: readonly WalkEntry[];
  /** Entries left out because rules exclude them. */
  readonly ignored: readonly WalkEntry[];
  /** When it last changed. */
  readonly mtimeMs: number;
  /** Why it could not be read; null when it could. */
  readonly fault: string | null;
}

/** Larger directories (some 6,000 entries) are read off the event loop: one such read cannot be cut into slices. */
const HUGE_DIRECTORY_BYTES = 256 * 1024;
/** More entries than this take longer to sort than one slice. */
const MANY_ENTRIES = 4_096;
/** To ask the clock takes as long as to sort out an entry. */
const ENTRIES_PER_TURN = 64;

/** Where a walk begins. @param root Real path of a directory. */
export function walkRoot(root: string, { respectIgnore }: WalkOptions): WalkDirectory {
  const path = root === "/" ? "" : root;
  return { path, below: "", depth: 0, rules: respectIgnore ? rulesAbove(path) : null };
}

/** The directories in another that a walk enters: not what is closed, nor the inside of a repository's store. */
export function subdirectories(content: DirectoryContent, { closed }: WalkOptions): WalkDirectory[] {
  const { directory, rules } = content;
  const canEnter = ({ type, name }: WalkEntry) => type === "dir" && name !== ".git" && name.isWellFormed();
  return content.entries.filter(canEnter).map(({ name }) => ({
    path: `${directory.path}/${name}`,
    below: directory.below === "" ? name : `${directory.below}/${name}`,
    depth: directory.depth + 1,
    rules,
  })).filter(({ path }) => !closed.includes(path));
}

/** Reads one directory. What cannot be read says so in its `fault`. @throws only the reason of `signal`. */
export async function readDirectory(
  directory: WalkDirectory,
  options: WalkOptions,
  signal?: AbortSignal,
): Promise<DirectoryContent> {
  const path = directory.path || "/";
  try {
    const { isHuge, mtimeMs } = lookAt(path);
    const shown = isHuge ? await readHuge(path, signal) : readSmall(path);
    const entries = [...shown, ...options.extra?.get(directory.below) ?? []];
    return { ...await sift(directory, entries, options, signal), directory, mtimeMs, fault: null };
  } catch (error) {
    signal?.throwIfAborted();
    return {
      directory,
      entries: [],
      rules: directory.rules,
      hidden: [],
      ignored: [],
      mtimeMs: 0,
      fault: faultOf(error),
    };
  }
}

/** Every directory of a tree with its content, a directory before what is in it. @throws the reason of `signal`. */
export async function* walk(
  root: WalkDirectory,
  options: WalkOptions,
  maxDepth: number,
  signal: AbortSignal,
): AsyncGenerator<DirectoryContent> {
  const pacer = makePacer(signal);
  const waiting = [root];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    await pacer();
    const content = await readDirectory(directory, options, signal);
    yield content;
    if (directory.depth + 1 < maxDepth) waiting.push(...subdirectories(content, options).reverse());
  }
}

function lookAt(path: string): { isHuge: boolean; mtimeMs: number } {
  const { size, mtime } = Deno.lstatSync(path);
  return { isHuge: size > HUGE_DIRECTORY_BYTES, mtimeMs: mtime?.getTime() ?? 0 };
}

async function readHuge(path: string, signal: AbortSignal | undefined): Promise<WalkEntry[]> {
  const entries: WalkEntry[] = [], pacer = makePacer(signal ?? new AbortController().signal);
  for await (const entry of Deno.readDir(path)) {
    if (entries.length % ENTRIES_PER_TURN === 0) await pacer();
    entries.push(toEntry(entry));
  }
  return entries;
}

function readSmall(path: string): WalkEntry[] {
  return Array.from(Deno.readDirSync(path), toEntry);
}

function toEntry({ name, isFile, isDirectory, isSymlink }: Deno.DirEntry): WalkEntry {
  return { name, type: isFile ? "file" : isDirectory ? "dir" : isSymlink ? "symlink" : "other" };
}

/** Sorts, and leaves out what the options leave out. */
async function sift(
  directory: WalkDirectory,
  all: readonly WalkEntry[],
  options: WalkOptions,
  signal?: AbortSignal,
): Promise<Pick<DirectoryContent, "entries" | "rules" | "hidden" | "ignored">> {
  const rules = options.respectIgnore
    ? enterRules(directory.path, directory.rules, new Set(all.map(({ name }) => name)))
    : null;
  const dirs: WalkEntry[] = [], rest: WalkEntry[] = [], hidden: WalkEntry[] = [], ignored: WalkEntry[] = [];
  const pacer = makePacer(signal ?? new AbortController().signal);
  const isMany = all.length > MANY_ENTRIES;
  for (const [at, entry] of all.entries()) {
    if (rules !== null || isMany && at % ENTRIES_PER_TURN === 0) await pacer(); // long rules and names take their time
    const { name, type } = entry;
    if (!options.includeHidden && name.startsWith(".")) hidden.push(entry);
    else if (rules !== null && isIgnored(rules, `${directory.path}/${name}`, type === "dir")) ignored.push(entry);
    else (type === "dir" ? dirs : rest).push(entry);
  }
  const sort = (entries: WalkEntry[]) => isMany ? sortPaced(entries, byName, pacer) : entries.sort(byName);
  return { entries: [...await sort(dirs), ...await sort(rest)], rules, hidden, ignored };
}

function byName(a: WalkEntry, b: WalkEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function faultOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return "vanished";
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return "permission denied";
  }
  return error instanceof Error ? error.message.split(":")[0] ?? "unreadable" : "unreadable";
}
