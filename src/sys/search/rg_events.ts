/** Converts ripgrep's JSON events to hits. @module */
import { decodeName } from "../../core/escape_name.ts";
import { assembleHits, AT_START, type FoundLine, shownLine, type Span } from "./found_lines.ts";
import type { ContentHit, FileCount } from "./search.ts";

/** Text, or base64 of bytes that are not UTF-8. */
type Data = { readonly text: string } | { readonly bytes: string };

interface LineEvent {
  readonly type: "match" | "context";
  readonly data: {
    readonly lines: Data;
    readonly line_number: number;
    readonly submatches: readonly Span[];
  };
}

type Event =
  | { readonly type: "begin"; readonly data: { readonly path: Data } }
  | LineEvent
  | { readonly type: "end"; readonly data: { readonly binary_offset: number | null } }
  | { readonly type: "summary" };

/** Collects hits from events, file by file. */
export interface RgEvents {
  /** Takes one event in JSON; returns whether more hits are wanted. Null stands for an event too large to keep. */
  take(json: Uint8Array<ArrayBuffer> | null): boolean;
  /** The hits so far. */
  hits(): ContentHit[];
  /** Matching lines of the files that were searched to their end. */
  readonly counts: readonly FileCount[];
  /** Whether the search itself ran, as opposed to a pattern that could not be read. */
  readonly hasRun: boolean;
  /** Whether it told that it came to its end. */
  readonly isDone: boolean;
  /** Paths of files with NULs that match; their hits are withheld. */
  readonly binary: readonly string[];
  /** Paths of files with a line among the hits that is not UTF-8. */
  readonly notUtf8: ReadonlySet<string>;
  /** Paths of files with a matching line too long to be shown. */
  readonly overlong: readonly string[];
}

/** Rules for collecting. */
export interface RgEventsOptions {
  readonly maxHits: number;
  readonly contextLines: number;
  /** Whether hits in a file count; its path as `ContentHit.path` has it. */
  accepts(path: string): boolean;
  /** Whether hits in files with NULs are withheld: a NUL ends a line there, so that their numbers are not right. */
  readonly withholdsBinary: boolean;
  /** Lines are not kept. */
  readonly countsOnly: boolean;
  /** Of the text that was handed over, which has no path of its own. */
  readonly path?: string;
}

/** Makes a collector. */
export function makeRgEvents(options: RgEventsOptions): RgEvents {
  const { maxHits, contextLines, accepts, withholdsBinary, countsOnly } = options;
  const decoder = new TextDecoder();
  const hits: ContentHit[] = [], counts: FileCount[] = [], overlong: string[] = [], binary: string[] = [];
  const notUtf8 = new Set<string>();
  let path = "",
    isAccepted = false,
    lines: FoundLine[] = [],
    hasRun = false,
    isDone = false,
    matches = 0,
    ownMatches = 0;

  const finishFile = (): void => {
    hits.push(...assembleHits(path, lines, contextLines));
    lines = [];
    ownMatches = 0;
  };

  return {
    take(json) {
      if (json === null) {
        if (isAccepted) overlong.push(path);
        return true;
      }
      const event: Event = JSON.parse(decoder.decode(json));
      hasRun = true;
      switch (event.type) {
        case "begin":
          path = options.path ?? nameOf(event.data.path).replace(/^\.\//, "");
          isAccepted = accepts(path);
          return true;
        case "match":
        case "context":
          if (!isAccepted) return true;
          // One file with NULs may have any number of them.
          if (event.type === "match") ownMatches++;
          if (!countsOnly && ownMatches <= maxHits + 1) lines.push(toLine(event));
          if (!("text" in event.data.lines)) notUtf8.add(path);
          return true;
        case "end": {
          const isWithheld = withholdsBinary && event.data.binary_offset !== null;
          if (isWithheld && ownMatches > 0) binary.push(path);
          if (isWithheld) lines = [];
          else if (ownMatches > 0) {
            matches += ownMatches;
            counts.push({ path, count: ownMatches });
          }
          finishFile();
          return matches <= maxHits;
        }
        case "summary":
          isDone = true;
          return true;
      }
    },
    hits() {
      finishFile();
      return hits;
    },
    get hasRun() {
      return hasRun;
    },
    get isDone() {
      return isDone;
    },
    notUtf8,
    counts,
    overlong,
    binary,
  };
}

function toLine({ type, data }: LineEvent): FoundLine {
  const text = textOf(data.lines).replace(/\r?\n$/, "");
  const [first] = data.submatches, number = data.line_number;
  const lastNumber = number + text.split("\n").length - 1;
  const span = first ? () => inCharacters(text, first) : AT_START;
  return { number, lastNumber, isMatch: type === "match", text: shownLine(text, span) };
}

/** A span given in bytes of UTF-8. */
function inCharacters(text: string, { start, end }: Span): Span {
  const from = charAt(text, start);
  return { start: from, end: from + charAt(text.slice(from), end - start) };
}

/** Position in characters of a position in bytes. */
function charAt(text: string, byte: number): number {
  let at = 0;
  for (let bytes = 0; bytes < byte && at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A surrogate is half of four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || code >= 0xd800 && code <= 0xdfff ? 2 : 3;
  }
  return at;
}

function bytesOf(data: { readonly bytes: string }): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data.bytes), (character) => character.charCodeAt(0));
}

function textOf(data: Data): string {
  return "text" in data ? data.text : new TextDecoder().decode(bytesOf(data));
}

function nameOf(data: Data): string {
  return "text" in data ? data.text : decodeName(bytesOf(data));
}
