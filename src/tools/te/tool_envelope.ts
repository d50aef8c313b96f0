/** Tool Envelope: runs a command, condenses its output, accounts for its cost, and stores the whole. @module */
import type { Lean, TeContext } from "./te_context.ts";
import type { RunOutcome } from "../../exec/run_outcome.ts";
import { byteLength } from "../../core/bytes.ts";
import { estimateTokens } from "../../core/tokens.ts";
import { sleep } from "../../core/time.ts";
import { maskCommandLine } from "../../core/mask_secrets.ts";
import { OpsError } from "../../core/error.ts";
import { makeBudgets } from "../../call/budgets.ts";
import type { Enriched } from "../../condense/enrich.ts";
import { besideNote } from "../../core/bound.ts";
import { boundPlain } from "../../core/bound_lines.ts";
import { hasExternal, runExternal } from "./external_te.ts";
import { searchingFolders } from "./grep_folders.ts";
import { recordRun, type RunEvent } from "./record_run.ts";
import type { TeResult } from "./te_result.ts";
import type { SessionContext } from "../../call/tool.ts";

/** What to run. Exactly one of `command` and `argv` is given. */
export interface TeRequest {
  readonly command?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** The plain output, whatever it costs. */
  readonly raw?: boolean | undefined;
  /** Who calls, where the call says it; the session's own otherwise. */
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
}

/** What a run gives beside the wire structure. */
export interface TeRun {
  readonly result: TeResult;
  /** Output as the program wrote it, for callers that parse it themselves; at most {@link INLINE_BYTES} a stream. */
  readonly plain: { readonly stdout: string; readonly stderr: string };
}

/** Enrichment looks at so much of each stream; what is beyond stands behind the handle. */
const INLINE_BYTES = 384 * 1024;

/**
 * Runs a command and answers with lean output.
 * @throws OpsError as `Programs.run` does
 */
export async function runTe(request: TeRequest, context: TeContext): Promise<TeRun> {
  const started: Started = {
    session: sessionOf(request, context.session),
    spelled: spelled(request),
    atMs: performance.now(),
  };
  try {
    const ran = await runProgram(request, started.session, context);
    if (ran.outcome.truncated) await sleep(0); // to keep a long output took its time: other calls come first
    return { result: await answer(request, ran, started, context), plain: ran.lean ?? ran.outcome };
  } catch (error) {
    record(context, started, { mode: "error", error: error instanceof OpsError ? error.code : "INTERNAL" });
    throw error;
  }
}

/** What is known before the command runs. */
interface Started {
  readonly session: SessionContext;
  /** The command on one line, secrets masked. */
  readonly spelled: string;
  readonly atMs: number;
}

interface Ran {
  readonly outcome: RunOutcome;
  /** From an external te. */
  readonly lean?: Lean;
}

/** Shows the output within the budget, keeps the rest, and writes down what it cost. */
async function answer(
  request: TeRequest,
  { outcome, lean: given }: Ran,
  started: Started,
  context: TeContext,
): Promise<TeResult> {
  const { te, tools } = context.config.settings;
  const { agentId, sessionId } = started.session;
  const budgets = makeBudgets(te.budgets, context.calls);
  const mostTokens = besideNote(tools.result_tokens);
  const budgetTokens = te.enabled ? budgets.sizeFor(agentId, sessionId, mostTokens) : mostTokens;
  const lean = request.raw || !te.enabled
    ? plainOf(outcome, request.raw ? "raw" : "passthrough", budgetTokens)
    : given ?? await leanOf(outcome, budgetTokens, context);
  if (outcome.truncated) await sleep(0); // so did condensing it
  const handle = lean.truncated ? outcome.handle ?? keepWhole(outcome, context) : outcome.handle;
  const tokens = estimateTokens(lean.stdout) + estimateTokens(lean.stderr);
  record(context, started, {
    mode: lean.mode,
    inputBytes: outcome.stdoutBytes + outcome.stderrBytes,
    outputBytes: byteLength(lean.stdout) + byteLength(lean.stderr),
    outputTokens: tokens,
    truncated: lean.truncated,
    handle,
  });
  return {
    success: outcome.state === "exited" && !outcome.failed,
    mode: lean.mode,
    command: started.spelled,
    stdout: lean.stdout,
    stderr: lean.stderr,
    exit_code: outcome.exitCode,
    state: outcome.state,
    ...(outcome.procId !== null && { proc_id: outcome.procId }),
    enrichment: { ...lean.facts, truncated: lean.truncated, handle, tokens_estimate: tokens },
    telemetry: {
      latency_ms: Math.round((performance.now() - started.atMs) * 10) / 10,
      agent_id: agentId,
      session_id: sessionId,
      budget_remaining: budgets.remaining(agentId, sessionId),
    },
  };
}

