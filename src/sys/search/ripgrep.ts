/** Finds files and text, with ripgrep where it is available. @module */
import { isInside, isInsideAny, joinPath } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";
import { decodeName } from "../../core/escape_name.ts";
import { foldLookAlikes } from "../../core/look_alike.ts";
import { hasGlob, ignoresCase, isHidden, rankPath } from "../../core/glob.ts";
import { makeTurnstile } from "../../core/turnstile.ts";
import { builtinContent, builtinFiles } from "./builtin_search.ts";
import { fileError } from "../files/file_error.ts";
import { type PathTest, pathTest } from "../files/globs.ts";
import { makePacer, sortPaced } from "../pacer.ts";
import { fileType } from "../files/open_regular.ts";
import { byPath, makeLeftOutCounter } from "./left_out.ts";
import { filesArgs, maySpanLines, rgPlace } from "./rg_args.ts";
import { runContentSearch } from "./rg_content.ts";
import { makeRawNames, type RawNames } from "../files/raw_names.ts";
import { RgMissing, type RgOutcome, runRg } from "./rg_process.ts";
import type { ContentFound, ContentRequest, FilesFound, FilesRequest, SearchScope } from "./search.ts";

/** Finding files and text below a directory whose path the caller has checked. */
export interface Search {
  /**
   * Finds files by name.
   *
   * @throws OpsError INVALID_ARGUMENT when a glob cannot be read, and what the root's own state says.
   */
  files(request: FilesRequest, signal: AbortSignal): Promise<FilesFound>;
  /**
   * Finds lines by content.
   *
   * @throws OpsError INVALID_ARGUMENT when the pattern or a glob cannot be read, and what the root's own state says.
   */
  content(request: ContentRequest, signal: AbortSignal): Promise<ContentFound>;
  /** Names that only the engine can see. */
  readonly raw: RawNames;
}

/** What the search needs. */
export interface SearchDeps {
  /** Absolute path of ripgrep; null where there is none, and the built-in search does the work. */
  readonly program: string | null;
  /** Real paths whose content is never searched: the server's own files. */
  readonly closed: readonly string[];
}

/** More at once would only compete for the same disk and processors. */
const MAX_PARALLEL = 4;
/** Names that are kept; a search that finds more says so. */
const MAX_NAMES = 200_000;
const MAX_UNREADABLE = 20;
/** So many are ranked before others may get their turn. */
const PATHS_PER_STEP = 500;

