/** Parses grep and ripgrep output into hits. @module */
import { isInside } from "../core/path.ts";

/** One printed line: a hit, or context around hits. */
export interface GrepHit {
  /** "" when the output names no file. */
  readonly path: string;
  /** Line number; 0 when the output has none. */
  readonly line: number;
  readonly text: string;
  readonly context: boolean;
}

/** Parsed output and how many lines could not be read. */
export interface GrepLines {
  readonly hits: readonly GrepHit[];
  /** Lines that fit no form, e.g. "Binary file x matches". */
  readonly others: readonly string[];
}

const NUMBERED = /^(\d+)([:-])(.*)$/s;
/** At most so many places of one line are tried as the end of the path. */
const MAX_CANDIDATES = 4;

/** How the command asked for its lines; what it did not say is found out from the lines. */
export interface GrepShape {
  /** Operands after the pattern: files or folders; empty for the working directory. */
  readonly operands: readonly string[];
}

/** Reads every form: `path:line:text`, with context, with headings, `line:text` and `path:text`. */
export function parseGrep(lines: readonly string[], shape: GrepShape): GrepLines {
  if (isHeadingForm(lines)) return parseHeadings(lines);
  const numbered = lines.filter((line) => NUMBERED.test(line)).length;
  const separators = lines.filter((line) => line === "--").length;
  if (numbered > 0 && numbered + separators >= lines.length * 0.9) return parseNumbered(lines);
  const paths = countPaths(lines, pathAndNumber);
  if (paths.size > 0) return parsePaths(lines, paths, pathAndNumber);
  const bare = countPaths(lines, (line) => pathOnly(line, shape.operands));
  return parsePaths(lines, bare, (line) => pathOnly(line, shape.operands));
}

/** A path on a line of its own, then `line:text`, then an empty line. */
function isHeadingForm(lines: readonly string[]): boolean {
  const [first = "", second = ""] = lines;
  return first !== "" && !NUMBERED.test(first) && NUMBERED.test(second) &&
    lines.some((line, i) => i > 0 && i + 1 < lines.length && line === "" && !NUMBERED.test(lines[i + 1] ?? "0:"));
}

function parseHeadings(lines: readonly string[]): GrepLines {
  const hits: GrepHit[] = [], others: string[] = [];
  let path = "";
  for (const [i, line] of lines.entries()) {
    const match = NUMBERED.exec(line);
    if (match !== null) hits.push(makeHit(path, match));
    else if (i === 0 || lines[i - 1] === "") path = line;
    else if (line !== "" && line !== "--") others.push(line);
  }
  return { hits, others };
}

function parseNumbered(lines: readonly string[]): GrepLines {
  const hits: GrepHit[] = [], others: string[] = [];
  for (const line of lines) {
    const match = NUMBERED.exec(line);
    if (match !== null) hits.push(makeHit("", match));
    else if (line !== "--") others.push(line);
  }
  return { hits, others };
}

function makeHit(path: string, match: RegExpExecArray): GrepHit {
  return { path, line: Number(match[1]), text: match[3] ?? "", context: match[2] === "-" };
}

interface Candidate {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Every reading of `path:12:text`; several when path or text hold such a piece themselves. */
function pathAndNumber(line: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of line.matchAll(/:(\d+):/g)) {
    if (match.index === 0 || found.length === MAX_CANDIDATES) continue;
    found.push({
      path: line.slice(0, match.index),
      line: Number(match[1]),
      text: line.slice(match.index + match[0].length),
    });
  }
  return found;
}

/** `path:text`. With operands a path begins with one of them; without, it holds no blank. */
function pathOnly(line: string, operands: readonly string[]): Candidate[] {
  const found: Candidate[] = [];
  for (let at = line.indexOf(":"); at > 0 && found.length < MAX_CANDIDATES; at = line.indexOf(":", at + 1)) {
    const path = line.slice(0, at);
    const plausible = operands.length === 0
      ? !/\s/.test(path) && /[./]/.test(path)
      : operands.some((operand) => operand === "." || isInside(path, operand));
    if (plausible) found.push({ path, line: 0, text: line.slice(at + 1) });
  }
  return found;
}

/**
 * How well a path explains the lines: by how many of them it is the path with another line number each time, since grep
 * prints no line twice; without numbers by how many.
 */
function countPaths(lines: readonly string[], read: (line: string) => Candidate[]): Map<string, number> {
  const numbers = new Map<string, Set<number>>();
  for (const [i, line] of lines.entries()) {
    for (const { path, line: number } of read(line)) {
      const seen = numbers.get(path) ?? new Set();
      numbers.set(path, seen.add(number === 0 ? -i : number));
    }
  }
  return new Map([...numbers].map(([path, seen]) => [path, seen.size]));
}

/** Takes of each line's readings the path that the most lines share, the shortest first. */
function parsePaths(
  lines: readonly string[],
  paths: ReadonlyMap<string, number>,
  read: (line: string) => Candidate[],
): GrepLines {
  const best = lines.map((line) =>
    read(line).reduce<Candidate | undefined>(
      (chosen, next) => chosen === undefined || weight(next) > weight(chosen) ? next : chosen,
      undefined,
    )
  );
  function weight(candidate: Candidate): number {
    return paths.get(candidate.path) ?? 0;
  }
  const hits: GrepHit[] = [], others: string[] = [];
  for (const [i, line] of lines.entries()) {
    if (line === "--") continue;
    const candidate = best[i];
    const context = candidate === undefined || /^[^:]*-\d+-/.test(line) ? readContext(line, i, best) : undefined;
    if (context !== undefined) hits.push(context);
    else if (candidate !== undefined) hits.push({ ...candidate, context: false });
    else others.push(line);
  }
  return { hits, others };
}

/** A context line `path-12-text` belongs to the file of a hit nearby, in the same block. */
function readContext(line: string, at: number, best: readonly (Candidate | undefined)[]): GrepHit | undefined {
  for (let distance = 1; distance <= 40; distance++) {
    for (const neighbour of [best[at + distance], best[at - distance]]) {
      if (neighbour === undefined || !line.startsWith(`${neighbour.path}-`)) continue;
      const match = NUMBERED.exec(line.slice(neighbour.path.length + 1));
      if (match?.[2] === "-") return makeHit(neighbour.path, match);
    }
  }
  return undefined;
}