async function runProgram(
  request: TeRequest,
  session: SessionContext,
  context: TeContext,
): Promise<Ran> {
  const { settings } = context.config;
  const run = {
    command: request.command,
    argv: request.argv,
    cwd: request.cwd,
    timeoutMs: request.timeoutMs ?? settings.te.timeout * 1_000,
    env: { TE_AGENT_ID: session.agentId, TE_SESSION_ID: session.sessionId, TE_MODEL: session.model },
    owner: context.owner,
    session: context.session.sessionId,
    inlineBytes: INLINE_BYTES,
    keepAnsi: request.raw,
  };
  if (settings.te.enabled && settings.te.script_path !== "" && !request.raw && hasExternal(context.config)) {
    const external = await runExternal(run, context);
    if (external !== null) return external;
  }
  const outcome = await context.programs.run(run, context.signal);
  const deeper = settings.te.enabled && !request.raw ? searchingFolders(outcome) : null;
  if (deeper === null) return { outcome };
  return { outcome: await context.programs.run({ ...run, command: undefined, argv: deeper }, context.signal) };
}

async function leanOf(outcome: RunOutcome, budgetTokens: number, { condense }: TeContext): Promise<Lean> {
  if (outcome.state === "running") return plainOf(outcome, "passthrough", budgetTokens);
  const { argv, stdout, stderr, cwd, exitCode, stdoutBytes, stderrBytes } = outcome;
  const unreadBytes = Math.max(0, stdoutBytes - INLINE_BYTES) + Math.max(0, stderrBytes - INLINE_BYTES);
  const input = { argv, stdout, stderr, cwd, exitCode: exitCode ?? 0, budgetTokens, unreadBytes };
  const enriched = await condense(input);
  if (enriched === null) return plainOf(outcome, "passthrough", budgetTokens);
  return {
    mode: enriched.text === stdout && enriched.stderr === stderr ? "passthrough" : "enriched",
    stdout: enriched.text,
    stderr: enriched.stderr,
    truncated: enriched.truncated || outcome.truncated,
    facts: factsOf(enriched),
  };
}

function factsOf(enriched: Enriched): Lean["facts"] {
  return {
    kind: enriched.kind,
    ...(enriched.matchCount !== undefined && { match_count: enriched.matchCount }),
    ...(enriched.hotZone !== undefined && { hot_zone: enriched.hotZone }),
    ...(enriched.omitted !== "" && { omitted: enriched.omitted }),
  };
}

/** Head and tail of both streams; raw output passes whole. */
function plainOf(outcome: RunOutcome, mode: "raw" | "passthrough", budgetTokens: number): Lean {
  const { stdout, stderr, truncated } = outcome;
  if (mode === "raw") return { mode, stdout, stderr, truncated, facts: {} };
  const err = boundPlain(stderr, stdout === "" ? budgetTokens : Math.floor(budgetTokens / 4));
  const out = boundPlain(stdout, budgetTokens - estimateTokens(err.text));
  const omitted = [out.omitted, err.omitted].filter((part) => part !== "").join(", ");
  return {
    mode,
    stdout: out.text,
    stderr: err.text,
    truncated: truncated || omitted !== "",
    facts: omitted === "" ? {} : { omitted },
  };
}

/** What was left out must be within reach; null when it cannot be kept, which must not take away what can be shown. */
function keepWhole({ stdout, stderr }: RunOutcome, { handles, owner }: TeContext): string | null {
  const payload = stderr === ""
    ? stdout
    : `${stdout}${stdout.endsWith("\n") || stdout === "" ? "" : "\n"}[stderr]\n${stderr}`;
  try {
    return handles.put({ kind: "cmd", owner, payload });
  } catch (error) {
    if (error instanceof OpsError) return null;
    throw error;
  }
}

function sessionOf(request: TeRequest, session: SessionContext): SessionContext {
  return {
    ...session,
    agentId: request.agentId ?? session.agentId,
    sessionId: request.sessionId ?? session.sessionId,
    model: request.model ?? session.model,
  };
}

/** The command as it is recorded and shown: one line, secrets masked. */
function spelled({ command, argv }: TeRequest): string {
  return maskCommandLine(argv ?? (command ?? "").split(/\s+/));
}

function record(context: TeContext, { session, spelled, atMs }: Started, event: RunEvent): void {
  recordRun(context, { session, command: spelled, latencyMs: performance.now() - atMs, ...event });
}
