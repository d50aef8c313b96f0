/** `linux_proc_send`: sends input to a managed process, and waits for its answer on request. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { between } from "../between.ts";
import { readResult, readShape, renderRead } from "./process_text.ts";

const DEFAULT_WAIT_MS = 5_000;

const output = () => z.object({ acknowledged: z.literal(true), read: z.object(readShape()).optional() });

/** See the summary. */
export const procSend = defineTool({
  name: "linux_proc_send",
  title: "Send to process",
  summary: "Send input (control: c is Ctrl-C; eof ends it); with wait_ms or wait_for (regex) the answer comes back.",
  toolset: "proc",
  effect: "execute",
  input: () =>
    z.strictObject({
      proc_id: z.string(),
      input: z.string().optional(),
      enter: z.boolean().default(true),
      eof: z.boolean().default(false),
      control: z.string().optional(),
      wait_ms: between(0, 45_000).optional(),
      wait_for: z.string().optional(),
    }),
  output,
  render: ({ read }, { proc_id }) => read ? renderRead(read, proc_id) : "[sent]",
  async run({ proc_id, input = "", enter, eof, control, wait_ms, wait_for }, { processes, owner, signal }) {
    await processes.send(proc_id, owner, { input, enter, eof, control });
    const timeoutMs = wait_ms ?? (wait_for === undefined ? 0 : DEFAULT_WAIT_MS);
    if (timeoutMs === 0) return { acknowledged: true as const };
    const read = await processes.read(proc_id, owner, { timeoutMs, waitFor: wait_for, isAnswer: true }, signal);
    return { acknowledged: true as const, read: readResult(read) };
  },
});
