/** `health`: liveness and version. @module */
import * as z from "zod";
import { VERSION } from "../../../core/version.ts";
import { defineTool } from "../../../call/tool.ts";

/** See the summary. */
export const health = defineTool({
  name: "health",
  title: "Server health",
  summary: "Whether the server is well, its version, and how its programs are confined.",
  toolset: "mvp",
  effect: "read",
  record: true,
  input: () => z.strictObject({}),
  output: () => z.object({ ok: z.boolean(), version: z.string(), sandbox_level: z.string(), uptime_s: z.number() }),
  run(_args, { metrics }) {
    const { sandbox_level, uptime_s } = metrics.snapshot();
    return Promise.resolve({ ok: true, version: VERSION, sandbox_level, uptime_s });
  },
});
