/** Builds ripgrep command lines. @module */
import type { OlderEncoding } from "../../core/encodings.ts";
import { nameSieve, splitGlobs } from "../../core/glob.ts";
import type { ContentRequest, SearchScope } from "./search.ts";

/** Where ripgrep is started and what it is told to look at there. */
export interface RgPlace {
  /** Working directory: globs and result paths are relative to it. */
  readonly cwd: string;
  /** `./`, or one file in the working directory. */
  readonly target: string;
}

/** Splits the root of a search. @param isFile Whether the root is a file. */
export function rgPlace(root: string, isFile: boolean): RgPlace {
  if (!isFile) return { cwd: root, target: "./" };
  const slash = root.lastIndexOf("/");
  return { cwd: root.slice(0, slash) || "/", target: `./${root.slice(slash + 1)}` };
}

/** How one run of a search differs from another. */
export interface RgRunKind {
  /** Paths below the working directory that are searched as text, NULs and all; null for everything. */
  readonly targets: readonly string[] | null;
  /** In path order, on one thread. */
  readonly sorted: boolean;
  /** What the files are in; by default UTF-8, or UTF-16 with a byte order mark. */
  readonly encoding?: OlderEncoding | "utf-16le" | "utf-16be";
  /** Whether the text comes over standard input. */
  readonly isPiped?: boolean;
}

/** Arguments of a search in contents. @param closed Real paths that are not looked into. */
export function contentArgs(
  request: ContentRequest,
  place: RgPlace,
  closed: readonly string[],
  { targets, sorted, encoding, isPiped }: RgRunKind,
): string[] {
  const { pattern, literal, ignoreCase, contextLines, maxHits } = request;
  return [
    "--json",
    "--debug", // says which entries are left out, and why
    targets === null ? "--binary" : "--text",
    ...(sorted ? ["--sort=path"] : []),
    ...(encoding ? [`--encoding=${encoding}`] : []),
    ...scopeArgs(request, place, closed),
    `--max-count=${maxHits + 1}`,
    ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(literal && !pattern.includes("\n") ? ["--fixed-strings"] : ["--engine=auto", "--crlf"]),
    ...(request.acrossLines || spansLines(pattern, literal) ? ["--multiline"] : []),
    `--regexp=${forAnyLineEnd(pattern, literal)}`, // joined, so that a leading dash is part of the pattern
    "--",
    ...(isPiped
      ? ["-"]
      : targets === null
      ? [place.target]
      : targets.map((path) => path === "" ? place.target : `./${path}`)),
  ];
}

/** Arguments of a listing of files, names separated by NUL. */
export function filesArgs(request: SearchScope, place: RgPlace, closed: readonly string[]): string[] {
  return ["--files", "--null", "--debug", ...scopeArgs(request, place, closed), "--", place.target];
}

/** A byte that is part of no character of UTF-8, in most of the places where text in an older encoding has one. */
const NOT_UTF8 = String.raw`(?-u)[\xc0\xc1\xf5-\xff]|[\xc2-\xf4](?:[^\x80-\xbf]|$)|(?:^|[\x00-\x7f])[\x80-\xbf]`;

/**
 * Arguments that list the files of a search with NULs, and those that are not UTF-8; names separated by NUL.
 *
 * @param nulsOnly Whether those of other encodings are left out.
 */
export function otherBytesArgs(
  request: SearchScope,
  place: RgPlace,
  closed: readonly string[],
  nulsOnly: boolean,
): string[] {
  const scope = scopeArgs(request, place, closed), pattern = nulsOnly ? String.raw`(?-u)\x00` : `${NOT_UTF8}|\\x00`;
  return [
    "--files-with-matches",
    "--null",
    "--no-messages",
    "--text",
    ...scope,
    `--regexp=${pattern}`,
    "--",
    place.target,
  ];
}

/** Classes, escapes and spelled line ends: what is not to be looked into for a line feed. */
const PARTS = /\[\^?\]?(?:\[:\w+:\]|\\[^]|[^\]\\])*\]|\\r\??(?:\n|\\n)|\r\n|\\[^]|[^]/g;

/** A pattern in which a line feed also matches CR LF, except in classes and where CR is spelled. */
function forAnyLineEnd(pattern: string, literal: boolean): string {
  if (literal) return pattern.includes("\n") ? pattern.split(/\r?\n/).map(RegExp.escape).join("\\r?\\n") : pattern;
  return pattern.replace(PARTS, (part) => part === "\n" || part === "\\n" ? "(?:\\r?\\n)" : part);
}

/** A line end, `.` that matches one, and classes that match everything. */
const SPANNING =
  /(?<!\\)(?:\\\\)*(?:\\n|\(\?[a-zA-Z]*s[a-zA-Z]*(?:-[a-zA-Z]+)?[):]|\[(?:\\s\\S|\\S\\s|\\d\\D|\\D\\d|\\w\\W|\\W\\w)\])/;
/** Classes that hold the line end among others. */
const MAY_SPAN = /(?<!\\)(?:\\\\)*(?:\[\^|\\[sDW])/;

/** Whether a pattern plainly asks to match over line ends. */
export function spansLines(pattern: string, literal: boolean): boolean {
  return pattern.includes("\n") || !literal && SPANNING.test(pattern);
}

/** Whether a pattern that matches no single line may match over line ends. */
export function maySpanLines(pattern: string, literal: boolean): boolean {
  return !literal && !spansLines(pattern, literal) && MAY_SPAN.test(pattern);
}

function scopeArgs(
  { fileGlob, includeHidden, includeIgnored }: SearchScope,
  { cwd }: RgPlace,
  closed: readonly string[],
): string[] {
  const sieve = fileGlob === undefined ? null : nameSieve(splitGlobs(fileGlob));
  return [
    "--no-config",
    "--no-ignore-global", // another user's taste must not decide what is found
    "--no-ignore-messages",
    ...(includeIgnored ? ["--no-ignore"] : ["--no-require-git"]),
    ...(includeHidden ? ["--hidden"] : []),
    ...(includeHidden ? ["--glob=!.git"] : []), // the inside of a repository's store is not text of the project
    ...closed.flatMap((path) => exclusion(path, cwd)),
    // File types, unlike --glob, do not bring ignored files back.
    ...(sieve ? [...sieve.map((glob) => `--type-add=sieve:${glob}`), "--type=sieve"] : []),
  ];
}

/** Keeps one path out; nothing when it does not lie below the working directory. */
function exclusion(path: string, cwd: string): string[] {
  const base = cwd === "/" ? "/" : `${cwd}/`;
  if (!path.startsWith(base)) return [];
  return [`--glob=!/${path.slice(base.length).replace(/[\\*?[\]{}!]/g, "\\$&")}`];
}
