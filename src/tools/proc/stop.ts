/** `linux_proc_stop`: ends a managed process with its process tree. @module */
import * as z from "zod";
import { cutLine } from "../../core/bound.ts";
import { defineTool } from "../../call/tool.ts";

const COMMAND_CHARS = 120;

/** See the summary. */
export const procStop = defineTool({
  name: "linux_proc_stop",
  title: "Stop process",
  summary: "Stop a started process and its whole tree; by force when it has not ended after 2 seconds.",
  toolset: "proc",
  effect: "execute",
  idempotent: true,
  input: () =>
    z.strictObject({
      proc_id: z.string(),
      signal: z.enum(["TERM", "KILL", "INT", "HUP", "QUIT"]).default("TERM"),
    }),
  output: () =>
    z.object({
      state: z.enum(["exited", "no_such_process"]),
      exit_code: z.int().nullable(),
      signal: z.string().nullable(),
      command: z.string(),
      /** TCP ports that it listened on until now. */
      ports: z.array(z.int()),
    }),
  record: true,
  async run({ proc_id, signal: name }, { processes, owner }) {
    const stopped = await processes.stop(proc_id, owner, name);
    return {
      state: stopped.state,
      exit_code: stopped.exitCode,
      signal: stopped.signal,
      command: cutLine(stopped.command, COMMAND_CHARS),
      ports: [...stopped.ports],
    };
  },
});
