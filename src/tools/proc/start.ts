/** `linux_proc_start`: starts a program that outlives the call: a REPL, a terminal, a server. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
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

/** See the summary. */
export const procStart = defineTool({
  name: "linux_proc_start",
  title: "Start process",
  summary:
    "Start a long-lived program (REPL, shell, server); pty gives it a terminal. Then use proc_send and proc_read.",
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
      wait_ms: between(0, 30_000).default(1_000),
    }),
  output,
  render: (started) => {
    const note = `${started.proc_id} ${started.state}, pid ${started.pid}${
      started.confinement === "none" ? ", not confined" : ""
    }`;
    const read = { ...started, output: started.first_output };
    return read.output === "" && started.state === "running" ? `[${note}]` : `[${note}]\n${renderRead(read)}`;
  },
  async run({ command, argv, cwd, env, pty, rows, cols, wait_ms }, { processes, owner, session, signal }) {
    const terminal = pty ? { rows, cols } : undefined, mine = { owner, session: session.sessionId };
    const request = { command, argv, cwd, env, pty: terminal, waitMs: wait_ms, ...mine };
    const started = await processes.start(request, signal);
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
