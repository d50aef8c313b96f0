/** Snapshot of everything that the page can show; each part is read when it is first needed. @module */
import { within } from "../../core/time.ts";
import { OpsError } from "../../core/error.ts";
import { once } from "../../core/once.ts";
import type { Config } from "../../config/resolve.ts";
import type { Metrics } from "../../obs/metrics.ts";
import type { MetricsSnapshot } from "../../obs/snapshot.ts";
import type { RootStatus } from "../../code_search/index.ts";
import type { SandboxReport } from "../../sandbox/protocol.ts";
import type { CallLog, CallRecord, CallSpan, TeUsage, ToolUsage } from "../../store/calls.ts";
import { ANY_OWNER, type HandleInfo, type HandleStore } from "../../store/handles.ts";
import type { PendingApproval } from "../../call/approval_question.ts";
import type { Approvals } from "../../call/approvals.ts";
import type { ManagedProcess, Processes } from "../../exec/processes.ts";
import type { Effect } from "../../call/tool.ts";
import type { OpenApi } from "../http/openapi.ts";
import type { CallWatch, RunningCall, TokenSum } from "./call_watch.ts";
import type { KeptCall } from "./kept_calls.ts";

/** What is read. */
export interface MomentDeps {
  readonly config: Config;
  readonly watch: CallWatch;
  readonly calls: CallLog;
  readonly metrics: Metrics;
  readonly processes: Processes;
  readonly handles: HandleStore;
  readonly approvals: Approvals;
  readonly report: () => SandboxReport;
  readonly indexStatus: () => Promise<readonly RootStatus[]>;
  readonly effectOf: (tool: string) => Effect | undefined;
  readonly api: () => OpenApi;
  /** Milliseconds since the epoch. */
  readonly epochMs: () => number;
}

/** How far back figures reach. */
export type Range = "hour" | "day";

/** Seconds of each range. */
export const RANGE_SECONDS: Readonly<Record<Range, number>> = { hour: 3_600, day: 86_400 };

/** An answered call, with what the records do not say. */
export interface ShownCall extends CallRecord {
  readonly effect: Effect | undefined;
  /** The call worked, but what it did reports a failure. */
  readonly failed: boolean;
}

/** A call that is not answered yet. */
export interface ShownRunningCall extends RunningCall {
  readonly effect: Effect | undefined;
}

/** A process and what it printed last. */
export interface ShownProcess extends ManagedProcess {
  readonly tail: string;
}

/** See the module; null stands for what cannot be read now. */
export interface Moment {
  readonly nowMs: number;
  readonly config: Config;
  report(): SandboxReport;
  running(): readonly ShownRunningCall[];
  /** Newest first. */
  calls(): readonly ShownCall[] | null;
  usage(range: Range): ReadonlyMap<string, ToolUsage> | null;
  /** Of all tools together. */
  overall(range: Range): ToolUsage | null;
  timeline(range: Range): readonly CallSpan[] | null;
  /** Commands through the Tool Envelope. */
  commands(range: Range): readonly TeUsage[] | null;
  metrics(): MetricsSnapshot;
  tokens(): ReadonlyMap<string, TokenSum>;
  /** Running ones first, then the newest. */
  processes(): readonly ShownProcess[];
  handles(): { readonly list: readonly HandleInfo[]; readonly count: number; readonly bytes: number } | null;
  /** As of the last {@link Moments.refreshIndex}. */
  index(): readonly RootStatus[] | null;
  pending(): readonly PendingApproval[];
  /** Calls of a correlation id that are kept whole, oldest first. */
  kept(correlationId: string): readonly KeptCall[];
  effectOf(tool: string): Effect | undefined;
  /** The description of the HTTP interface. */
  api(): OpenApi;
  hasHandle(id: string): boolean;
  /** What a client calls itself; null where its label is the configured one for those that do not say. */
  clientName(agentId: string): string | null;
}

/** Gives moments. */
export interface Moments {
  now(): Moment;
  /** Asks the index, which lives in another thread. */
  refreshIndex(): Promise<void>;
}

