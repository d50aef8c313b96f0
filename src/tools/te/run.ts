/** `te_run`: runs a command and returns ranked, grouped and bounded output. @module */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { renderTe, teResult } from "./te_result.ts";
import { defineTool } from "../../call/tool.ts";
import { runTe } from "./tool_envelope.ts";

const label = () => z.string().min(1).max(100);

/** See the summary. */
export const teRun = defineTool({
  name: "te_run",
  title: "Run a command, lean output",
  summary: "Run an allowed command; its output comes ranked, grouped and bounded, the rest behind a handle.",
  toolset: "te",
  effect: "execute",
  input: () =>
    z.strictObject({
      command: z.string().min(1).max(100_000).optional().describe("Command line"),
      argv: z.array(z.string()).min(1).max(1_000).optional().describe("Program and arguments, instead of command"),
      cwd: z.string().optional(),
      timeout: z.number().positive().max(3_600).optional().describe("Seconds"),
      raw: z.boolean().default(false).describe("Plain output, not enriched"),
      agent_id: label().optional(),
      session_id: label().optional(),
      model: label().optional(),
    }),
  output: teResult,
  render: renderTe,
  failed: (result) => !result.success && result.state === "exited",
  async run(args, context) {
    if ((args.command === undefined) === (args.argv === undefined)) {
      throw new OpsError("INVALID_ARGUMENT", "give either 'command' or 'argv'", "Keep one of them.");
    }
    const { result } = await runTe({
      command: args.command,
      argv: args.argv,
      cwd: args.cwd,
      timeoutMs: args.timeout === undefined ? undefined : args.timeout * 1_000,
      raw: args.raw,
      agentId: args.agent_id,
      sessionId: args.session_id,
      model: args.model,
    }, context);
    return result;
  },
});
