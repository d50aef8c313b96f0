/** Fallback search for machines without ripgrep: slower, with the same results. @module */
import { joinPath } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";
import { assembleHits, AT_START, type FoundLine, shownLine } from "./found_lines.ts";
import type { PathTest } from "../files/globs.ts";
import { compileFind, type Find } from "./js_pattern.ts";
import { lineBatches, LineTooLong } from "../files/line_stream.ts";
import { makePacer, type Pacer } from "../pacer.ts";
import { spansLines } from "./rg_args.ts";
import type { ContentFound, ContentHit, ContentRequest, FileCount, FilesFound, SearchScope } from "./search.ts";
import { byPath, type LeftOutCounter, type LeftOutReason, makeLeftOutCounter } from "./left_out.ts";
import {
  readDirectory,
  subdirectories,
  type WalkDirectory,
  type WalkEntry,
  type WalkOptions,
  walkRoot,
} from "../files/walk.ts";

/** Where to look. */
export interface BuiltinScope extends SearchScope {
  /** Whether the root is a file. */
  readonly isFile: boolean;
  /** Real paths of directories that are not entered. */
  readonly closed: readonly string[];
  /** Whether a path below the root counts. */
  readonly accepts: PathTest;
  /** Whether it fits the glob, whatever else keeps it out. */
  readonly fits: PathTest;
}

/** Lines that are looked at before others get a turn. */
const LINES_PER_TURN = 1_000;
/** A pattern that reaches over line ends needs the whole text at once: larger files are passed over. */
const MAX_WHOLE_CHARS = 16 * 1024 * 1024;

/** Finds files by name. @throws the reason of `signal`. */
export async function builtinFiles(scope: BuiltinScope, maxNames: number, signal: AbortSignal): Promise<FilesFound> {
  const paths: string[] = [], unreadable: string[] = [], leftOut = makeLeftOutCounter();
  let complete = true;
  for await (const path of eachFile(scope, { unreadable, leftOut }, signal)) {
    complete = paths.length < maxNames;
    if (!complete) break;
    paths.push(path);
  }
  return { paths, complete, unreadable, leftOut: leftOut.groups(alreadyMarked), engine: "builtin" };
}

/** Finds lines by content. @throws OpsError INVALID_ARGUMENT for a bad pattern; the reason of `signal`. */
export async function builtinContent(
  request: BuiltinScope & ContentRequest,
  signal: AbortSignal,
): Promise<ContentFound> {
  const { root, pattern, literal, contextLines, maxHits } = request;
  const find = compileFind(pattern, request), pacer = makePacer(signal);
  const look = request.acrossLines || spansLines(pattern, literal) ? findAcross : findInLines;
  const hits: ContentHit[] = [], counts: FileCount[] = [], unreadable: string[] = [], leftOut = makeLeftOutCounter();
  let complete = true, matches = 0;
  for await (const path of eachFile(request, { unreadable, leftOut }, signal)) {
    const batches = lineBatches(path === "" ? root : joinPath(root, path), signal, () => leftOut.add("binary", path));
    const lines = await orNull(look(batches, { find, contextLines, wanted: maxHits + 1 - matches }, pacer));
    if (lines === null) unreadable.push(path);
    else {
      const count = lines.filter(({ isMatch }) => isMatch).length;
      if (count > 0) counts.push({ path, count });
      matches += count;
      if (!request.countsOnly) hits.push(...assembleHits(path, lines, contextLines));
    }
    complete = matches <= maxHits;
    if (!complete) break;
  }
  const groups = leftOut.groups(alreadyMarked);
  return { hits: hits.slice(0, maxHits), counts, complete, unreadable, leftOut: groups, engine: "builtin" };
}

/** What a walk could not look at, and what it left out. */
interface Missed {
  readonly unreadable: string[];
  readonly leftOut: LeftOutCounter;
}

/** Folders are marked when they are counted. */
const alreadyMarked = (): boolean => false;

