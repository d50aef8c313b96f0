/** Condenses the output of a finished run. @module */
import type { Config } from "../config/resolve.ts";
import type { Condense } from "../condense/condenser.ts";
import { unreadMark } from "../condense/enrich.ts";
import { decode, type Output, type StreamName } from "./output.ts";

/** Lean text of both streams, beside the plain ones. */
export interface LeanOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Something is left out. */
  readonly truncated: boolean;
}

/** What is known of the run. */
export interface EndedRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly exitCode: number;
  readonly output: Output;
}

/** What condensing needs. */
export interface LeanDeps {
  readonly config: Config;
  readonly condense: Condense;
}

/** So much of each end of a stream is looked at. */
const EXCERPT_BYTES = 192 * 1024;

/** @returns null when the Tool Envelope is off, or the plain output is as good. */
export async function leanOutput(
  { config, condense }: LeanDeps,
  { argv, cwd, exitCode, output }: EndedRun,
  budgetTokens: number,
): Promise<LeanOutput | null> {
  if (!config.settings.te.enabled) return null;
  const [out, err] = [excerptOf(output, "stdout"), excerptOf(output, "stderr")];
  const stdout = out.text, stderr = err.text, unreadBytes = out.unreadBytes + err.unreadBytes;
  const enriched = await condense({ argv, stdout, stderr, exitCode, budgetTokens, cwd, unreadBytes });
  if (enriched === null || enriched.text === stdout && enriched.stderr === stderr) return null;
  return { stdout: enriched.text, stderr: enriched.stderr, truncated: enriched.truncated };
}

function excerptOf(output: Output, stream: StreamName): { text: string; unreadBytes: number } {
  const { head, tail, omittedBytes } = output.excerpt(stream, EXCERPT_BYTES, EXCERPT_BYTES);
  const middle = omittedBytes > 0 ? `\n${unreadMark(omittedBytes)}\n` : "";
  return { text: decode(head) + middle + decode(tail), unreadBytes: omittedBytes };
}
