/** Interface of code search for tools and transports: questions in, snippets with exact locations out. @module */

import type { RewriteAnswer, RewriteQuestion } from "./rewrite/find_rewrites.ts";
import type { SymbolAnswer, SymbolWant } from "./symbols/symbol.ts";
import type { Snippet } from "./snippets.ts";
import type { Within } from "./within.ts";

/** Which files are searched: code, prose, or everything. */
export type CodeScope = "repo" | "docs" | "both";

/** One question. */
export interface SearchRequest {
  readonly q: string;
  readonly scope: CodeScope;
  /** Most snippets wanted. */
  readonly k: number;
  /** Most estimated tokens of all snippets together. */
  readonly budgetTokens: number;
  /** Everything that is indexed when absent. */
  readonly within?: Within;
  readonly signal?: AbortSignal;
  /** Told how far it is while the question waits for an index that is being made. */
  readonly progress?: IndexProgress;
}

/** One question about a symbol: a name, perhaps with what it is in, or a place, or both. */
export interface SymbolRequest {
  readonly want: SymbolWant;
  readonly name?: string | undefined;
  /** Real path of a file. */
  readonly path?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  /** What it is to be called: the answer then has every place that gets the new name, definitions included. */
  readonly newName?: string | undefined;
  readonly within?: Within;
  readonly signal: AbortSignal;
}

/** One structural rewrite. */
export interface RewriteRequest extends Pick<RewriteQuestion, "pattern" | "replacement" | "grammar"> {
  /** Real path of a file or folder; everything that is indexed when absent. */
  readonly path?: string | undefined;
  readonly within?: Within;
  readonly signal: AbortSignal;
}

/** How far the index can be trusted. Wire form. */
export interface IndexState {
  /** Every file on disk is in the index as it is now. */
  readonly fresh: boolean;
  readonly files: number;
  /** ISO time of the last change of the index; null before the first. */
  readonly indexed_at: string | null;
  readonly state: "ready" | "indexing" | "empty";
  /** Changed files that are not indexed yet, at most 20. */
  readonly stale?: readonly string[];
  /** Files done and to do, while indexing. */
  readonly progress?: { readonly done: number; readonly total: number };
  /** What the caller should know: a rebuilt database, an embeddings endpoint that is down. */
  readonly warnings?: readonly string[];
}

/** Answer of {@link CodeIndex.search}. Wire form. */
export interface SearchAnswer {
  readonly snippets: readonly Snippet[];
  readonly provenance: true;
  readonly index: IndexState;
}

/** Answer of {@link CodeIndex.bootload}. Wire form. */
export interface Bootload {
  readonly session_id: string;
  readonly task_id: string;
  readonly plan: string;
  readonly scope: CodeScope;
  readonly notes: string;
  readonly entry_points: readonly string[];
  /** Folder and one line about it. */
  readonly modules: readonly { readonly path: string; readonly about: string }[];
  /** Files that most others lean on. */
  readonly hot_files: readonly string[];
  /** Subjects of the last commits of the checked-out branch, newest first. */
  readonly last_commits: readonly string[];
  readonly index: IndexState;
}

/** One indexed folder. */
export interface RootStatus {
  readonly root: string;
  readonly state: IndexState["state"] | "unavailable";
  readonly files: number;
  readonly chunks: number;
  readonly size_bytes: number;
  readonly indexed_at: string | null;
  readonly reason?: string;
}

/** Called while files are indexed. */
export type IndexProgress = (done: number, total: number, path: string) => void;

/** What a synchronisation did. */
export interface SyncReport {
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly duration_ms: number;
}

/** Options of the calls that index. */
export interface SyncOptions {
  readonly signal?: AbortSignal;
  readonly progress?: IndexProgress;
}

/** The code search. */
export interface CodeIndex {
  /** Answers from what is indexed, after up to 200 ms of catching up with the disk. Never fails on the question's form. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /**
   * Finds a symbol and its uses in the files as they are now. Paths are displayed paths.
   *
   * @throws OpsError NOT_FOUND when there is nothing of that name.
   */
  symbol(request: SymbolRequest): Promise<SymbolAnswer>;
  /** Finds what a structural rewrite changes; nothing is written. Paths are displayed paths. @throws OpsError INVALID_ARGUMENT */
  rewrite(request: RewriteRequest): Promise<RewriteAnswer>;
  /** What a session should know first, under 600 tokens. */
  bootload(sessionId: string, taskId: string, within?: Within): Promise<Bootload>;
  /** Reads figures only, indexes nothing. */
  status(): Promise<readonly RootStatus[]>;
  /** Brings every root up to date and waits for it. */
  sync(options?: SyncOptions): Promise<SyncReport>;
  /** Forgets everything and indexes again. */
  rebuild(options?: SyncOptions): Promise<SyncReport>;
  close(): Promise<void>;
}