/** Makes the search. */
export function makeSearch({ program, closed }: SearchDeps): Search {
  const turnstile = makeTurnstile(MAX_PARALLEL);

  /** The engine's work, or the stand-in's where the engine cannot be started. */
  const withEngine = <T>(
    engine: (rg: string) => Promise<T>,
    standIn: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> =>
    turnstile.pass(async () => {
      if (program === null) return await standIn();
      try {
        return await engine(program);
      } catch (error) {
        if (error instanceof RgMissing) return await standIn();
        throw error;
      }
    }, signal);

  return {
    raw: makeRawNames(program),
    async files(request, signal) {
      requireNoNul(request);
      const scope = await openScope(request, closed);
      if (scope.isFile) {
        throw new OpsError("NOT_A_DIRECTORY", `'${request.root}' is a file`, "Give a directory in 'root'.");
      }
      const fits = nameTest(request.pattern);
      const accepts: PathTest = (path) => scope.accepts(path) && fits(path);
      const found = await withEngine(
        (rg) => rgFiles(rg, request, accepts, signal),
        () => builtinFiles({ ...request, ...scope, closed, accepts }, MAX_NAMES, signal),
        signal,
      );
      return { ...found, paths: await ranked(found.paths, request.pattern, signal) };
    },
    async content(request, signal) {
      requireNoNul(request);
      const scope = await openScope(request, closed);
      const { isFile, accepts } = scope, isFolder = folderTest(request.root);
      const look = (asked: ContentRequest): Promise<ContentFound> =>
        withEngine(
          (rg) =>
            runContentSearch({ rg, request: asked, isFile, accepts, closed, badPattern, unreadable, isFolder }, signal),
          () => builtinContent({ ...asked, ...scope, closed }, signal),
          signal,
        );
      const found = await look(request);
      if (found.counts.length > 0 || !maySpanLines(request.pattern, request.literal)) return found;
      const across = await look({ ...request, acrossLines: true });
      return across.counts.length > 0 ? { ...across, acrossLines: true } : found;
    },
  };

  async function rgFiles(
    rg: string,
    request: FilesRequest,
    accepts: PathTest,
    signal: AbortSignal,
  ): Promise<FilesFound> {
    const place = rgPlace(request.root, false), paths: string[] = [];
    const leftOut = makeLeftOutCounter();
    const outcome = await runRg({
      program: rg,
      args: filesArgs(request, place, closed),
      cwd: place.cwd,
      separator: 0,
      debug: leftOut.takeDebugLine,
      take(piece) {
        const path = piece === null ? "" : decodeName(piece).replace(/^\.\//, "");
        if (accepts(path)) paths.push(path);
        return paths.length <= MAX_NAMES;
      },
    }, signal);
    if (outcome.code !== null && outcome.code > 2) {
      throw new Error(`ripgrep ended with ${outcome.code}: ${outcome.stderr}`);
    }
    return {
      paths,
      complete: outcome.code !== null,
      unreadable: unreadable(outcome),
      leftOut: leftOut.groups(folderTest(request.root)),
      engine: "rg",
    };
  }
}

/** A root that can be searched, and which paths below it count. */
interface Scope {
  readonly isFile: boolean;
  readonly accepts: PathTest;
  /** Whether it fits the glob, whatever else keeps it out. */
  readonly fits: PathTest;
}

async function openScope(request: SearchScope, closed: readonly string[]): Promise<Scope> {
  const { root, fileGlob, includeHidden } = request;
  const isFile = await isRegularFile(root);
  const near = closed.filter((path) => isInside(path, root));
  if (isInsideAny(root, closed)) {
    throw new OpsError("INVALID_PATH", `'${root}' belongs to this server`, "Search another path.");
  }
  const fits = fileGlob === undefined ? () => true : pathTest(fileGlob);
  return {
    isFile,
    fits,
    accepts: (path) => (includeHidden || !isHidden(path)) && fits(path) && !isInsideAny(joinPath(root, path), near),
  };
}

/** Whether a path below the root is a folder. */
function folderTest(root: string): (path: string) => boolean {
  return (path) => {
    try {
      return Deno.lstatSync(joinPath(root, path)).isDirectory;
    } catch {
      return false; // gone, or not to be looked at
    }
  };
}

async function isRegularFile(root: string): Promise<boolean> {
  try {
    const type = fileType(await Deno.lstat(root));
    if (type === "file") return true;
    if (type === "dir") return false;
  } catch (error) {
    throw fileError(error, root);
  }
  throw new OpsError("INVALID_PATH", `'${root}' is neither a file nor a directory`, "Search a file or a directory.");
}

/** No argument of a program can hold one, and no line of text that is searched does. */
function requireNoNul({ pattern, fileGlob = "" }: { pattern: string; fileGlob?: string | undefined }): void {
  const name = pattern.includes("\0") ? "pattern" : fileGlob.includes("\0") ? "file_glob" : null;
  if (name !== null) throw new OpsError("INVALID_ARGUMENT", `'${name}' contains a NUL character`, "Remove it.");
}

function nameTest(pattern: string): PathTest {
  const ignoreCase = ignoresCase(pattern);
  const wanted = foldLookAlikes(pattern);
  if (hasGlob(pattern)) {
    const exact = pathTest(pattern, { ignoreCase }), alike = pathTest(wanted, { ignoreCase });
    return (path) => exact(path) || alike(foldLookAlikes(path));
  }
  return (path) => foldLookAlikes(ignoreCase ? path.toLowerCase() : path).includes(wanted);
}

async function ranked(paths: readonly string[], pattern: string, signal: AbortSignal): Promise<string[]> {
  const needle = hasGlob(pattern) ? "" : pattern, pacer = makePacer(signal);
  const ranks: { path: string; rank: number }[] = [];
  for (const path of paths) {
    if (ranks.length % PATHS_PER_STEP === 0) await pacer();
    ranks.push({ path, rank: rankPath(path, needle) });
  }
  const sorted = await sortPaced(ranks, (a, b) => a.rank - b.rank || byPath(a.path, b.path), pacer);
  return sorted.map(({ path }) => path);
}

function unreadable({ stderr }: RgOutcome): string[] {
  const paths = stderr.split("\n").flatMap((line) =>
    line.match(/^(?:rg: )?(?:\.\/)?(.*): .* \(os error \d+\)$/)?.[1] ?? []
  );
  return paths.slice(0, MAX_UNREADABLE);
}

/** What ripgrep says of a pattern, without its frame around two engines. */
function badPattern(stderr: string): OpsError {
  const [, ofDefault, ofOther] = stderr.match(/~{9,}\n([^]*?)\n~{9,}\s*(?:PCRE2 regex engine error:\n)?([^]*)/) ?? [];
  const needsOther = ofDefault !== undefined && /is not supported/.test(ofDefault);
  const message = (needsOther ? ofOther : ofDefault) ?? stderr;
  return new OpsError(
    "INVALID_ARGUMENT",
    message.trim().replace(/^rg: /, ""),
    "Correct 'pattern', or set literal to true to search for it literally.",
  );
}