/** Paths below the root that count, in path order; "" when the root is a file. */
async function* eachFile(scope: BuiltinScope, missed: Missed, signal: AbortSignal): AsyncGenerator<string> {
  if (scope.isFile) return yield "";
  const { root, includeHidden, includeIgnored, closed, accepts } = scope;
  const options: WalkOptions = { includeHidden, respectIgnore: !includeIgnored, closed };
  const pacer = makePacer(signal);

  async function* below(directory: WalkDirectory): AsyncGenerator<string> {
    await pacer();
    const content = await readDirectory(directory, options, signal);
    if (content.fault !== null) missed.unreadable.push(directory.below);
    const pathOf = (name: string): string => directory.below === "" ? name : `${directory.below}/${name}`;
    const leave = (reason: LeftOutReason, { name, type }: WalkEntry): void => {
      const isDirectory = type === "dir";
      if (isDirectory || scope.fits(pathOf(name))) missed.leftOut.add(reason, pathOf(name) + (isDirectory ? "/" : ""));
    };
    for (const entry of content.hidden) if (entry.name !== ".git") leave("hidden", entry);
    for (const entry of content.ignored) leave("ignored", entry);
    const folders = new Map(subdirectories(content, options).map((each) => [each.below, each]));
    for (const entry of [...content.entries].sort((a, b) => byPath(a.name, b.name))) {
      const path = pathOf(entry.name), folder = folders.get(path);
      if (folder) yield* below(folder);
      else if (entry.type === "symlink") leave("link", entry);
      else if (entry.type === "other") leave("special", entry);
      else if (entry.type === "file" && entry.name !== ".git" && accepts(path)) yield path;
    }
  }
  yield* below(walkRoot(root, options));
}

/** Null for a file that vanished, may not be read, or cannot be held. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof OpsError || error instanceof LineTooLong) return null;
    throw error;
  }
}

interface Quest {
  readonly find: Find;
  readonly contextLines: number;
  /** Matches after which the rest of the file is of no interest. */
  readonly wanted: number;
}

async function findInLines(
  batches: AsyncIterable<readonly string[]>,
  { find, contextLines, wanted }: Quest,
  pacer: Pacer,
): Promise<FoundLine[]> {
  const found: FoundLine[] = [], before: FoundLine[] = [];
  let number = 0, matches = 0, after = 0;
  for await (const lines of batches) {
    for (const line of lines) {
      if (number++ % LINES_PER_TURN === 0) await pacer();
      const span = find(line);
      if (span !== null) {
        found.push(...before.splice(0), toFound(number, shownLine(line, () => span), true));
        after = contextLines;
        if (++matches === wanted) return found;
      } else if (after > 0) {
        found.push(toFound(number, shownLine(line, AT_START), false));
        after--;
      } else if (contextLines > 0) {
        before.push(toFound(number, shownLine(line, AT_START), false));
        if (before.length > contextLines) before.shift();
      }
    }
  }
  return found;
}

function toFound(number: number, text: string, isMatch: boolean): FoundLine {
  return { number, lastNumber: number, isMatch, text };
}

/** Finds matches that reach over line ends. */
async function findAcross(
  batches: AsyncIterable<readonly string[]>,
  { find, contextLines, wanted }: Quest,
  pacer: Pacer,
): Promise<FoundLine[]> {
  const lines = await wholeLines(batches), text = lines.join("\n");
  const matches = new Map<number, FoundLine>();
  for (let from = 0, index = 0; matches.size < wanted && from < text.length;) {
    await pacer();
    const span = find(text.slice(from));
    if (span === null) break;
    const first = index + countEnds(text, from, from + span.start);
    // A match that ends with a line end does not reach into the next line.
    const inside = countEnds(text, from + span.start, from + Math.max(span.start, span.end - 1));
    const whole = lines.slice(first, first + inside + 1).join("\n"), lastNumber = first + 1 + inside;
    matches.set(first, { number: first + 1, lastNumber, isMatch: true, text: shownLine(whole, AT_START) });
    for (const line of lines.slice(index, lastNumber)) from += line.length + 1;
    index = lastNumber;
  }
  return withContext(lines, matches, contextLines);
}

async function wholeLines(batches: AsyncIterable<readonly string[]>): Promise<string[]> {
  const all: string[] = [];
  let room = MAX_WHOLE_CHARS;
  for await (const lines of batches) {
    for (const line of lines) room -= line.length;
    if (room < 0) throw new LineTooLong();
    all.push(...lines);
  }
  return all;
}

function countEnds(text: string, from: number, to: number): number {
  return text.slice(from, to).split("\n").length - 1;
}

function withContext(lines: readonly string[], matches: ReadonlyMap<number, FoundLine>, context: number): FoundLine[] {
  const found = new Map(matches);
  for (const [index, { lastNumber }] of matches) {
    for (let at = Math.max(0, index - context); at < Math.min(lines.length, lastNumber + context); at++) {
      const isInside = at >= index && at < lastNumber;
      if (!isInside && !found.has(at)) found.set(at, toFound(at + 1, shownLine(lines[at] ?? "", AT_START), false));
    }
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}
