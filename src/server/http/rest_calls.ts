/** Shared helpers of the REST routes: read a body, call a tool, respond. @module */
import type { Answer } from "../../call/answer.ts";
import type { Context } from "hono";
import type * as z from "zod";
import type { Config } from "../../config/resolve.ts";
import { OpsError } from "../../core/error.ts";
import type { Envelope } from "../../call/pipeline.ts";
import { type BodyLimits, readBody } from "./read_body.ts";
import { type Env, failCall, json } from "./reply.ts";
import { sessionLabels } from "../mcp/session_labels.ts";

/** What the calls need. */
export interface RestCallsDeps {
  readonly envelope: Envelope;
  /** Its settings may change. */
  readonly config: Pick<Config, "settings">;
  readonly limits: BodyLimits;
  /** Aborts when the server stops: calls that have not ended by then are answered for. */
  readonly closing: AbortSignal;
}

/** Tool calls of REST routes. */
export interface RestCalls {
  /** @throws OpsError BAD_ARGS, or another code of a body that cannot be taken. */
  body<T extends z.ZodObject>(context: Context<Env>, schema: T): Promise<z.output<T>>;
  call(context: Context<Env>, sessionId: string, name: string, args: unknown): Promise<Answer>;
  /** The tool's own result, or its error. */
  answer(context: Context<Env>, answer: Answer): Response;
}

/** Makes them. */
export function makeRestCalls({ envelope, config, limits, closing }: RestCallsDeps): RestCalls {
  return {
    body: (context, schema) => readBody(context, schema, limits),
    call: (context, sessionId, name, args) =>
      envelope.call(name, args, {
        owner: context.get("principal"),
        session: sessionLabels(context.req.raw.headers, sessionId, config.settings),
        signal: AbortSignal.any([context.req.raw.signal, closing]),
        correlationId: context.get("correlationId"),
        route: context.req.path,
      }),
    answer(context, { error, result }) {
      return error ? failCall(context, new OpsError(error.code, error.message, error.hint)) : json(context, result);
    },
  };
}
