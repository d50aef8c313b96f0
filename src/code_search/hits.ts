/** Reads the lines of hits from the files as they are now. @module */
import type { IndexFiles } from "../sys/files/index_files.ts";
import { normalText } from "./chunk_file.ts";
import type { Ranked } from "./rank.ts";
import type { Hit } from "./snippets.ts";

/** A hit and the folder it lies in. */
export interface RootedHit extends Ranked {
  readonly root: string;
}

/** What it takes to read. */
export interface HitDeps {
  readonly files: IndexFiles;
  readonly maxFileBytes: number;
  readonly display: (path: string) => string;
}

/** Of a long definition the head and the parts that match best are shown, unless they lie too far apart. */
const SHOWN_PARTS = 2, LONGEST_SHOWN_LINES = 200;

/** The lines of a file when it is what was indexed, byte by byte. */
function linesOf(root: string, { candidate }: Ranked, deps: HitDeps): readonly string[] | undefined {
  const read = deps.files.read(`${root}/${candidate.path}`, deps.maxFileBytes);
  return read?.text === null || read?.hash !== candidate.hash ? undefined : normalText(read.text).split("\n");
}

function rangeOf({ candidate, parts }: Ranked): Pick<Hit, "startLine" | "endLine" | "nameLines"> {
  const shown = [candidate, ...parts.slice(0, SHOWN_PARTS)].sort((a, b) => a.startLine - b.startLine);
  const startLine = shown[0]?.startLine ?? candidate.startLine;
  const endLine = Math.max(...shown.map((part) => part.endLine));
  if (endLine - startLine >= LONGEST_SHOWN_LINES) {
    return { startLine: candidate.startLine, endLine: candidate.endLine, nameLines: [candidate.nameLine] };
  }
  return { startLine, endLine, nameLines: [shown[0]?.nameLine ?? candidate.nameLine] };
}

/**
 * Hits with the lines of their files; files that have changed since they were indexed are named instead.
 *
 * @param most Hits that are looked at.
 * @param mostFiles Files that are read: each is one snippet at least.
 */
export function readHits(
  ranked: readonly RootedHit[],
  most: number,
  mostFiles: number,
  deps: HitDeps,
): { readonly hits: Hit[]; readonly stale: string[] } {
  const texts = new Map<string, readonly string[] | undefined>();
  const hits: Hit[] = [], stale = new Set<string>(), shown = new Set<string>();
  let looked = 0;
  for (const hit of ranked) {
    if (looked === most) break;
    const { candidate: { path: below, symbol }, root, score } = hit;
    const path = deps.display(`${root}/${below}`);
    if (!texts.has(path)) {
      if (shown.size === mostFiles) {
        looked++; // a further file would be one snippet too many
        continue;
      }
      texts.set(path, linesOf(root, hit, deps));
    }
    const lines = texts.get(path);
    if (lines === undefined) {
      stale.add(path);
      continue;
    }
    looked++;
    shown.add(path);
    hits.push({ path, lines, ...rangeOf(hit), symbols: symbol === "" ? [] : [symbol], score });
  }
  return { hits, stale: [...stale] };
}
