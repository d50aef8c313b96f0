/**
 * Handles file names that are not UTF-8. The runtime cannot open them and omits them from directory listings; ripgrep
 * reports them.
 * @module
 */
import { encodeText } from "../../core/bytes.ts";
import { decodeName } from "../../core/escape_name.ts";
import { RgMissing, type RgRun, runRg } from "../search/rg_process.ts";
import type { WalkEntry } from "./walk.ts";

/** A directory that was read, as it was then. */
export interface SeenDirectory {
  /** Real path. */
  readonly path: string;
  /** Path below the root of the question; "" for the root. */
  readonly below: string;
  readonly mtimeMs: number;
}

/** What the runtime does not show. */
export interface RawNames {
  /**
   * Entries of directories that the runtime left out, by path below the root. Directories that are as they were cost
   * nothing. Links and empty directories with such names stay unseen.
   *
   * @param root Real path.
   */
  among(root: string, seen: readonly SeenDirectory[], signal: AbortSignal): Promise<ReadonlyMap<string, WalkEntry[]>>;
  /**
   * Bytes of a file with such a name in its path; null when there is no such file.
   *
   * @param root Real path of a directory.
   * @param below Path below it, in the form of `decodeName`.
   */
  read(root: string, below: string, maxBytes: number, signal: AbortSignal): Promise<RawFile | null>;
}

/** The start of a file. */
export interface RawFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly truncated: boolean;
}

/** Directories that are remembered. */
const MAX_KNOWN = 10_000;
/** Names that one question looks at: in larger trees it is not answered. */
const MAX_NAMES = 50_000;
/** A directory that changed this lately may change again within the same tick of its clock. */
const SETTLED_MS = 50;

/** Asks ripgrep. @param program Absolute path; null where there is none, and nothing is found. */
export function makeRawNames(program: string | null): RawNames {
  const known = new Map<string, { readonly mtimeMs: number; readonly entries: WalkEntry[] }>();

  const remember = (path: string, mtimeMs: number, entries: WalkEntry[]): void => {
    if (Date.now() - mtimeMs < SETTLED_MS) return;
    known.delete(path);
    known.set(path, { mtimeMs, entries });
    for (const oldest of known.keys()) {
      if (known.size <= MAX_KNOWN) break;
      known.delete(oldest);
    }
  };

  return {
    async among(root, seen, signal) {
      const found = new Map<string, WalkEntry[]>();
      if (program === null) return found;
      const isKnown = ({ path, mtimeMs }: SeenDirectory) => known.get(path)?.mtimeMs === mtimeMs;
      if (seen.every(isKnown)) {
        for (const { path, below } of seen) {
          const entries = known.get(path)?.entries ?? [];
          if (entries.length > 0) found.set(below, entries);
        }
        return found;
      }
      const paths = await rawPaths(program, root, Math.max(...seen.map(depthOf)), signal);
      if (paths === null) return found;
      const entries = entriesOf(paths);
      for (const { path, below, mtimeMs } of seen) {
        const own = entries.get(below) ?? [];
        remember(path, mtimeMs, own);
        if (own.length > 0) found.set(below, own);
      }
      return found;
    },
    read: (root, below, maxBytes, signal) =>
      program === null ? Promise.resolve(null) : readRaw(program, root, below, maxBytes, signal),
  };
}

function depthOf({ below }: SeenDirectory): number {
  return below === "" ? 0 : below.split("/").length;
}

const SHOW_ALL = ["--no-config", "--no-ignore", "--hidden", "--no-messages"];

/** Paths with raw bytes in them; null when there are too many names to look at. */
async function rawPaths(program: string, root: string, depth: number, signal: AbortSignal): Promise<string[] | null> {
  const paths: string[] = [];
  let seen = 0;
  const isWhole = await run({
    program,
    // Two levels more: one for the files of the deepest directories, one to see directories by what is in them.
    args: ["--files", "--null", ...SHOW_ALL, `--max-depth=${depth + 2}`, "./"],
    cwd: root,
    separator: 0,
    take(piece) {
      const path = piece === null ? "" : decodeName(piece);
      if (!path.isWellFormed()) paths.push(path.slice("./".length));
      return ++seen < MAX_NAMES;
    },
  }, signal);
  return isWhole ? paths : null;
}

/** From paths of files to entries of their directories: only names that have raw bytes themselves. */
function entriesOf(paths: readonly string[]): Map<string, WalkEntry[]> {
  const entries = new Map<string, Map<string, WalkEntry>>();
  for (const path of paths) {
    const names = path.split("/");
    for (const [depth, name] of names.entries()) {
      if (name.isWellFormed()) continue;
      const parent = names.slice(0, depth).join("/");
      const siblings = entries.get(parent) ?? new Map<string, WalkEntry>();
      siblings.set(name, { name, type: depth === names.length - 1 ? "file" : "dir" });
      entries.set(parent, siblings);
    }
  }
  return new Map([...entries].map(([parent, siblings]) => [parent, [...siblings.values()]]));
}

type Data = { readonly text: string } | { readonly bytes: string };

interface Event {
  readonly type: "begin" | "match" | "end" | "summary";
  readonly data: { readonly path: Data; readonly lines: Data };
}

/** Reads a file line by line as a search that every line answers. */
async function readRaw(
  program: string,
  root: string,
  below: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<RawFile | null> {
  const scope = [...SHOW_ALL, `--max-depth=${below.split("/").length}`, `--glob=/${globOf(below)}`, "./"];
  const isIt = (name: Uint8Array) => decodeName(name) === `./${below}`;
  let exists = false;
  await run({
    program,
    args: ["--files", "--null", ...scope],
    cwd: root,
    separator: 0,
    take(piece) {
      exists = piece !== null && isIt(piece);
      return !exists;
    },
  }, signal);
  if (!exists) return null;
  const bytes = new Uint8Array(maxBytes);
  let length = 0, isInside = false, truncated = false;
  await run({
    program,
    args: ["--json", "--text", "--encoding=none", "--regexp=^", ...scope],
    cwd: root,
    separator: 10,
    take(piece) {
      if (piece === null) { // a line too large to keep
        truncated = isInside;
        return !isInside;
      }
      const { type, data }: Event = JSON.parse(new TextDecoder().decode(piece));
      if (type === "begin") isInside = isIt(bytesOf(data.path));
      if (!isInside) return true;
      if (type !== "match") return type === "begin";
      const line = bytesOf(data.lines), room = maxBytes - length;
      bytes.set(line.subarray(0, room), length);
      length += Math.min(line.length, room);
      truncated = line.length > room;
      return !truncated;
    },
  }, signal);
  return { bytes: bytes.subarray(0, length), truncated };
}

/** Whether the program ran to its end; a program that is missing has nothing to tell. */
async function run(order: RgRun, signal: AbortSignal): Promise<boolean> {
  try {
    const { code } = await runRg(order, signal);
    return code !== null;
  } catch (error) {
    if (error instanceof RgMissing) return false;
    throw error;
  }
}

function bytesOf(data: Data): Uint8Array<ArrayBuffer> {
  if ("text" in data) return encodeText(data.text);
  return Uint8Array.from(atob(data.bytes), (character) => character.charCodeAt(0));
}

/** A glob that fits one path and few others: raw bytes cannot be said in an argument, only that they are not ASCII. */
function globOf(path: string): string {
  return path.replace(/[\\*?[\]{}!]/g, "\\$&").replace(/[\udc80-\udcff]/gu, "[!\u0001-\u007f]");
}
