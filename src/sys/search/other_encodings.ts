/** Finds the files of a search that are text in another encoding than UTF-8. @module */
import { isOlder, isWide, type OlderEncoding, type WideEncoding } from "../../core/encodings.ts";
import { decodeName } from "../../core/escape_name.ts";
import { joinPath } from "../../core/path.ts";
import { type TextKind, textKind } from "../../core/text_kind.ts";
import { detectEncoding } from "../files/detect_encoding.ts";
import type { PathTest } from "../files/globs.ts";
import { readRegularSync } from "../files/open_file.ts";
import { makePacer } from "../pacer.ts";
import { otherBytesArgs, rgPlace } from "./rg_args.ts";
import { runRg } from "./rg_process.ts";
import type { ContentRequest } from "./search.ts";

/** Of a file, to see what it is. */
export const LOOKED_AT_BYTES = 64 * 1024;
/** Files that are looked at, and of them searched again. */
const MAX_CANDIDATES = 5_000, MAX_FILES = 1_000;

/** Encodings in which a file is searched once more. */
export type SearchedEncoding = OlderEncoding | WideEncoding;

/** What is searched, and with what. */
export interface EncodingSearch {
  readonly rg: string;
  readonly request: ContentRequest;
  readonly isFile: boolean;
  readonly accepts: PathTest;
  readonly closed: readonly string[];
}

/** Files by encoding; those that were too many to be looked at. */
export interface FilesByEncoding {
  readonly files: ReadonlyMap<SearchedEncoding, readonly string[]>;
  readonly leftOut: readonly string[];
}

/**
 * Lists files with bytes that UTF-8 text does not have: NULs, as UTF-16 and UTF-32 have them, and, for a pattern beyond
 * ASCII, those of older encodings, in which it is stored in other bytes.
 */
export async function findOtherBytes(search: EncodingSearch, signal: AbortSignal): Promise<string[]> {
  const { rg, request, isFile, accepts, closed } = search, place = rgPlace(request.root, isFile), paths: string[] = [];
  if (isFile) return [""];
  // deno-lint-ignore no-control-regex -- ASCII is the same in every older encoding that is meant here
  const isAscii = !/[^\x00-\x7f]/.test(request.pattern);
  await runRg({
    program: rg,
    args: otherBytesArgs(request, place, closed, isAscii),
    cwd: place.cwd,
    separator: 0,
    take(piece) {
      const path = piece === null ? "" : decodeName(piece).replace(/^\.\//, "");
      if (path !== "" && accepts(path)) paths.push(path);
      return true;
    },
  }, signal);
  return paths;
}

/** Sorts files by their encoding: those that ripgrep does not decode by itself. @param paths Below the root. */
export async function sortByEncoding(
  root: string,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FilesByEncoding> {
  const files = new Map<SearchedEncoding, string[]>(), leftOut: string[] = [], pacer = makePacer(signal);
  let looked = 0, found = 0;
  for (const path of paths) {
    await pacer();
    const kind = looked++ < MAX_CANDIDATES ? kindOf(path === "" ? root : joinPath(root, path)) : null;
    if (looked > MAX_CANDIDATES) leftOut.push(path);
    const encoding = kind?.text ? searchedEncoding(kind) : null;
    if (encoding === null) continue;
    if (found++ >= MAX_FILES) leftOut.push(path);
    else files.set(encoding, [...files.get(encoding) ?? [], path]);
  }
  return { files, leftOut };
}

/** Null for UTF-8, and for UTF-16 with a byte order mark, which ripgrep decodes by itself. */
function searchedEncoding({ encoding, bomBytes }: Extract<TextKind, { text: true }>): SearchedEncoding | null {
  if (isOlder(encoding)) return encoding;
  return isWide(encoding) && (bomBytes === 0 || encoding.startsWith("utf-32")) ? encoding : null;
}

/** What a file is by its start; null when it is gone, or not to be read. */
function kindOf(path: string): TextKind | null {
  try {
    const content = readRegularSync(path, LOOKED_AT_BYTES);
    return content === undefined
      ? null
      : textKind(content.bytes, { isWhole: content.sizeBytes <= LOOKED_AT_BYTES, detect: detectEncoding });
  } catch {
    return null;
  }
}
