/** Defines search requests and results, independent of the engine. @module */

import type { SearchLeftOut } from "./left_out.ts";

/** Which program searched: ripgrep, or the search written here that stands in where there is none. */
export type SearchEngine = "rg" | "builtin";

/** Where to look; shared by both kinds of search. */
export interface SearchScope {
  /** Real path of a directory or of one file. Symbolic links below it are not followed. */
  readonly root: string;
  /** Only files whose path below the root, or whose name when it has no slash, fits this glob. */
  readonly fileGlob?: string | undefined;
  /** Files and directories that begin with a dot. */
  readonly includeHidden: boolean;
  /** Files that .gitignore and its relatives exclude. */
  readonly includeIgnored: boolean;
}

/** A search by name. */
export interface FilesRequest extends SearchScope {
  /** A substring of the path below the root, case-smart; with `*`, `?`, `[` or `{` a glob. */
  readonly pattern: string;
}

/** Every file that fits, best first. */
export interface FilesFound {
  /** Paths below the root, ranked; bytes that are not UTF-8 stand as U+DC80 to U+DCFF (see core/escape_name.ts). */
  readonly paths: readonly string[];
  /** Whether every file was seen; false when the bound on results was met. */
  readonly complete: boolean;
  /** Directories and files that could not be looked at. */
  readonly unreadable: readonly string[];
  readonly leftOut: SearchLeftOut;
  readonly engine: SearchEngine;
}

/** A search in file contents. */
export interface ContentRequest extends SearchScope {
  /** A regular expression in Rust's syntax, or plain text. */
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Lines shown before and after each hit. */
  readonly contextLines: number;
  /** The search stops when one hit more than this is known: the first ones in path order are the result. */
  readonly maxHits: number;
  /** Matches may reach over line ends whatever the pattern says. */
  readonly acrossLines?: boolean;
  /** Matching lines are counted, and not kept: `hits` stays empty. */
  readonly countsOnly?: boolean;
}

/** One matching line. */
export interface ContentHit {
  /** Path below the root ("" when the root itself is the file), in the form of {@link FilesFound.paths}. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line without its end, cut around the match when it is long. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** How many lines of a file match. */
export interface FileCount {
  /** As {@link ContentHit.path}. */
  readonly path: string;
  readonly count: number;
}

/** The hits up to the bound, in path order, lines ascending. */
export interface ContentFound {
  readonly hits: readonly ContentHit[];
  /** Matching lines of each file that has one, in path order; of a search that stopped, as far as it came. */
  readonly counts: readonly FileCount[];
  /** Whether the search ran to its end, so that `hits` is all there is. */
  readonly complete: boolean;
  readonly unreadable: readonly string[];
  /** What was not looked at, and why; of a search that stopped, as far as it came. */
  readonly leftOut: SearchLeftOut;
  /** No single line matched, and these matches reach over line ends. */
  readonly acrossLines?: boolean;
  readonly engine: SearchEngine;
}
