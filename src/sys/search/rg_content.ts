/** Searches contents with ripgrep: in parallel, in path order where the search is cut, binary files named. @module */
import { joinPath } from "../../core/path.ts";
import { isOlder, type OlderEncoding } from "../../core/encodings.ts";
import { decodeName } from "../../core/escape_name.ts";
import { isTextWithNuls, type TextKind, textKind } from "../../core/text_kind.ts";
import { detectEncoding } from "../files/detect_encoding.ts";
import type { PathTest } from "../files/globs.ts";
import { readRegularSync } from "../files/open_file.ts";
import { byPath, makeLeftOutCounter } from "./left_out.ts";
import { contentArgs, notUtf8Args, rgPlace, type RgRunKind } from "./rg_args.ts";
import { makeRgEvents, type RgEvents } from "./rg_events.ts";
import { type RgOutcome, runRg } from "./rg_process.ts";
import type { ContentFound, ContentHit, ContentRequest } from "./search.ts";

/** A search in contents. */
export interface RgContentSearch {
  readonly rg: string;
  readonly request: ContentRequest;
  readonly isFile: boolean;
  readonly accepts: PathTest;
  readonly closed: readonly string[];
  /** What became of a run that could not read its pattern. */
  readonly badPattern: (stderr: string) => Error;
  readonly unreadable: (outcome: RgOutcome) => string[];
  readonly isFolder: (path: string) => boolean;
}

/** Of a file, to see what it is. */
const HEAD_BYTES = 64 * 1024;
/** Files that are searched again as text or in another encoding, and how large those with NULs may be. */
const MAX_AGAIN = 200, MAX_AGAIN_BYTES = 64 * 1024 * 1024;

/** Runs the search. */
export async function runContentSearch(search: RgContentSearch, signal: AbortSignal): Promise<ContentFound> {
  let pass = await runPass(search, signal, { targets: null, sorted: false });
  // Which hits come first in a parallel search is chance: one that has to stop begins again, in order.
  if (!pass.events.isDone && pass.stopped) pass = await runPass(search, signal, { targets: null, sorted: true });
  const { events, outcome, leftOut } = pass;
  const texts: string[] = [];
  for (const path of events.binary) {
    if (texts.length < MAX_AGAIN && mayBeShown(pathOf(search, path))) texts.push(path);
    else leftOut.add("binary", path);
  }
  const older = await filesByEncoding(search, events.notUtf8, signal);
  const decoded = new Set([...older.values()].flat());
  const isRead = ({ path }: { readonly path: string }): boolean => !decoded.has(path);
  const hits = events.hits().filter(isRead), counts = events.counts.filter(isRead);
  let complete = events.isDone;
  const again: RgRunKind[] = [...older].map(([encoding, targets]) => ({ targets, sorted: true, encoding }));
  if (texts.length > 0) again.push({ targets: texts, sorted: true });
  for (const kind of again) {
    const { events } = await runPass(search, signal, kind);
    hits.push(...events.hits());
    counts.push(...events.counts);
    complete &&= events.isDone;
  }
  const { maxHits } = search.request;
  if (hits.length > maxHits) complete = false;
  const place = <T extends { readonly path: string }>(found: T): T => search.isFile ? { ...found, path: "" } : found;
  return {
    hits: hits.map(place).sort(byPlace).slice(0, maxHits),
    counts: counts.map(place).sort((a, b) => byPath(a.path, b.path)),
    complete,
    unreadable: [...search.unreadable(outcome), ...events.overlong],
    leftOut: leftOut.groups(search.isFolder),
    engine: "rg",
  };
}

/** The path of a file as the runtime opens it. */
function pathOf({ isFile, request: { root } }: RgContentSearch, path: string): string {
  return isFile ? root : joinPath(root, path);
}

/**
 * Files in older encodings, by encoding: those with hits, whose lines are to be shown as they are, and, where the pattern
 * goes beyond ASCII, all others, in which it is stored in other bytes.
 */
async function filesByEncoding(
  search: RgContentSearch,
  withHits: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<OlderEncoding, string[]>> {
  const { rg, request, isFile, accepts, closed } = search;
  const paths = new Set(withHits), place = rgPlace(request.root, isFile);
  // deno-lint-ignore no-control-regex -- ASCII is the same in every encoding that is meant here
  if (/[^\x00-\x7f]/.test(request.pattern)) {
    await runRg({
      program: rg,
      args: notUtf8Args(request, place, closed),
      cwd: place.cwd,
      separator: 0,
      take(piece) {
        const path = piece === null ? "" : decodeName(piece).replace(/^\.\//, "");
        if (path !== "" && (isFile || accepts(path))) paths.add(path);
        return paths.size < MAX_AGAIN;
      },
    }, signal);
  }
  const found = new Map<OlderEncoding, string[]>();
  for (const path of [...paths].slice(0, MAX_AGAIN)) {
    const kind = kindOf(pathOf(search, path));
    if (!kind?.text || !isOlder(kind.encoding)) continue;
    const own = found.get(kind.encoding);
    if (own) own.push(path);
    else found.set(kind.encoding, [path]);
  }
  return found;
}

/** What a file is by its start; null when it is gone, or not to be read. */
function kindOf(path: string): TextKind | null {
  try {
    const content = readRegularSync(path, HEAD_BYTES);
    return content === undefined
      ? null
      : textKind(content.bytes, { isWhole: content.sizeBytes <= HEAD_BYTES, detect: detectEncoding });
  } catch {
    return null;
  }
}

/** Compares hits by path, then by line. */
function byPlace(a: ContentHit, b: ContentHit): number {
  return byPath(a.path, b.path) || a.line - b.line;
}

interface Pass {
  readonly events: RgEvents;
  readonly outcome: RgOutcome;
  readonly leftOut: ReturnType<typeof makeLeftOutCounter>;
  /** It was stopped because there were more hits than wanted. */
  readonly stopped: boolean;
}

async function runPass(
  { rg, request, isFile, accepts, closed, badPattern }: RgContentSearch,
  signal: AbortSignal,
  kind: RgRunKind,
): Promise<Pass> {
  const place = rgPlace(request.root, isFile), leftOut = makeLeftOutCounter();
  const { maxHits, contextLines } = request;
  const events = makeRgEvents({
    maxHits,
    contextLines,
    accepts: isFile ? () => true : accepts,
    withholdsBinary: kind.targets === null,
    countsOnly: request.countsOnly ?? false,
  });
  const args = contentArgs(request, place, closed, kind);
  const outcome = await runRg({
    program: rg,
    args,
    cwd: place.cwd,
    separator: 10,
    take: events.take,
    debug: leftOut.takeDebugLine,
  }, signal);
  if (outcome.code === 2 && !events.hasRun) throw badPattern(outcome.stderr);
  return { events, outcome, leftOut, stopped: outcome.code === null };
}

/** Whether a file with NULs is text. */
function mayBeShown(path: string): boolean {
  try {
    const content = readRegularSync(path, HEAD_BYTES);
    if (content === undefined || content.sizeBytes > MAX_AGAIN_BYTES) return false;
    return isTextWithNuls(content.bytes, content.sizeBytes <= HEAD_BYTES);
  } catch {
    return false; // gone, or not to be read: it is named as left out
  }
}
