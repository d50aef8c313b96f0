/** Accounts for calls: metrics, records, audit, log, and live viewers. @module */
import type { TokenAudit } from "../obs/token_audit.ts";
import type { Logger } from "../obs/log.ts";
import type { Config } from "../config/resolve.ts";
import type { Answer, Caller } from "./answer.ts";
import { byteLength } from "../core/bytes.ts";
import { estimateTokens } from "../core/tokens.ts";
import { summarizeArgs, withPrograms } from "../store/args_summary.ts";
import { logFacts } from "./log_facts.ts";
import { hashOwner } from "../store/owner_hash.ts";
import type { Secrets } from "./secrets.ts";
import type { Services, SessionContext } from "./tool.ts";

/** Where the account is kept. */
export interface AccountDeps {
  readonly config: Config;
  readonly services: Pick<Services, "metrics" | "calls">;
  readonly secrets: Pick<Secrets, "mask">;
  readonly log: Logger;
  readonly audit: TokenAudit | null;
  /** Milliseconds since 1970. */
  readonly epochMs: () => number;
  /** Called after each call; the operator's page and terminal show it. */
  readonly onCall?: (call: FinishedCall) => void;
}

/** One call, for people who watch. */
export interface FinishedCall {
  readonly timeMs: number;
  readonly tool: string;
  readonly argsSummary: string;
  readonly errorCode: string | null;
  readonly failed: boolean;
  readonly durationMs: number;
  readonly tokens: number;
  readonly truncated: boolean;
  readonly session: SessionContext;
  readonly correlationId: string;
}

/** Everything that is known of a call goes to everyone who keeps account of it. */
export function keepAccount(
  deps: AccountDeps,
  tool: string,
  args: unknown,
  caller: Pick<Caller, "owner" | "session" | "route">,
  answer: Answer,
): void {
  const { observability } = deps.config.settings;
  if (!observability.enabled) return;
  const errorCode = answer.error?.code ?? null;
  const argsSummary = withPrograms(summarizeArgs(args, deps.secrets.mask), answer.programs);
  const tokensIn = estimateTokens(JSON.stringify(args ?? {}));
  const { durationMs, truncated, tokens, correlationId } = answer;
  const timeMs = deps.epochMs();
  deps.services.metrics.toolCall({ tool, durationMs, errorCode, tokensIn, tokensOut: tokens, truncated });
  deps.services.calls.record({
    timeMs,
    tool,
    owner: hashOwner(caller.owner),
    ...caller.session,
    argsSummary,
    status: errorCode ? "error" : "ok",
    errorCode,
    durationMs,
    tokensIn,
    tokensOut: tokens,
    truncated,
    bytesOut: byteLength(answer.text),
    correlationId,
  });
  deps.audit?.record({ timeMs, correlationId, tool, session: caller.session, tokensIn, tokensOut: tokens });
  deps.log.info("call", {
    cid: observability.include_correlation_id ? correlationId : undefined,
    tool,
    programs: answer.programs?.join(" "),
    latency_ms: Math.round(durationMs * 10) / 10,
    status: errorCode ? "error" : "ok",
    error_code: errorCode ?? undefined,
    truncated,
    ...caller.route === undefined ? {} : { route: caller.route },
    ...deps.audit === null ? {} : { tokens_in: tokensIn, tokens_out: tokens },
    ...logFacts(args, answer.result),
  });
  const { session } = caller;
  deps.onCall?.({
    timeMs,
    tool,
    argsSummary,
    errorCode,
    failed: answer.failed,
    durationMs,
    tokens,
    truncated,
    session,
    correlationId,
  });
}
