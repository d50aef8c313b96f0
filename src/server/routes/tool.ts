/** `POST /tool`: one tool call, answered with the full structure of the specification. @module */
import { Hono } from "hono";
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import type { Envelope } from "../../te/envelope.ts";
import type { SessionContext } from "../../te/tool.ts";
import { readBody } from "../read_body.ts";
import { type Env, fail, json } from "../reply.ts";

/** Body of the request. */
export const ToolRequest = z.strictObject({
  session_id: z.string().min(1).max(200),
  name: z.string().min(1).max(100),
  args: z.record(z.string(), z.unknown()).default({}),
});

/** Serves the route. */
export function toolRoute(envelope: Envelope, session: (sessionId: string) => SessionContext): Hono<Env> {
  return new Hono<Env>().post("/tool", async (context) => {
    const body = await readBody(context, ToolRequest);
    const answer = await envelope.call(body.name, body.args, {
      owner: `${context.get("tokenId")}/${body.session_id}`,
      session: session(body.session_id),
      signal: context.req.raw.signal,
      correlationId: context.get("correlationId"),
    });
    if (!answer.error) return json(context, answer.result);
    return fail(context, new OpsError(answer.error.code, answer.error.message, answer.error.hint));
  });
}
