/** Declares who calls a tool, and what is answered. @module */
import type { Image, Patience, SessionContext, ToolContext } from "./tool.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import type { ErrorBody } from "../core/error.ts";

/** Who calls, and what the face can do for the call. */
export interface Caller {
  /** The principal. */
  readonly owner: string;
  readonly session: SessionContext;
  /** Narrower than the configured roots; absent when the caller may use all of them. The same one for a whole session. */
  readonly paths?: PathGuard;
  /** Path of the HTTP route, for the log; absent over stdio. */
  readonly route?: string;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  readonly correlationId?: string;
  /** Absent when the client did not ask for progress. */
  readonly progress?: ToolContext["progress"];
  /** Default: `listening` when the client asked for progress, else `brief`. */
  readonly patience?: Patience;
  /** What the person decided about the call; absent when the face could not ask: then a code is wanted. */
  readonly consent?: CallConsent;
  /** Whether images can be shown to the model that calls. */
  readonly takesImages?: boolean;
}

/** A person's decision about a call; `dismissed` and `no choice` are answers that decide nothing. */
export type CallConsent = "allowed" | "declined" | "dismissed" | "no choice";

/** Whose something is, and what they may see of the files. */
export type Holder = Pick<Caller, "owner" | "paths">;

/** What a face renders. */
export interface Answer {
  /** Canonical name; what was asked for when there is no such tool. */
  readonly tool: string;
  readonly correlationId: string;
  /** The full structure of the specification; absent on an error. */
  readonly result?: unknown;
  /** What a model reads: lean text, bounded. */
  readonly text: string;
  readonly error?: ErrorBody;
  /** Shown beside the text; for callers that take images only. */
  readonly image?: Image;
  /** Programs that its command names; absent when it started none. */
  readonly programs?: readonly string[];
  /** The call worked, but what it did reports a failure (a command's exit code). */
  readonly failed: boolean;
  readonly record: boolean;
  readonly truncated: boolean;
  /** Of the work; waiting for a person is not counted. */
  readonly durationMs: number;
  readonly tokens: number;
}
