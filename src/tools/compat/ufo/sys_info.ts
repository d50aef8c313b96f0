/** `SYS_INFO`: the facts of `linux_sys_info`, under the name and in the format of UFO agents. @module */
import * as z from "zod";
import { defineTool } from "../../../call/tool.ts";
import { INFO_TYPES } from "../../sys/describe_machine.ts";
import { infoOutput, sysInfo } from "../../sys/info.ts";

/** See the summary. */
export const ufoSysInfo = defineTool({
  name: "SYS_INFO",
  aliases: ["get_system_info"],
  title: "System information",
  summary: "System information by kind, as structured data.",
  toolset: "ufo",
  effect: "read",
  record: true,
  input: () => z.strictObject({ info_type: z.enum(INFO_TYPES).default("os") }),
  output: infoOutput,
  run: (args, context) => sysInfo.run(args, context),
});
