/** Declares what the command line asks of the server worker. @module */
import type { Answer } from "../call/answer.ts";
import type { Config } from "../config/resolve.ts";
import type { RootStatus, SyncReport } from "../code_search/index.ts";
import type { ServerVerbs, Startup } from "../sandbox/protocol.ts";
import type { FailureRecord } from "../store/store_failures.ts";
import type { SecretSearch } from "../sys/files/secret_files.ts";
import type { TeUsage } from "../store/calls.ts";

/** What came of a new configuration. */
export interface Reloaded {
  /** Keys that took effect. */
  readonly changed: readonly string[];
  /** Keys that wait for a restart. */
  readonly waiting: readonly string[];
}

/** One line of the tool list. */
export interface ToolLine {
  readonly name: string;
  readonly summary: string;
  readonly toolset: string;
  readonly listed: boolean;
}

/** What lies in the stores. */
export interface Stored {
  /** Null when they cannot be read. */
  readonly handles: { readonly count: number; readonly bytes: number } | null;
  /** Why a result cannot be stored now; null when one was. */
  readonly refused: string | null;
  /** The last result that could not be stored. */
  readonly lastFailure: FailureRecord | null;
  readonly index: readonly RootStatus[];
}

/** Verbs over the port between main and the server worker. */
export interface AppVerbs extends ServerVerbs {
  /** One tool call on behalf of the operator. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** What went through the Tool Envelope in the last so many seconds. */
  teStats(windowSeconds: number): Promise<readonly TeUsage[]>;
  tools(): Promise<ToolLine[]>;
  /** Takes over what can change in a running server. */
  reload(next: Config): Promise<Reloaded>;
  /** Figures of each indexed folder. */
  indexStatus(): Promise<readonly RootStatus[]>;
  /** Brings every index up to date, or makes it anew, and waits for it. */
  indexSync(rebuild: boolean): Promise<SyncReport>;
  /** How far {@link indexSync} is. */
  indexProgress(): Promise<{ readonly done: number; readonly total: number }>;
  ripgrep(): Promise<Startup["ripgrep"]>;
  stored(): Promise<Stored>;
  /** How far the search for files with secrets is, after it had so much time; null where nothing is masked. */
  secretSearch(patienceMs: number): Promise<SecretSearch | null>;
}
