/** Pipeline of every tool call, whichever transport it came through. @module */
import type { Answer, Caller } from "./answer.ts";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import { makeStopwatch, type Stopwatch, unlessAborted, within } from "../core/time.ts";
import { estimateTokens } from "../core/tokens.ts";
import { type AccountDeps, keepAccount } from "./account.ts";
import type { Approvals } from "./approvals.ts";
import { readArguments } from "./arguments.ts";
import type { Catalog } from "./catalog.ts";
import { errorAnswer, errorBody } from "./error_answer.ts";
import { checkPolicy } from "./policy.ts";
import { narrowServices } from "./narrow_services.ts";
import { otherTools } from "./other_tools.ts";
import type { Secrets } from "./secrets.ts";
import { hashOwner } from "../store/owner_hash.ts";
import { summarizeArgs } from "../store/args_summary.ts";
import { recordChanges } from "./record_changes.ts";
import { recordPrograms } from "./record_programs.ts";
import { noteProgramNames } from "./named_programs.ts";
import { renderWithin, type Success } from "./render_within.ts";
import { makeToldHandles } from "./told_handles.ts";
import type { Patience, Services, Tool, ToolContext } from "./tool.ts";

/** What the envelope needs besides the services that it hands to tools. */
export interface EnvelopeDeps extends AccountDeps {
  readonly catalog: Catalog;
  readonly approvals: Approvals;
  readonly services: Services;
  readonly secrets: Secrets;
  /** A clock that only grows, in milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** Runs tools. */
export interface Envelope {
  /** Never throws: every failure is an answer. */
  call(name: string, args: unknown, caller: Caller): Promise<Answer>;
}

/** Clients cut a call at 60 s; nothing makes them wait longer than this, unless they listen to its progress. */
const LONGEST_CALL_MS = 50_000;
/** For a program to end after its own deadline. */
const END_GRACE_MS = 10_000;
/** A tool that does not end after its signal is answered for. */
const ABORT_GRACE_MS = 2_000;

/** Builds the path. */
export function makeEnvelope(deps: EnvelopeDeps): Envelope {
  const envelope: Envelope = {
    async call(called, given, caller) {
      const { name, args } = deps.catalog.meant(called, given);
      const startedMs = deps.now();
      const correlationId = caller.correlationId ?? deps.newId();
      const tool = deps.catalog.find(name);
      const waiting = makeStopwatch(deps.now);
      const outcome = await attempt({ ...deps, envelope }, tool, name, args, caller, waiting).then(
        (value) => value,
        (error: unknown) => ({
          error: deps.secrets.maskValue(
            errorBody(error, { tool: name, correlationId, signal: caller.signal }, deps.log),
          ),
        }),
      );
      const durationMs = deps.now() - startedMs - waiting.totalMs();
      const answer = "error" in outcome
        ? errorAnswer(tool?.name ?? name, outcome.error, correlationId, durationMs)
        : { ...outcome, correlationId, durationMs };
      keepAccount(deps, tool?.name ?? "unknown", args, caller, answer);
      return answer;
    },
  };
  return envelope;
}

async function attempt(
  deps: EnvelopeDeps & { readonly envelope: Envelope },
  tool: Tool | undefined,
  name: string,
  args: unknown,
  caller: Caller,
  waiting: Stopwatch,
): Promise<Success> {
  if (!tool) throw deps.catalog.unknown(name);
  const needsConsent = deps.approvals.wants(tool);
  const { own, confirm } = needsConsent ? withoutConfirm(tool, args) : { own: args, confirm: undefined };
  checkPolicy(tool, deps.config.settings); // first, as the specification has it: what is off has no wrong arguments
  const { args: parsed, notes } = readArguments(tool.input, own);
  if (needsConsent) await waiting.time(() => askPerson(deps, tool, parsed, confirm, caller));
  const patience = caller.patience ?? (caller.progress ? "listening" : "brief");
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(timeLimitMs(tool, deps.config, patience))]);
  const told = makeToldHandles(deps.services.handles),
    services = caller.paths ? narrowServices(deps.services, caller.paths) : deps.services;
  const changes = recordedFor(deps, tool, parsed, caller, services);
  const programs = recordPrograms(services, changes.describePrograms), named = noteProgramNames(programs.services);
  const context: ToolContext = {
    ...services,
    ...named.services,
    writer: changes.writer,
    operation: changes.operation,
    handles: told.handles,
    others: otherTools(deps, caller, signal),
    config: deps.config,
    session: caller.session,
    owner: caller.owner,
    signal,
    patience,
    progress: caller.progress ?? (() => {}),
  };
  await deps.secrets.refresh(parsed, context.paths);
  const { args: real, notes: secretNotes } = deps.secrets.argumentsFor(tool, parsed);
  const result = tool.output.parse(await withDeadline(changes.during(tool.run(real, context)), signal));
  const image = caller.takesImages ? await tool.image?.(result, context) : null;
  await deps.secrets.refresh(parsed, context.paths); // the call may have changed what the files hold
  const rendered = renderWithin(tool, parsed, await deps.secrets.maskResult(result), context, [
    ...notes,
    ...secretNotes,
    ...new Set(told.notes),
    ...changes.notes,
    ...programs.notes(),
    ...deps.services.processes.takeEnded(caller.owner, caller.session.sessionId),
  ]);
  await told.stored();
  const text = await deps.secrets.maskLong(rendered.text); // again: lines that were apart are together now
  const used = named.names.size > 0 ? { programs: [...named.names] } : {};
  return { ...rendered, text, tokens: estimateTokens(text), ...image ? { image } : {}, ...used };
}

