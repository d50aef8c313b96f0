/** `linux_sys_info`: describes one aspect of the machine. @module */
import * as z from "zod";
import { once } from "../../core/once.ts";
import { defineTool } from "../../call/tool.ts";
import { describeMachine, INFO_TYPES } from "./describe_machine.ts";
import { infoLines } from "./info_text.ts";

/** Result in the shape of `SYS_INFO`. */
export const infoOutput = once(() =>
  z.object({
    info_type: z.string(),
    data: z.record(z.string(), z.unknown()),
    timestamp: z.string(),
  })
);

/** See the summary. */
export const sysInfo = defineTool({
  name: "linux_sys_info",
  title: "System information",
  summary: "Facts of the machine; network has the addresses, and who listens.",
  toolset: "sys",
  effect: "read",
  input: () => z.strictObject({ info_type: z.enum(INFO_TYPES) }),
  output: infoOutput,
  render: ({ data }) => infoLines(data).join("\n"),
  async run({ info_type }, { facts }) {
    const data = await describeMachine(facts, info_type);
    return { info_type, data, timestamp: new Date().toISOString() };
  },
});
