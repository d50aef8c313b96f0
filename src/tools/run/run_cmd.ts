/** `run_cmd`: runs one command to its end, without a shell where none is needed. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { byteLength } from "../../core/bytes.ts";
import { maskCommandLine } from "../../core/mask_secrets.ts";
import { estimateTokens } from "../../core/tokens.ts";
import { recordRun } from "../te/record_run.ts";
import { renderRun } from "./run_text.ts";

const output = () =>
  z.object({
    stdout: z.string(),
    stderr: z.string(),
    exit_code: z.int().nullable(),
    duration_ms: z.int(),
    timed_out: z.boolean(),
    truncated: z.boolean(),
    handle: z.string().nullable(),
    confinement: z.enum(["bwrap", "landlock", "none"]),
    /** What to know besides the output: what a program could not see, hooks that did not run. */
    notes: z.array(z.string()).optional(),
    state: z.enum(["exited", "running"]),
    signal: z.string().nullable(),
    proc_id: z.string().nullable(),
    /** The output made lean, where that gained something; what a model is shown. */
    lean: z.object({ stdout: z.string(), stderr: z.string(), truncated: z.boolean() }).optional(),
    /** Whether the exit code reports a failure; 1 of grep or diff does not. */
    failed: z.boolean(),
  });

/** See the summary. */
export const runCmd = defineTool({
  name: "run_cmd",
  title: "Run command",
  summary: "Run a command (string, or argv array) to its end and get its output; timeout in seconds.",
  toolset: "run",
  effect: "execute",
  core: true,
  input: () =>
    z.strictObject({
      command: z.string().optional(),
      argv: z.array(z.string()).optional(),
      cwd: z.string().optional(),
      timeout: z.number().optional(),
      stdin: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
    }),
  output,
  render: (result) => renderRun({ ...result, ...result.lean }),
  failed: ({ failed }) => failed,
  async run({ command, argv, cwd, timeout, stdin, env }, context) {
    const { config, programs, owner, session, patience, signal } = context;
    const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
    const lean = config.settings.tools.result_format === "lean";
    const ran = await programs.run({
      command,
      argv,
      cwd,
      timeoutMs,
      stdin,
      env,
      owner,
      session: session.sessionId,
      lean,
      handOverMs: patience === "brief" ? undefined : 0,
      mayGoOn: patience !== "to the end",
    }, signal);
    recordRun(context, {
      session,
      command: maskCommandLine(argv ?? (command ?? "").split(/\s+/)),
      mode: ran.lean === null ? "passthrough" : "enriched",
      inputBytes: ran.stdoutBytes + ran.stderrBytes,
      ...costOf(ran.lean ?? ran),
      truncated: ran.truncated,
      handle: ran.handle,
      latencyMs: ran.durationMs,
    });
    return {
      stdout: ran.stdout,
      stderr: ran.stderr,
      exit_code: ran.exitCode,
      duration_ms: ran.durationMs,
      timed_out: ran.timedOut,
      truncated: ran.truncated,
      handle: ran.handle,
      confinement: ran.confinement,
      ...(ran.notes.length === 0 ? {} : { notes: [...ran.notes] }),
      state: ran.state,
      signal: ran.signal,
      proc_id: ran.procId,
      ...(ran.lean === null ? {} : { lean: ran.lean }),
      failed: ran.failed,
    };
  },
});

/** What the shown output costs. */
function costOf({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): {
  readonly outputBytes: number;
  readonly outputTokens: number;
} {
  return {
    outputBytes: byteLength(stdout) + byteLength(stderr),
    outputTokens: estimateTokens(stdout) + estimateTokens(stderr),
  };
}