/** The writer of a call, which records what the call changes, where the operator wants that. */
function recordedFor(
  { config, services: { journal }, secrets, now }: EnvelopeDeps,
  tool: Tool,
  args: object,
  { owner, session }: Caller,
  { writer }: Services,
) {
  const { enabled, children, max_bytes, max_file_bytes } = config.settings.undo, notes: string[] = [];
  const isRecorded = enabled && tool.effect !== "read";
  const describe = () => ({
    owner: hashOwner(owner),
    agentId: session.agentId,
    sessionId: session.sessionId,
    tool: tool.name,
    summary: summarizeArgs(args, secrets.mask),
  });
  const recorded = recordChanges(writer, {
    journal,
    maxBytes: max_bytes,
    maxFileBytes: max_file_bytes,
    describe,
    now,
  });
  return {
    describePrograms: enabled && children ? describe : undefined,
    writer: isRecorded ? recorded.writer : writer,
    operation: recorded.operation,
    notes,
    /** The operation ends with the work, which may go on after its call. */
    async during<T>(work: Promise<T>): Promise<T> {
      return await work.finally(() => notes.push(...recorded.end()));
    },
  };
}

/** Where consent is needed, every tool takes a code besides its own arguments. */
function withoutConfirm(tool: Tool, args: unknown): { own: unknown; confirm: string | undefined } {
  if (typeof args !== "object" || args === null || !("confirm" in args) || "confirm" in tool.input.shape) {
    return { own: args, confirm: undefined };
  }
  const { confirm, ...own } = args;
  return { own, confirm: confirm === null || confirm === undefined ? undefined : String(confirm) };
}

async function askPerson(
  { approvals }: EnvelopeDeps,
  tool: Tool,
  args: object,
  confirm: string | undefined,
  caller: Caller,
): Promise<void> {
  const { consent, owner, session, signal } = caller;
  if (consent === undefined) return await approvals.check({ tool, args, confirm, owner, session, signal });
  if (consent === "declined") throw new OpsError("APPROVAL_DECLINED", `the person declined ${tool.name}`);
  if (consent !== "allowed") throw new OpsError("APPROVAL_REQUIRED", `${tool.name}: ${UNDECIDED[consent]}`, ASK_AGAIN);
}

const UNDECIDED = {
  "dismissed": "the person closed the question without an answer",
  "no choice": "the client answered without the person's choice",
} as const;
const ASK_AGAIN = "Nothing was decided. Call again only if the person wants it; they are then asked again.";

/** Reads answer quickly or not at all; what changes something is not cut in the middle by a short limit. */
function timeLimitMs(tool: Tool, { settings }: Config, patience: Patience): number {
  const { read_timeout, exec_timeout } = settings.tools, { max_timeout_sec } = settings.linux_ops.process_limits;
  if (tool.effect === "read" && tool.takesItsTime) return LONGEST_CALL_MS;
  if (tool.effect === "read" && tool.toolset !== "proc") return Math.min(read_timeout * 1000, LONGEST_CALL_MS);
  if (tool.effect !== "execute" || patience === "brief" && !tool.takesItsTime) return LONGEST_CALL_MS;
  return Math.max(max_timeout_sec, exec_timeout) * 1000 + END_GRACE_MS;
}

/** What the tool gives; after an abort it has a moment to end by itself. */
async function withDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await unlessAborted(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const ended = await within(work.then((value) => ({ value })), ABORT_GRACE_MS, null);
    if (ended === null) throw signal.reason;
    return ended.value;
  }
}
