/** `linux_proc_stop`: ends a managed process with its process tree. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";

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
      state: z.enum(["running", "exited", "no_such_process"]),
      exit_code: z.int().nullable(),
      signal: z.string().nullable(),
    }),
  record: true,
  async run({ proc_id, signal: name }, { processes, owner }) {
    const stopped = await processes.stop(proc_id, owner, name);
    return { state: stopped.state, exit_code: stopped.exitCode, signal: stopped.signal };
  },
});
