/** `EXEC_CLI`: runs one command to its end, in the format that UFO agents expect. @module */
import * as z from "zod";
import { defineTool } from "../../../call/tool.ts";

const output = () =>
  z.object({
    stdout: z.string(),
    stderr: z.string(),
    exit_code: z.int(),
    command: z.string(),
    /** Seconds. */
    execution_time: z.number(),
    timestamp: z.string(),
    status: z.enum(["SUCCESS", "ERROR", "TIMEOUT"]),
    truncated: z.boolean().optional(),
    handle: z.string().optional(),
  });

/** See the summary. */
export const execCli = defineTool({
  name: "EXEC_CLI",
  aliases: ["execute_command"],
  title: "Execute command",
  summary: "Execute a command line; timeout in seconds.",
  toolset: "ufo",
  effect: "execute",
  takesItsTime: true,
  input: () =>
    z.strictObject({
      command: z.string(),
      timeout: z.number().default(30),
      working_directory: z.string().optional(),
      cwd: z.string().optional(),
    }),
  output,
  record: true,
  failed: ({ status }) => status !== "SUCCESS",
  async run({ command, timeout, working_directory, cwd }, { programs, owner, signal }) {
    const timestamp = new Date().toISOString();
    const timeoutMs = timeout * 1000;
    const ran = await programs.run({ command, cwd: working_directory ?? cwd, timeoutMs, owner, handOverMs: 0 }, signal);
    const exitCode = ran.exitCode ?? 0;
    return {
      stdout: ran.stdout,
      stderr: ran.timedOut ? `${ran.stderr}Command timed out\n` : ran.stderr,
      exit_code: exitCode,
      command,
      execution_time: ran.durationMs / 1000,
      timestamp,
      status: ran.timedOut ? "TIMEOUT" as const : exitCode === 0 ? "SUCCESS" as const : "ERROR" as const,
      ...ran.truncated ? { truncated: true } : {},
      ...ran.handle === null ? {} : { handle: ran.handle },
    };
  },
});
