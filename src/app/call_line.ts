/** Formats a finished call as one terminal line. @module */
import { visible } from "../core/visible.ts";
import type { FinishedCall } from "../call/account.ts";

/** Time, outcome, duration, tokens, tool, arguments. */
export function callLine(call: FinishedCall): string {
  const time = new Date(call.timeMs).toTimeString().slice(0, 8);
  const outcome = call.errorCode ?? (call.failed ? "failed" : "ok");
  const cost = `${call.durationMs.toFixed(0).padStart(6)} ms ${String(call.tokens).padStart(6)} tok`;
  return visible(`${time} ${cost}  ${call.tool.padEnd(22)} ${outcome.padEnd(8)} ${call.argsSummary}`.trimEnd());
}
