/** Defines the contract between the call pipeline and every tool. @module */
import type { z } from "zod";
import type { Config } from "../config/resolve.ts";
import type { Condense } from "../condense/condenser.ts";
import type { ErrorBody } from "../core/error.ts";
import { once } from "../core/once.ts";
import type { CodeIndex } from "../code_search/index.ts";
import type { Facts } from "../sandbox/protocol.ts";
import type { CallLog } from "../store/calls.ts";
import type { HandleStore } from "../store/handles.ts";
import type { Journal } from "../store/journal.ts";
import type { Entries } from "../sys/files/entries.ts";
import type { Search } from "../sys/search/ripgrep.ts";
import type { Writer } from "../sys/writer/writer.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import type { Programs } from "../exec/programs.ts";
import type { CallOperation } from "./record_changes.ts";
import type { Processes } from "../exec/processes.ts";
import type { ProgramChanges } from "../exec/program_changes.ts";
import type { Scripts } from "../exec/scripts.ts";
import type { Metrics } from "../obs/metrics.ts";

/** What a tool does to the machine; drives annotations, read-only mode, approvals and audit. */
export type Effect = "read" | "write" | "destroy" | "execute";

/** Groups of tools that the operator lists or not; `more` alone belongs to the short list. */
export type Toolset =
  | "fs"
  | "search"
  | "run"
  | "proc"
  | "sys"
  | "rag"
  | "code"
  | "stats"
  | "logs"
  | "mvp"
  | "te"
  | "ufo"
  | "script"
  | "more";

/** Who calls. Labels for records and budgets; never authority. */
export interface SessionContext {
  readonly agentId: string;
  readonly sessionId: string;
  readonly model: string;
  readonly budgetProfile: string;
}

/**
 * How long a caller waits: clients cut a call at 60 s (`brief`) unless they hear of its progress (`listening`); the command
 * line waits `to the end`, and what is started there does not outlive it.
 */
export type Patience = "brief" | "listening" | "to the end";

/** Services handed to a running tool: everything it may touch. */
export interface ToolContext {
  readonly config: Config;
  readonly session: SessionContext;
  /** The principal: it owns the handles and processes that this call makes. Others cannot use them. */
  readonly owner: string;
  /** Path containment. */
  readonly paths: PathGuard;
  /** Facts of entries: only of those that the kernel lets the server reach. */
  readonly entries: Entries;
  /** Changes to files: one queue per real path, atomic. */
  readonly writer: Writer;
  /** What calls changed, and what was there before. */
  readonly journal: Journal;
  /** What programs have changed since the journal was brought up to date; null where that is not recorded. */
  readonly programChanges: Pick<ProgramChanges, "collectAll"> | null;
  /** This call in the journal. */
  readonly operation: CallOperation;
  /** Large results, kept for later. */
  readonly handles: HandleStore;
  /** Finding files and text. */
  readonly search: Search;
  /** The one way to run a program to its end. */
  readonly programs: Programs;
  /** Makes the output of a command short. */
  readonly condense: Condense;
  /** Programs that outlive a call. */
  readonly processes: Processes;
  /** Programs of a model that call tools. */
  readonly scripts: Scripts;
  /** The other tools, called as this caller and checked as any call. */
  readonly others: OtherTools;
  /** Facts of the machine that only the broker can see. */
  readonly facts: Facts;
  /** Code search. */
  readonly index: CodeIndex;
  /** Records of earlier calls. */
  readonly calls: CallLog;
  readonly metrics: Metrics;
  /** Aborts at the deadline or when the client cancels. */
  readonly signal: AbortSignal;
  readonly patience: Patience;
  /** Reports how far a long call is; does nothing when the client did not ask. */
  progress(done: number, total?: number, message?: string): void;
}

/** The answer of another tool. */
interface OtherAnswer {
  readonly result?: unknown;
  readonly error?: ErrorBody;
  readonly text: string;
}

/** What a tool can ask of the others. */
export interface OtherTools {
  /** Those that can be called now and that clients may be shown. */
  callable(): readonly Tool[];
  /** Through the whole pipeline. Ends with this call, or with the signal. */
  call(name: string, args: unknown, signal: AbortSignal): Promise<OtherAnswer>;
}

/** What tools are handed, apart from what belongs to one call. */
export type Services = Omit<
  ToolContext,
  "config" | "session" | "owner" | "operation" | "others" | "signal" | "patience" | "progress"
>;

/** An image for a model. */
export interface Image {
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
}

/** A tool without its schemas. */
interface ToolWithoutSchemas<I extends z.ZodObject, O extends z.ZodType> {
  /** Wire name: `^[a-z][a-z0-9_]{0,39}$` (the two UFO names are upper case), because several clients refuse dots. */
  readonly name: string;
  /** Other names under which it can be called, never listed. The dotted form is always one and is not given here. */
  readonly aliases?: readonly string[];
  /** Human title. */
  readonly title: string;
  /** One line for the model, at most 120 characters. */
  readonly summary: string;
  readonly toolset: Toolset;
  /** See {@link Effect}. */
  readonly effect: Effect;
  /** A repetition with the same arguments changes nothing more. Reads always are. */
  readonly idempotent?: boolean;
  /** In the short list too: what nearly every job needs. */
  readonly core?: boolean;
  /** Calls other tools, each of which is checked as itself: it is announced to clients as the worst of them. */
  readonly passesOn?: boolean;
  /** Runs as long as its own argument says, also for a client that is not told of its progress. */
  readonly takesItsTime?: boolean;
  /** Record tools publish `outputSchema` and structured content over MCP; the others answer with {@link render}. */
  readonly record?: boolean;
  /** What there is to know besides the arguments, made from the other tools; shown where the arguments are asked for. */
  guide?(tools: readonly Tool[]): string;
  /** Lean text for the model; JSON of the result when absent. */
  render?(result: z.output<O>, args: z.output<I>): string;
  /** The image that a result is about; null when there is none to show. */
  image?(result: z.output<O>, context: Pick<ToolContext, "paths">): Promise<Image | null>;
  /** Whether a result reports a failure (a command's exit code, say) although the call itself worked. */
  failed?(result: z.output<O>): boolean;
  /** The behaviour; throws `OpsError` only. A method, not a property, so that every `Tool<I, O>` is also a `Tool`. */
  run(args: z.output<I>, context: ToolContext): Promise<z.input<O>>;
}

/** One tool: its face for the model and its behaviour, in one value. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType>
  extends ToolWithoutSchemas<I, O> {
  /** Arguments: a strict object. */
  readonly input: I;
  /** Result: the full structure of the specification. */
  readonly output: O;
}

/** A tool as its file writes it: schemas take time to make, and most sessions use few. */
interface ToolDefinition<I extends z.ZodObject, O extends z.ZodType> extends ToolWithoutSchemas<I, O> {
  input(): I;
  output(): O;
}

/** Makes a tool whose schemas come to be when they are first looked at. */
export function defineTool<I extends z.ZodObject, O extends z.ZodType>(
  { input, output, ...tool }: ToolDefinition<I, O>,
): Tool<I, O> {
  const madeInput = once(input), madeOutput = once(output);
  return {
    ...tool,
    get input() {
      return madeInput();
    },
    get output() {
      return madeOutput();
    },
  };
}
