/** Searches contents with ripgrep: in parallel, in path order where the search is cut, binary files named. @module */
import { joinPath } from "../../core/path.ts";
import { encodeText } from "../../core/bytes.ts";
import { makeDecoder } from "../../core/encodings.ts";
import { isTextWithNuls } from "../../core/text_kind.ts";
import { readRegularSync } from "../files/open_file.ts";
import { byPath, makeLeftOutCounter } from "./left_out.ts";
import {
  type EncodingSearch,
  findOtherBytes,
  LOOKED_AT_BYTES,
  type SearchedEncoding,
  sortByEncoding,
} from "./other_encodings.ts";
import { contentArgs, rgPlace, type RgRunKind } from "./rg_args.ts";
import { makeRgEvents, type RgEvents } from "./rg_events.ts";
import { type RgOutcome, runRg } from "./rg_process.ts";
import type { ContentFound, ContentHit } from "./search.ts";

/** A search in contents. */
export interface RgContentSearch extends EncodingSearch {
  /** What became of a run that could not read its pattern. */
  readonly badPattern: (stderr: string) => Error;
  readonly unreadable: (outcome: RgOutcome) => string[];
  readonly isFolder: (path: string) => boolean;
}

/** Files that are searched again as text, and how large those with NULs, or in UTF-32, may be. */
const MAX_AGAIN = 200, MAX_AGAIN_BYTES = 64 * 1024 * 1024;

/** Runs the search. */
export async function runContentSearch(search: RgContentSearch, signal: AbortSignal): Promise<ContentFound> {
  let pass = await runPass(search, signal, { targets: null, sorted: false });
  // Which hits come first in a parallel search is chance: one that has to stop begins again, in order.
  if (!pass.events.isDone && pass.stopped) pass = await runPass(search, signal, { targets: null, sorted: true });
  const { events, outcome, leftOut } = pass, { root, maxHits } = search.request;
  const candidates = new Set([...events.notUtf8, ...events.isDone ? await findOtherBytes(search, signal) : []]);
  const { files, leftOut: tooMany } = await sortByEncoding(root, candidates, signal);
  const decoded = new Set([...files.values()].flat()), texts: string[] = [];
  for (const path of tooMany) leftOut.add("encoding", path);
  for (const path of events.binary) {
    if (decoded.has(path)) continue;
    if (texts.length < MAX_AGAIN && mayBeShown(pathOf(search, path))) texts.push(path);
    else leftOut.add("binary", path);
  }
  const isRead = ({ path }: { readonly path: string }): boolean => !decoded.has(path);
  const hits = events.hits().filter(isRead), counts = events.counts.filter(isRead);
  const again = [...files].flatMap(([encoding, paths]) => passesOf(encoding, paths));
  if (texts.length > 0) again.push({ targets: texts, sorted: true });
  let complete = events.isDone;
  for (const kind of again) {
    const { events } = await runPass(search, signal, kind);
    hits.push(...events.hits());
    counts.push(...events.counts);
    complete &&= events.isDone;
  }
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

/** How files in an encoding are searched: ripgrep decodes all but UTF-32, whose text it is handed. */
function passesOf(encoding: SearchedEncoding, paths: readonly string[]): PassKind[] {
  if (encoding !== "utf-32le" && encoding !== "utf-32be") return [{ targets: paths, sorted: true, encoding }];
  return paths.map((path) => ({ targets: [path], sorted: true, isPiped: true, utf32: encoding }));
}

/** The path of a file as the runtime opens it. */
function pathOf({ isFile, request: { root } }: RgContentSearch, path: string): string {
  return isFile ? root : joinPath(root, path);
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

/** One run, and the encoding of the file whose text it is handed. */
interface PassKind extends RgRunKind {
  readonly utf32?: "utf-32le" | "utf-32be";
}

async function runPass(search: RgContentSearch, signal: AbortSignal, kind: PassKind): Promise<Pass> {
  const { rg, request, isFile, accepts, closed, badPattern } = search,
    piped = kind.utf32 ? kind.targets?.[0] : undefined;
  const place = rgPlace(request.root, isFile), leftOut = makeLeftOutCounter();
  const { maxHits, contextLines } = request;
  const events = makeRgEvents({
    maxHits,
    contextLines,
    accepts: isFile || piped !== undefined ? () => true : accepts,
    ...piped === undefined ? {} : { path: piped },
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
    ...piped === undefined || !kind.utf32 ? {} : { input: readUtf32(pathOf(search, piped), kind.utf32) },
    debug: leftOut.takeDebugLine,
  }, signal);
  if (outcome.code === 2 && !events.hasRun) throw badPattern(outcome.stderr);
  return { events, outcome, leftOut, stopped: outcome.code === null };
}

/** The text of a file in UTF-8; nothing when it is gone, or too large. */
function readUtf32(path: string, encoding: "utf-32le" | "utf-32be"): Uint8Array {
  try {
    const content = readRegularSync(path, MAX_AGAIN_BYTES);
    const text = content === undefined ? "" : makeDecoder(encoding).decode(content.bytes);
    return encodeText(text.replace(/^\ufeff/, ""));
  } catch {
    return new Uint8Array();
  }
}

/** Whether a file with NULs is text. */
function mayBeShown(path: string): boolean {
  try {
    const content = readRegularSync(path, LOOKED_AT_BYTES);
    if (content === undefined || content.sizeBytes > MAX_AGAIN_BYTES) return false;
    return isTextWithNuls(content.bytes, content.sizeBytes <= LOOKED_AT_BYTES);
  } catch {
    return false; // gone, or not to be read: it is named as left out
  }
}
