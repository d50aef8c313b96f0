/** `POST /invoke_agent`: acknowledges a message and returns matching code. No model is called. @module */
import type { Answer } from "../../../call/answer.ts";
import { Hono } from "hono";
import * as z from "zod";
import { type Env, json } from "../reply.ts";
import type { RestCalls } from "../rest_calls.ts";

/** Body of the request. */
export const InvokeAgentRequest = z.strictObject({
  session_id: z.string().min(1).max(200).describe("Any name of the caller's choice."),
  role: z.enum(["Beatrice", "Otto", "Rem", "Grace"]).optional().describe("Which agent is meant; a label."),
  user_msg: z.string().max(100_000).describe("What the person wrote."),
  inject_context: z.string().max(200_000).default("")
    .describe("Context that the caller has already; what stands in it is not sent again."),
});

/** Answer of the request. */
export const InvokeAgentAnswer = z.object({
  text: z.string().describe("The receipt."),
  context: z.array(z.object({ text: z.string(), src: z.string().describe("path#Lx-Ly"), score: z.number() }))
    .optional().describe("Snippets that fit user_msg; absent when mcp.rag.jit_context_enabled is false."),
  context_error: z.string().optional().describe("Why there is no context."),
});

const RECEIPT = "[MCP v0] received; use /rag/search for pre-call context";
/** More of a message than this makes no better question. */
const MAX_QUESTION_CHARS = 2_000;

/** Serves the route. */
export function invokeAgentRoute(rest: RestCalls, withContext: boolean): Hono<Env> {
  return new Hono<Env>().post("/invoke_agent", async (context) => {
    const { session_id, user_msg, inject_context } = await rest.body(context, InvokeAgentRequest);
    const q = user_msg.trim().slice(0, MAX_QUESTION_CHARS);
    if (!withContext || q === "") return json(context, { text: RECEIPT });
    const found = await rest.call(context, session_id, "rag_search", { q });
    return json(context, { text: RECEIPT, ...contextOf(found, inject_context) });
  });
}

const Found = z.object({ snippets: InvokeAgentAnswer.shape.context.unwrap() });

/** A search that fails leaves the receipt as it is. */
function contextOf({ error, result }: Answer, known: string): Omit<z.output<typeof InvokeAgentAnswer>, "text"> {
  if (error) return { context: [], context_error: `${error.code}: ${error.message}` };
  const { snippets } = Found.parse(result);
  return { context: snippets.filter(({ text }) => !known.includes(text)) };
}
