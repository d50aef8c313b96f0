/** Describes how a run ended: output within the budget, exit code, handle. @module */
import type { Config } from "../config/resolve.ts";
import type { HandleStore } from "../store/handles.ts";
import { isFailure, NOT_FOUND, TIMED_OUT } from "./exit_codes.ts";
import type { Admission } from "./policy/gate.ts";
import type { MissingProgram } from "./policy/listed.ts";
import { leanOutput } from "./lean_run.ts";
import type { RunOutcome, RunRequest } from "./programs.ts";
import type { RunningChild } from "./running_child.ts";
import { keepOutput, type ShownOutput, showOutput } from "./show_output.ts";

/** A run to describe. */
export interface DescribedRun {
  readonly request: RunRequest;
  readonly admission: Admission;
  readonly run: RunningChild;
  readonly durationMs: number;
}

interface OutcomeDeps {
  readonly config: Config;
  readonly handles: Pick<HandleStore, "put">;
}

/** Of the tokens of a result, what remains for everything but the output. */
const META_TOKENS = 200;

/** A run that has ended. */
export function describeRun(deps: OutcomeDeps, of: DescribedRun, timedOut: boolean): RunOutcome {
  const { request, admission, run } = of;
  const shown = show(deps, of);
  const { code, signal } = run.exit ?? { code: TIMED_OUT, signal: null };
  const exitCode = timedOut ? TIMED_OUT : code;
  const { program, args, cwd } = admission;
  const isText = shown.stdout.binary === null && shown.stderr.binary === null;
  const lean = request.lean && isText
    ? leanOutput(deps.config, { argv: [program, ...args], cwd, exitCode, output: run.output }, budgetOf(deps.config))
    : null;
  const leftOut = { ...shown, stdout: { ...shown.stdout, cut: shown.stdout.cut || (lean?.truncated ?? false) } };
  const handle = keepOutput(run.output, leftOut, {
    handles: deps.handles,
    owner: request.owner,
    meta: { command: admission.shown.slice(0, 200), exit_code: exitCode },
    keepControls: request.keepAnsi ?? false,
  });
  return {
    ...common(of, shown),
    exitCode,
    signal,
    timedOut,
    handle,
    lean,
    state: "exited",
    procId: null,
    failed: timedOut || isFailure(admission.reports, exitCode, shown.stderr.text),
  };
}

/** A run that goes on as a managed process. */
export function describeStarted(deps: OutcomeDeps, of: DescribedRun, procId: string): RunOutcome {
  return {
    ...common(of, show(deps, of)),
    exitCode: null,
    signal: null,
    timedOut: false,
    handle: null,
    lean: null,
    state: "running",
    procId,
    failed: false,
  };
}

/** An allowed program that this machine does not have. */
export function describeMissing(
  missing: MissingProgram,
  { argv, command }: RunRequest,
  durationMs: number,
): RunOutcome {
  const stderr = `${missing.message}\n`;
  return {
    argv: argv ?? [command ?? ""],
    cwd: "",
    stdout: "",
    stderr,
    exitCode: NOT_FOUND,
    signal: null,
    durationMs,
    timedOut: false,
    truncated: false,
    handle: null,
    lean: null,
    stdoutBytes: 0,
    stderrBytes: stderr.length,
    confinement: "none",
    state: "exited",
    procId: null,
    failed: true,
  };
}

function budgetOf({ settings }: Config): number {
  return Math.max(META_TOKENS, settings.tools.result_tokens - META_TOKENS);
}

function show({ config }: OutcomeDeps, { request, run }: DescribedRun): ShownOutput {
  return showOutput(run.output, {
    budgetTokens: budgetOf(config),
    inlineBytes: request.inlineBytes,
    keepControls: request.keepAnsi ?? false,
  });
}

function common({ admission, run, durationMs }: DescribedRun, { stdout, stderr }: ShownOutput) {
  return {
    argv: [admission.program, ...admission.args],
    cwd: admission.cwd,
    stdout: stdout.text,
    stderr: stderr.text,
    durationMs,
    truncated: stdout.cut || stderr.cut,
    stdoutBytes: run.output.bytesOf("stdout"),
    stderrBytes: run.output.bytesOf("stderr"),
    confinement: run.child.confinement,
  };
}
