/** The search that stands in where there is no ripgrep: slower, to the same effect. @module */
import { assembleHits, AT_START, type FoundLine, shownLine } from "./found_lines.ts";
import type { PathTest } from "./globs.ts";
import { compilePattern, type Find } from "./js_pattern.ts";
import { openRegular } from "./open_regular.ts";
import { makePacer, type Pacer } from "./pacer.ts";
import { spansLines } from "./rg_args.ts";
import type { ContentFound, ContentHit, ContentRequest, FilesFound, SearchScope } from "./search.ts";
import { fill } from "./text_source.ts";
import { walk, type WalkOptions, walkRoot } from "./walk.ts";

/** Where to look. */
export interface BuiltinScope extends SearchScope {
  /** Whether the root is a file. */
  readonly isFile: boolean;
  /** Real paths of directories that are not entered. */
  readonly closed: readonly string[];
  /** Whether a path below the root counts. */
  readonly accepts: PathTest;
}

/** Larger files are passed over and named in the result. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Lines that are looked at before others get a turn. */
const LINES_PER_TURN = 1_000;
const ANY_DEPTH = Number.POSITIVE_INFINITY;

/** Finds files by name. @throws the reason of `signal`. */
export async function builtinFiles(scope: BuiltinScope, maxNames: number, signal: AbortSignal): Promise<FilesFound> {
  const paths: string[] = [], unreadable: string[] = [];
  for await (const path of eachFile(scope, unreadable, signal)) {
    if (paths.length === maxNames) return { paths, complete: false, unreadable, engine: "builtin" };
    paths.push(path);
  }
  return { paths, complete: true, unreadable, engine: "builtin" };
}

/** Finds lines by content. @throws OpsError INVALID_ARGUMENT for a bad pattern; the reason of `signal`. */
export async function builtinContent(
  request: BuiltinScope & ContentRequest,
  signal: AbortSignal,
): Promise<ContentFound> {
  const { root, pattern, literal, contextLines, maxHits } = request;
  const find = compilePattern(pattern, request), pacer = makePacer(signal);
  const hits: ContentHit[] = [], unreadable: string[] = [];
  for await (const path of eachFile(request, unreadable, signal)) {
    const text = await textOf(path === "" ? root : `${root === "/" ? "" : root}/${path}`);
    if (text === null) unreadable.push(path);
    if (!text) continue;
    const wanted = maxHits + 1 - hits.length;
    const lines = spansLines(pattern, literal)
      ? findAcross(text, find, wanted, contextLines)
      : await findInLines(text, find, wanted, contextLines, pacer);
    hits.push(...assembleHits(path, lines, contextLines));
    if (hits.length > maxHits) return { hits: hits.slice(0, maxHits), complete: false, unreadable, engine: "builtin" };
  }
  return { hits, complete: true, unreadable, engine: "builtin" };
}

/** Paths below the root that count; "" when the root is a file. */
async function* eachFile(scope: BuiltinScope, unreadable: string[], signal: AbortSignal): AsyncGenerator<string> {
  if (scope.isFile) return yield "";
  const { root, includeHidden, includeIgnored, closed, accepts } = scope;
  const options: WalkOptions = { includeHidden, respectIgnore: !includeIgnored, closed };
  for await (const { directory, entries, fault } of walk(walkRoot(root, options), options, ANY_DEPTH, signal)) {
    if (fault !== null) unreadable.push(directory.below);
    for (const { name, type } of entries) {
      const path = directory.below === "" ? name : `${directory.below}/${name}`;
      if (type === "file" && name !== ".git" && accepts(path)) yield path;
    }
  }
}

/** Text of a file; empty when it is binary, null when it cannot be read. */
async function textOf(path: string): Promise<string | null> {
  try {
    using opened = await openRegular(path);
    if (opened.sizeBytes > MAX_FILE_BYTES) return null;
    const buffer = new Uint8Array(opened.sizeBytes);
    const bytes = buffer.subarray(0, await fill(opened.file, buffer));
    const [first, second] = bytes;
    if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
    if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
    return bytes.includes(0) ? "" : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}

async function findInLines(
  text: string,
  find: Find,
  wanted: number,
  contextLines: number,
  pacer: Pacer,
): Promise<FoundLine[]> {
  const lines = splitLines(text);
  const matches = new Map<number, FoundLine>();
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_TURN === 0) await pacer();
    const span = find(line);
    if (span === null) continue;
    const number = index + 1;
    matches.set(index, { number, lastNumber: number, isMatch: true, text: shownLine(line, () => span) });
    if (matches.size >= wanted) break;
  }
  return withContext(lines, matches, contextLines);
}

/** Finds matches that reach over line ends. */
function findAcross(text: string, find: Find, wanted: number, contextLines: number): FoundLine[] {
  const lines = splitLines(text), unified = lines.join("\n");
  const matches = new Map<number, FoundLine>();
  for (let from = 0, index = 0; matches.size < wanted && from < unified.length;) {
    const span = find(unified.slice(from));
    if (span === null) break;
    const first = index + unified.slice(from, from + span.start).split("\n").length - 1;
    // A match that ends with a line end does not reach into the next line.
    const inside = unified.slice(from + span.start, from + Math.max(span.start, span.end - 1)).split("\n").length - 1;
    const whole = lines.slice(first, first + inside + 1).join("\n");
    const lastNumber = first + 1 + inside;
    matches.set(first, { number: first + 1, lastNumber, isMatch: true, text: shownLine(whole, AT_START) });
    for (const line of lines.slice(index, lastNumber)) from += line.length + 1;
    index = lastNumber;
  }
  return withContext(lines, matches, contextLines);
}

/** Lines as ripgrep counts them: a line feed ends one, a carriage return before it belongs to the end. */
function splitLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function withContext(lines: readonly string[], matches: ReadonlyMap<number, FoundLine>, context: number): FoundLine[] {
  const found = new Map(matches);
  for (const [index, { lastNumber }] of matches) {
    const near = [index - context, lastNumber + context] as const;
    for (let at = Math.max(0, near[0]); at < Math.min(lines.length, near[1]); at++) {
      const isInside = at >= index && at < lastNumber;
      if (found.has(at) || isInside) continue;
      found.set(at, { number: at + 1, lastNumber: at + 1, isMatch: false, text: shownLine(lines[at] ?? "", AT_START) });
    }
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}
