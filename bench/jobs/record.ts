/** Counts the cost of a conversation about one job: calls, tokens, refusals. @module */
import type { ToolAnswer } from "../peers/client.ts";
import type { Count } from "../tokens/tokenizers.ts";

/** One call of a tool. */
export interface CallRecord {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly callTokens: number;
  readonly resultTokens: number;
  readonly isError: boolean;
  readonly isRefusal: boolean;
}

/** What is known of one job that was done. */
export interface JobRecord {
  readonly job: string;
  readonly server: string;
  /** Tool list and instructions, which a conversation pays once. */
  readonly listTokens: number;
  readonly calls: readonly CallRecord[];
  /** What is wrong with the outcome; absent until it was checked. */
  readonly faults?: readonly string[];
}

/** What servers say when they do not want to do something, and not when it failed. */
const REFUSAL =
  /^(?:COMMAND_NOT_ALLOWED|INVALID_PATH|INVALID_ARGUMENT|PERMISSION_DENIED|FEATURE_DISABLED|SANDBOX_UNAVAILABLE)\b|^Error: .*(?:not allowed|blocked|rejected|Invalid arguments)/i;

/** Describes one call. */
export function recordCall(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { text, isError }: ToolAnswer,
  count: Count,
): CallRecord {
  return {
    tool,
    args,
    callTokens: count(JSON.stringify({ name: tool, arguments: args })),
    resultTokens: count(text),
    isError,
    isRefusal: isError && REFUSAL.test(text.slice(0, 300)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Tokens of the calls and results of a job. */
export function tokensOf({ calls }: JobRecord): number {
  return sum(calls.map(({ callTokens, resultTokens }) => callTokens + resultTokens));
}

/** A table of jobs by one server, with the tool list counted once. */
export function reportTable(records: readonly JobRecord[]): string {
  const rows = records.map((record) => {
    const refusals = record.calls.filter(({ isRefusal }) => isRefusal).length;
    const outcome = record.faults === undefined
      ? "not checked"
      : record.faults.length === 0
      ? "right"
      : record.faults.join("; ");
    return [record.job, record.calls.length, tokensOf(record), refusals, outcome];
  });
  const list = Math.max(0, ...records.map(({ listTokens }) => listTokens));
  const column = (at: number): number => sum(rows.map((row) => Number(row[at])));
  const wrong = records.filter(({ faults }) => faults === undefined || faults.length > 0).length;
  return [
    ["job", "calls", "tokens", "refused", "outcome"],
    ["---", "---", "---", "---", "---"],
    ...rows,
    ["tool list", 0, list, 0, ""],
    ["all", column(1), column(2) + list, column(3), `${records.length - wrong} of ${records.length} right`],
  ].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
