/** `linux_proc_start`: starts a program that outlives the call: a REPL, a terminal, a server. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { linesOf } from "../../core/bound_lines.ts";
import { cutLine } from "../../core/bound.ts";
import { lastLines } from "../../exec/show_output.ts";
import { startupLines } from "../../exec/startup_lines.ts";
import { between } from "../between.ts";
import { readResult, readShape, renderRead } from "./process_text.ts";

const output = () => {
  const { output: _output, state: _state, ...readFields } = readShape();
  return z.object({
    proc_id: z.string(),
    pid: z.int(),
    first_output: z.string(),
    state: z.enum(["running", "exited"]),
    confinement: z.enum(["bwrap", "landlock", "none"]),
    ...readFields,
  });
};

type Started = z.output<ReturnType<typeof output>>;

const MATCH_CHARS = 200;
/** How long to wait for first output, and for a pattern or a port. */
const FIRST_OUTPUT_MS = 1_000, READY_MS = 30_000, MAX_WAIT_MS = 45_000;

/** See the summary. */
export const procStart = defineTool({
  name: "linux_proc_start",
  title: "Start process",
  summary: "Start a long-lived program (REPL, server); wait until wait_for (regex) matches or port is listened on.",
  toolset: "proc",
  effect: "execute",
  input: () =>
    z.strictObject({
      command: z.string().optional(),
      argv: z.array(z.string()).optional(),
      cwd: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
      pty: z.boolean().default(false),
      rows: between(2, 500).default(24),
      cols: between(10, 1000).default(120),
      wait_for: z.string().optional(),
      port: between(1, 65_535).optional(),
      wait_ms: between(0, MAX_WAIT_MS).optional(),
    }),
  output,
  render: renderStarted,
  async run({ command, argv, cwd, env, pty, rows, cols, wait_for, port, wait_ms }, context) {
    const { processes, owner, session, signal } = context;
    const started = await processes.start({
      command,
      argv,
      cwd,
      env,
      pty: pty ? { rows, cols } : undefined,
      waitFor: wait_for,
      port,
      waitMs: wait_ms ?? (wait_for === undefined && port === undefined ? FIRST_OUTPUT_MS : READY_MS),
      owner,
      session: session.sessionId,
    }, signal);
    const { output: firstOutput, state, ...read } = readResult(started.firstOutput);
    return {
      proc_id: started.procId,
      pid: started.pid,
      first_output: firstOutput,
      state: state === "exited" ? "exited" as const : "running" as const,
      confinement: started.confinement,
      ...read,
    };
  },
});

/** Of a program that goes on only the last lines, with the one that was waited for. */
function renderStarted(started: Started, { port, pty }: { readonly port?: number | undefined; readonly pty: boolean }) {
  const { proc_id, pid, state, confinement, listening, matched_line: line } = started;
  const lines = linesOf(started.first_output), isWhole = pty || state !== "running";
  const isReady = listening === true || started.matched === true;
  const last = isReady ? startupLines(lines) : lastLines(lines, lines.length);
  const text = isWhole ? started.first_output : last.text;
  const note = [
    `${proc_id} ${state}, pid ${pid}`,
    listening === true && `port ${port} is open`,
    line !== null && !text.split("\n").includes(line) && `matched: ${cutLine(line, MATCH_CHARS)}`,
    !isWhole && last.cut && `all: linux_proc_read ${proc_id} offset 0`,
    confinement === "none" && "not confined",
  ].filter((part) => part).join(" · ");
  const read = { ...started, output: text };
  const isSilent = text === "" && state === "running" && started.matched !== false && listening !== false;
  return isSilent ? `[${note}]` : `[${note}]\n${renderRead(read, proc_id)}`;
}
