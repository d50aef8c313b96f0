/** `linux_proc_read`: new output of a managed process. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { between } from "../between.ts";
import { readResult, readShape, renderRead } from "./process_text.ts";

const DEFAULT_TIMEOUT_MS = 1_000, MAX_TIMEOUT_MS = 45_000;
/** Bytes of output that cost about one token. */
const BYTES_PER_TOKEN = 3;

/** See the summary. */
export const procRead = defineTool({
  name: "linux_proc_read",
  title: "Read process output",
  summary: "Read new output of a started process; wait_for (regex) or wait_for_exit waits for it.",
  toolset: "proc",
  effect: "read",
  input: () =>
    z.strictObject({
      proc_id: z.string(),
      timeout_ms: between(0, MAX_TIMEOUT_MS).optional(),
      wait_for: z.string().optional(),
      wait_for_exit: z.boolean().default(false),
      offset: z.int().optional().describe("Bytes; negative: lines from the end"),
      max_bytes: between(64, 256 * 1024).optional(),
      raw: z.boolean().default(false),
    }),
  output: () => z.object({ ...readShape(), proc_id: z.string() }),
  render: (read) => renderRead(read, read.proc_id),
  async run(
    { proc_id, timeout_ms, wait_for, wait_for_exit, offset, max_bytes, raw },
    { config, processes, owner, signal },
  ) {
    const { tools, linux_ops: { process_limits: limits } } = config.settings;
    const longWait = Math.min(limits.default_timeout_sec * 1000, MAX_TIMEOUT_MS);
    const read = await processes.read(proc_id, owner, {
      timeoutMs: timeout_ms ?? (wait_for !== undefined || wait_for_exit ? longWait : DEFAULT_TIMEOUT_MS),
      waitFor: wait_for,
      waitForExit: wait_for_exit,
      offset,
      maxBytes: max_bytes ?? tools.result_tokens * BYTES_PER_TOKEN,
      keepAnsi: raw,
    }, signal);
    return { ...readResult(read), proc_id };
  },
});
