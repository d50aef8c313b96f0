/** Searches contents with ripgrep: in parallel, in path order where the search is cut, binary files named. @module */
import { joinPath } from "../../core/path.ts";
import { isTextWithNuls } from "../../core/text_kind.ts";
import type { PathTest } from "../files/globs.ts";
import { readRegularSync } from "../files/open_file.ts";
import { byPath, makeLeftOutCounter } from "./left_out.ts";
import { contentArgs, rgPlace } from "./rg_args.ts";
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

/** Of a file with NULs, to see whether it is text. */
const HEAD_BYTES = 64 * 1024;
/** Files with NULs that are searched again as text, and how large they may be. */
const MAX_AGAIN = 200, MAX_AGAIN_BYTES = 64 * 1024 * 1024;

/** Runs the search. */
export async function runContentSearch(search: RgContentSearch, signal: AbortSignal): Promise<ContentFound> {
  let pass = await runPass(search, signal, { targets: null, sorted: false });
  // Which hits come first in a parallel search is chance: one that has to stop begins again, in order.
  if (!pass.events.isDone && pass.stopped) pass = await runPass(search, signal, { targets: null, sorted: true });
  const { events, outcome, leftOut } = pass;
  const { maxHits, root } = search.request;
  const hits = [...events.hits()];
  const texts: string[] = [];
  for (const path of events.binary) {
    if (texts.length < MAX_AGAIN && mayBeShown(search.isFile ? root : joinPath(root, path))) texts.push(path);
    else leftOut.add("binary", path);
  }
  const unreadable = [...search.unreadable(outcome), ...events.overlong];
  let complete = events.isDone;
  if (texts.length > 0) {
    const again = await runPass(search, signal, { targets: texts, sorted: true });
    hits.push(...again.events.hits());
    complete &&= again.events.isDone;
  }
  if (hits.length > maxHits) complete = false;
  const placed = (search.isFile ? hits.map((hit) => ({ ...hit, path: "" })) : hits).sort(byPlace);
  return {
    hits: placed.slice(0, maxHits),
    complete,
    unreadable,
    leftOut: leftOut.groups(search.isFolder),
    engine: "rg",
  };
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
  { targets, sorted }: { targets: readonly string[] | null; sorted: boolean },
): Promise<Pass> {
  const place = rgPlace(request.root, isFile), leftOut = makeLeftOutCounter();
  const { maxHits, contextLines } = request;
  const events = makeRgEvents({
    maxHits,
    contextLines,
    accepts: isFile ? () => true : accepts,
    withholdsBinary: targets === null,
  });
  const args = contentArgs(request, place, closed, { targets, sorted });
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
