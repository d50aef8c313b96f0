/** Describes how a run ended: output within the budget, exit code, handle. @module */
import { besideNote } from "../core/bound.ts";
import { sleep } from "../core/time.ts";
import { estimateTokens } from "../core/tokens.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import type { Config } from "../config/resolve.ts";
import type { HandleStore } from "../store/handles.ts";
import type { NewOperation } from "../store/journal.ts";
import { isFailure, NOT_FOUND, TIMED_OUT } from "./exit_codes.ts";
import type { Admission } from "./policy/gate.ts";
import type { MissingProgram } from "./policy/listed.ts";
import { boundNotes } from "./bound_notes.ts";
import { type LeanDeps, type LeanOutput, leanOutput } from "./lean_run.ts";
import { networkNotes } from "./network_notes.ts";
import { decode } from "./output.ts";
import type { ProgramOperation } from "./program_changes.ts";
import type { ChildConfinement, RunningChild } from "./running_child.ts";
import { runNotes } from "./run_notes.ts";
import { keepOutput, showLast, type ShownOutput, showOutput } from "./show_output.ts";

/** What to run. Exactly one of `command` and `argv` is given. */
export interface RunRequest {
  /** A command line: split without a shell when it is plain, else run by an allowed shell. */
  readonly command?: string | undefined;
  /** Program and arguments, taken as they are. */
  readonly argv?: readonly string[] | undefined;
  /** Working directory; default: the first root. */
  readonly cwd?: string | undefined;
  /** Added to the fixed environment of every child; names that change how programs load code are refused. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What the program reads; `/dev/null` when absent. */
  readonly stdin?: string | undefined;
  /** After which the tree is ended; default: `mcp.tools.exec_timeout`, bounded by `max_timeout_sec`. */
  readonly timeoutMs?: number | undefined;
  /** Narrower than the configured roots. */
  readonly paths?: PathGuard | undefined;
  /** Who owns the handle of a long output and the process of a long run. */
  readonly owner: string;
  readonly session?: string | undefined;
  /** Keeps terminal control sequences in the text. */
  readonly keepAnsi?: boolean | undefined;
  /**
   * Bytes of each stream that are returned as text, head and tail together, for a caller that condenses them itself.
   * When absent, both streams together get what one result may cost.
   */
  readonly inlineBytes?: number | undefined;
  /** Also makes the output lean for a model; `stdout` and `stderr` stay plain. */
  readonly lean?: boolean | undefined;
  /** After how long a run that goes on is handed over as a managed process; 0 never. Default 45 s. */
  readonly handOverMs?: number | undefined;
  /** Describes the call, under which what the program changes in files is recorded. */
  readonly operation?: (() => NewOperation) | undefined;
  /** Without a timeout of its own: after the default one it is handed over as well, instead of being ended. */
  readonly mayGoOn?: boolean | undefined;
}

/** What came of it. */
export interface RunOutcome {
  /** Program and arguments as they were started. */
  readonly argv: readonly string[];
  /** Real path in which it ran. */
  readonly cwd: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The program's own code; 124 at the deadline, 126 and 127 when it could not be started, 128+n after signal n; null while it runs. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signal: string | null;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** Whether `stdout` or `stderr` leave something out. */
  readonly truncated: boolean;
  /** The whole output, when it is more than what is returned. */
  readonly handle: string | null;
  /** The output made lean, where that was asked for and gained something. */
  readonly lean: LeanOutput | null;
  /** Bytes that each stream wrote. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly confinement: ChildConfinement;
  /** What it changed in files; null while it runs, and where that is not recorded. */
  readonly changes: ProgramOperation | null;
  /** Every program that the command names, in order. */
  readonly programs: readonly string[];
  /** What the caller should know besides the output, each a short text. */
  readonly notes: readonly string[];
  /** `running`: the run goes on as the managed process `procId`. */
  readonly state: "exited" | "running";
  readonly procId: string | null;
  /** True when the exit code reports a failure and not an answer (grep that found nothing, diff that found something). */
  readonly failed: boolean;
}

/** A run to describe. */
export interface DescribedRun {
  readonly request: RunRequest;
  readonly admission: Admission;
  readonly run: RunningChild;
  readonly durationMs: number;
}

interface OutcomeDeps extends LeanDeps {
  readonly handles: Pick<HandleStore, "put">;
}

