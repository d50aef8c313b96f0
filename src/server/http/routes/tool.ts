/** `POST /tool`: calls one tool, and answers with the full structure of the specification. @module */
import { Hono } from "hono";
import * as z from "zod";
import type { Env } from "../reply.ts";
import type { RestCalls } from "../rest_calls.ts";

const ToolRequest = z.strictObject({
  session_id: z.string().min(1).max(200).describe(
    "Any name of the caller's choice; handles and processes belong to it.",
  ),
  name: z.string().min(1).max(100).describe("A tool's name."),
  args: z.record(z.string(), z.unknown()).default({}).describe("The tool's arguments."),
});

/** The one tool whose result is under `data` here, as the specification of this route has it, and not over MCP. */
export const UNDER_DATA = "run_cmd";

/** Serves the route. */
export function toolRoute(rest: RestCalls): Hono<Env> {
  return new Hono<Env>().post("/tool", async (context) => {
    const { session_id, name, args } = await rest.body(context, ToolRequest);
    const answer = await rest.call(context, session_id, name, args);
    const wrapped = answer.tool === UNDER_DATA && !answer.error;
    return rest.answer(context, wrapped ? { ...answer, result: { data: answer.result } } : answer);
  });
}