const MAX_CALLS = 100, MAX_PROCESSES = 24, MAX_HANDLES = 100;
const TAIL_BYTES = 4_096;
/** Figures over a range cost some milliseconds and change little. */
const FIGURES_MS = 2_500;
const INDEX_ANSWER_MS = 1_000;

/** Reads the services. */
export function makeMoments(deps: MomentDeps): Moments {
  let index: readonly RootStatus[] | null = null;
  const figures = makeFigures(deps);
  return {
    now: () => momentOf(deps, figures, () => index),
    async refreshIndex() {
      index = await within(deps.indexStatus(), INDEX_ANSWER_MS, null).catch(() => null);
    },
  };
}

type Figures = Pick<Moment, "usage" | "overall" | "timeline" | "commands">;

function makeFigures({ calls, epochMs }: MomentDeps): Figures {
  return {
    usage: byRange(epochMs, (windowSeconds) => calls.usage({ windowSeconds })),
    overall: byRange(epochMs, (windowSeconds) => calls.overall(windowSeconds)),
    timeline: byRange(epochMs, (windowSeconds) => calls.timeline(windowSeconds)),
    commands: byRange(epochMs, (windowSeconds) => calls.teStats(windowSeconds)),
  };
}

function momentOf(deps: MomentDeps, figures: Figures, index: Moment["index"]): Moment {
  const { config, watch, metrics, processes, approvals, epochMs } = deps;
  return {
    nowMs: epochMs(),
    config,
    report: deps.report,
    running: once(() => watch.running().map((call) => ({ ...call, effect: deps.effectOf(call.tool) }))),
    calls: once(() => orNull(() => recentCalls(deps))),
    ...figures,
    metrics: once(() => metrics.snapshot()),
    tokens: watch.tokens,
    processes: once(() => shownProcesses(processes)),
    handles: once(() => orNull(() => shownHandles(deps))),
    index,
    pending: once(() => approvals.pending()),
    kept: watch.kept,
    effectOf: deps.effectOf,
    api: deps.api,
    hasHandle: (id) => orNull(() => deps.handles.info(id, ANY_OWNER)) !== null,
    clientName: (agentId) => agentId === config.settings.session.default_agent_id ? null : agentId,
  };
}

function recentCalls({ calls, watch, effectOf }: MomentDeps): ShownCall[] {
  return calls.recent({ maxResults: MAX_CALLS }).map((call) => ({
    ...call,
    effect: effectOf(call.tool),
    failed: watch.failed(call.correlationId) ?? false,
  }));
}

function shownProcesses(processes: Processes): ShownProcess[] {
  const rank = ({ state }: ManagedProcess) => state === "running" ? 0 : 1;
  return [...processes.list("*")]
    .sort((left, right) => rank(left) - rank(right) || right.startedAt - left.startedAt)
    .slice(0, MAX_PROCESSES)
    .map((each) => ({ ...each, tail: processes.tail(each.procId, each.owner, TAIL_BYTES) ?? "" }));
}

function shownHandles({ handles }: MomentDeps): NonNullable<ReturnType<Moment["handles"]>> {
  const { handles: count, bytes } = handles.usage();
  return { list: handles.list().slice(0, MAX_HANDLES), count, bytes };
}

/** Reads figures over a range, and keeps them for a while. */
function byRange<T>(now: () => number, read: (windowSeconds: number) => T): (range: Range) => T | null {
  const kept: Partial<Record<Range, { readonly value: T | null; readonly atMs: number }>> = {};
  return (range) => {
    const known = kept[range];
    if (known && Math.abs(now() - known.atMs) < FIGURES_MS) return known.value;
    const value = orNull(() => read(RANGE_SECONDS[range]));
    kept[range] = { value, atMs: now() };
    return value;
  };
}

/** What cannot be read is shown as such, and must not take the rest of the page away. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof OpsError) return null;
    throw error;
  }
}
