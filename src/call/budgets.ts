/**
 * Token budgets of the Tool Envelope: what an agent's session may still spend, and how large a result may be.
 * @module
 */

import { OpsError } from "../core/error.ts";

/** What a session spends is forgotten after this. */
const WINDOW_MS = 24 * 3_600_000;
/** One result takes at most this part of what is left, so that the last calls of a session still answer. */
const LARGEST_SHARE = 1 / 4;
/** No budget shrinks a result below this: enough for a verdict, a count and a handle. */
export const LEAST_RESULT_TOKENS = 300;

/** Budgets of all agents. */
export interface Budgets {
  /** Tokens that the session may still spend; never negative. */
  remaining(agentId: string, sessionId: string): number;
  /** Tokens that a result may cost: what was wanted while there is plenty, less and less near the end, never nothing. */
  sizeFor(agentId: string, sessionId: string, wantedTokens: number): number;
}

/** Where spending is written down: with the telemetry, so that it outlives the process. */
export interface Spending {
  /** Tokens of all results of this agent and session since a time. */
  teTokens(agentId: string, sessionId: string, sinceMs: number): number;
}

/**
 * Makes the budgets.
 *
 * @param limits `mcp.te.budgets`: tokens by agent; `default` is for the others.
 */
export function makeBudgets(
  limits: Readonly<Record<string, number>>,
  spending: Spending,
  now: () => number = Date.now,
): Budgets {
  const spent = (agentId: string, sessionId: string): number => {
    try {
      return spending.teTokens(agentId, sessionId, now() - WINDOW_MS);
    } catch (error) {
      if (error instanceof OpsError) return 0; // records that cannot be read must not take away an output
      throw error;
    }
  };
  const remaining = (agentId: string, sessionId: string) => {
    const limit = Object.hasOwn(limits, agentId) ? limits[agentId] : limits.default;
    return Math.max(0, (limit ?? 0) - spent(agentId, sessionId));
  };
  return {
    remaining,
    sizeFor(agentId, sessionId, wantedTokens) {
      const share = Math.floor(remaining(agentId, sessionId) * LARGEST_SHARE);
      return Math.min(wantedTokens, Math.max(LEAST_RESULT_TOKENS, share));
    },
  };
}
