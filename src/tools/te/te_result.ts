/** Result of the Tool Envelope: wire structure and condensed text. @module */
import { restAt } from "../../core/bound.ts";
import * as z from "zod";
import { once } from "../../core/once.ts";

/** How the output was treated: made lean, passed within bounds, or left alone on request. */
const teMode = z.enum(["enriched", "passthrough", "raw"]);

/** The structure that every face of the envelope answers with. */
export const teResult = once(() =>
  z.object({
    success: z.boolean(),
    mode: teMode,
    command: z.string(),
    stdout: z.string(),
    stderr: z.string(),
    exit_code: z.number().nullable(),
    state: z.enum(["exited", "running"]),
    proc_id: z.string().optional(),
    enrichment: z.object({
      kind: z.string().optional(),
      match_count: z.number().optional(),
      hot_zone: z.string().optional(),
      omitted: z.string().optional(),
      truncated: z.boolean(),
      handle: z.string().nullable(),
      tokens_estimate: z.number(),
    }),
    telemetry: z.object({
      latency_ms: z.number(),
      agent_id: z.string(),
      session_id: z.string(),
      budget_remaining: z.number(),
    }),
  })
);

/** See {@link teResult}. */
export type TeResult = z.output<ReturnType<typeof teResult>>;

/** Output first, then stderr under its name, then one line with what went wrong and where the rest is. */
export function renderTe(result: TeResult): string {
  const parts = [result.stdout.replace(/\n$/, "")];
  if (result.stderr.trim() !== "") parts.push(`stderr:\n${result.stderr.replace(/\n$/, "")}`);
  const facts = [
    result.state === "running" ? `still running: linux_proc_read ${result.proc_id ?? ""}` : "",
    result.exit_code !== null && result.exit_code !== 0 ? `exit ${result.exit_code}` : "",
    result.enrichment.handle === null ? "" : restAt(result.enrichment.handle),
  ].filter((fact) => fact !== "");
  if (facts.length > 0) parts.push(`[${facts.join(" · ")}]`);
  const text = parts.filter((part) => part !== "").join("\n");
  return text === "" ? "[no output, exit 0]" : text;
}