/** More output than this is looked through in several turns of the event loop. */
const MANY_BYTES = 128 * 1024;

/** A run that has ended. */
export async function describeRun(deps: OutcomeDeps, of: DescribedRun, timedOut: boolean): Promise<RunOutcome> {
  const { request, admission, run } = of;
  const giveWay = async () => void (run.output.bytes > MANY_BYTES && await sleep(0));
  const notes = notesOf(deps.config, of), shown = show(deps, of, notes);
  await giveWay();
  const { code, signal } = run.exit ?? { code: TIMED_OUT, signal: null };
  const exitCode = timedOut ? TIMED_OUT : code;
  const { program, args, cwd } = admission;
  const isText = shown.stdout.binary === null && shown.stderr.binary === null;
  const lean = !request.lean || !isText ? null : timedOut ? lastOutput(of) : await leanOutput(
    deps,
    { argv: [program, ...args], cwd, exitCode, output: run.output },
    budgetOf(deps.config, notes),
  );
  await giveWay();
  const leftOut = { ...shown, stdout: { ...shown.stdout, cut: shown.stdout.cut || (lean?.truncated ?? false) } };
  const handle = await keepOutput(run.output, leftOut, {
    handles: deps.handles,
    owner: request.owner,
    meta: { command: admission.shown.slice(0, 200), exit_code: exitCode },
    keepControls: request.keepAnsi ?? false,
  });
  return {
    ...common(of, shown, notes),
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
  const notes = notesOf(deps.config, of);
  return {
    ...common(of, show(deps, of, notes), notes),
    exitCode: null,
    signal: null,
    timedOut: false,
    handle: null,
    lean: of.request.lean ? lastOutput(of) : null,
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
    changes: null,
    programs: [],
    notes: [],
    state: "exited",
    procId: null,
    failed: true,
  };
}

/** Tokens that the output of a run may cost beside its notes. */
export function budgetOf({ settings }: Config, notes: readonly string[] = []): number {
  return besideNote(settings.tools.result_tokens - estimateTokens(notes.join(" · ")));
}

/** Owner and group of a file whose owner has no name in the sandbox, as ls, stat and find show them. */
const UNMAPPED = /\b(?:nobody\s+(?:nogroup|nobody)|65534[\s:]+65534)\b/;
/** So much of each end of both streams is searched for what the sandbox hides. */
const SEARCHED_BYTES = 16 * 1024;

function notesOf(config: Config, { admission, run }: DescribedRun): string[] {
  const { head, tail } = run.output.excerpt("stderr", SEARCHED_BYTES, SEARCHED_BYTES);
  const said = `${decode(head)}\n${decode(tail)}`;
  const missed = /No such file or directory|Permission denied/.test(said);
  const shown = run.output.excerpt("stdout", SEARCHED_BYTES, SEARCHED_BYTES);
  const unmapped = UNMAPPED.test(decode(shown.head)) || UNMAPPED.test(decode(shown.tail));
  return [
    ...runNotes(config, admission, { confinement: run.child.confinement, missed, unmapped }),
    ...boundNotes(said, run.exit),
    ...networkNotes(config, said, run.exit?.code !== 0),
  ];
}

function show({ config }: OutcomeDeps, { request, run }: DescribedRun, notes: readonly string[]): ShownOutput {
  return showOutput(run.output, {
    budgetTokens: budgetOf(config, notes),
    inlineBytes: request.inlineBytes,
    keepControls: request.keepAnsi ?? false,
  });
}

/** Of what has not ended by itself: the end of its output says how far it got. */
function lastOutput({ request, run }: DescribedRun): LeanOutput {
  const { stdout, stderr } = showLast(run.output, request.keepAnsi ?? false);
  return { stdout: stdout.text, stderr: stderr.text, truncated: stdout.cut || stderr.cut };
}

function common(
  { admission, run, durationMs }: DescribedRun,
  { stdout, stderr }: ShownOutput,
  notes: readonly string[],
) {
  return {
    argv: [admission.program, ...admission.args],
    programs: admission.programs,
    cwd: admission.cwd,
    stdout: stdout.text,
    stderr: stderr.text,
    durationMs,
    truncated: stdout.cut || stderr.cut,
    stdoutBytes: run.output.bytesOf("stdout"),
    stderrBytes: run.output.bytesOf("stderr"),
    confinement: run.child.confinement,
    changes: run.changes,
    notes,
  };
}
