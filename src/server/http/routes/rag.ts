/** `POST /rag/search` and `POST /rag/bootload`: code search and the session summary of a repository. @module */
import { Hono } from "hono";
import * as z from "zod";
import type { Env } from "../reply.ts";
import type { RestCalls } from "../rest_calls.ts";

const session = z.string().min(1).max(200).describe("Any name of the caller's choice.");

/** Body of a search. More than the server gives is not an error, as the specification has it. */
export const RagSearchRequest = z.strictObject({
  q: z.string().max(20_000).describe("What is looked for, in words or names."),
  scope: z.enum(["repo", "docs", "both"]).optional().describe("Code, prose, or everything."),
  k: z.int().min(1).optional().describe("Most snippets wanted; the server's own bound is 50, or less."),
  budget_tokens: z.int().min(1).optional().describe("Most tokens of all snippets together; bounded by the server too."),
  session_id: session.optional(),
});

/** Body of a bootload. */
export const RagBootloadRequest = z.strictObject({
  session_id: session,
  task_id: z.string().min(1).max(200).describe("Any name of the task."),
});

/** Serves the routes. */
export function ragRoutes(rest: RestCalls): Hono<Env> {
  return new Hono<Env>()
    .post("/rag/search", async (context) => {
      const { session_id = "-", ...args } = await rest.body(context, RagSearchRequest);
      return rest.answer(context, await rest.call(context, session_id, "rag_search", args));
    })
    .post("/rag/bootload", async (context) => {
      const args = await rest.body(context, RagBootloadRequest);
      return rest.answer(context, await rest.call(context, args.session_id, "rag_bootload", args));
    });
}
