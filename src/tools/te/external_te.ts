/** Runs an external `te` program instead of the built-in one, and accepts only well-formed JSON from it. @module */
import type { Lean, TeContext } from "./te_context.ts";
import type { RunOutcome, RunRequest } from "../../exec/run_outcome.ts";
import * as z from "zod";
import { EXTERNAL_TE } from "../../config/programs.ts";
import type { Config } from "../../config/resolve.ts";
import { splitCommand } from "../../core/argv.ts";

const reply = z.object({
  mode: z.enum(["enriched", "passthrough", "raw"]),
  stdout: z.string(),
  stderr: z.string().default(""),
  exit_code: z.number(),
  enrichment: z.object({ match_count: z.number().optional(), truncated: z.boolean().default(false) }).loose()
    .optional(),
}).loose();

/** Whether the external program is to be tried: one that is not there is an error only if the operator wants that. */
export function hasExternal({ binaries, settings }: Config): boolean {
  return Object.hasOwn(binaries, EXTERNAL_TE) || !settings.te.passthrough_on_failure;
}

/**
 * Runs the command through the external program. The gate checks the command itself, as it does behind every wrapper.
 *
 * @returns null when the external program failed and the plain command is to be run instead.
 */
export async function runExternal(
  run: RunRequest,
  { config, programs, signal }: TeContext,
): Promise<{ outcome: RunOutcome; lean: Lean } | null> {
  const { json_mode, passthrough_on_failure } = config.settings.te;
  const argv = [EXTERNAL_TE, ...(json_mode ? ["--json"] : []), "--", ...commandWords(run)];
  const outcome = await programs.run({ ...run, command: undefined, argv }, signal);
  if (passthrough_on_failure && neverRan(outcome, json_mode)) return null;
  const lean = json_mode ? readReply(outcome.stdout) : null;
  if (lean === null) return { outcome, lean: asIs(outcome) };
  return { outcome: { ...outcome, exitCode: lean.exitCode, failed: lean.exitCode !== 0 }, lean };
}

/** Whether the command can be run again: the program did not start, or broke before it answered anything. */
function neverRan({ state, exitCode, signal, timedOut, stdout }: RunOutcome, jsonMode: boolean): boolean {
  if (state === "running" || timedOut || signal !== null) return false;
  return exitCode === 126 || exitCode === 127 || jsonMode && exitCode !== 0 && stdout === "";
}

function commandWords(run: RunRequest): readonly string[] {
  if (run.argv !== undefined) return run.argv;
  const line = run.command ?? "";
  const split = splitCommand(line);
  return split.kind === "plain" ? split.words : ["bash", "-c", line];
}

function readReply(text: string): (Lean & { exitCode: number }) | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // not JSON: the program failed, or is not a te
  }
  const parsed = reply.safeParse(value);
  if (!parsed.success) return null;
  const { mode, stdout, stderr, exit_code, enrichment } = parsed.data;
  const matches = enrichment?.match_count;
  return {
    mode,
    stdout,
    stderr,
    exitCode: exit_code,
    truncated: enrichment?.truncated ?? false,
    facts: { kind: "external", ...(matches !== undefined && { match_count: matches }) },
  };
}

function asIs({ stdout, stderr, truncated }: RunOutcome): Lean {
  return { mode: "passthrough", stdout, stderr, truncated, facts: { kind: "external" } };
}
