/** `linux_mcp_run_onboarding`: runs a guided flow and reports its steps. @module */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { defineTool } from "../../call/tool.ts";
import type { Flow } from "./flow.ts";
import { flows } from "./flows.ts";

/** See the summary. */
export const mcpRunOnboarding = defineTool({
  name: "linux_mcp_run_onboarding",
  title: "Run onboarding flow",
  summary: `Run a guided flow: ${flows.map(({ name }) => name).join(", ")}.`,
  toolset: "stats",
  effect: "write",
  idempotent: true,
  input: () =>
    z.strictObject({
      flow_name: z.string(),
      options: z.strictObject({ apply: z.boolean().optional(), path: z.string().optional() }).optional(),
    }),
  output: () =>
    z.object({
      flow: z.string(),
      steps: z.array(z.object({ description: z.string(), result: z.string() })).min(3).max(10),
      summary: z.string(),
    }),
  render: ({ steps, summary }) =>
    [summary, ...steps.map(({ description, result }) => `${description}: ${result}`)].join("\n"),
  async run({ flow_name, options: { apply = false, path } = {} }, context) {
    const flow = findFlow(flow_name);
    if (path !== undefined && !flow.takesPath) {
      const hint = "Leave 'options.path' out.";
      throw new OpsError("INVALID_ARGUMENT", `the flow '${flow.name}' takes no path`, hint);
    }
    const { steps, summary } = await flow.run({ apply, path }, context);
    return { flow: flow.name, steps: [...steps], summary };
  },
});

function findFlow(name: string): Flow {
  const found = flows.find((flow) => flow.name === name);
  if (found) return found;
  const hint = `Flows: ${flows.map((flow) => flow.name).join(", ")}.`;
  throw new OpsError("UNKNOWN_FLOW", `there is no flow '${name.slice(0, 60)}'`, hint);
}
