/** Reads a JSON body and says exactly what is wrong with it. @module */
import type { Context } from "hono";
import type * as z from "zod";
import { OpsError } from "../core/error.ts";
import type { Env } from "./reply.ts";

/**
 * The parsed body.
 *
 * @throws OpsError BAD_ARGS naming the field; its status is 415 or 400 where those say more.
 */
export async function readBody<T extends z.ZodType>(context: Context<Env>, schema: T): Promise<z.output<T>> {
  const type = context.req.header("Content-Type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw new BodyError(415, "the body is not application/json", "Send Content-Type: application/json.");
  }
  const parsed = schema.safeParse(await parseJson(context));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 4).map(({ path, message }) =>
    `'${path.join(".") || "body"}': ${message}`
  );
  throw new OpsError("BAD_ARGS", problems.join("; "));
}

async function parseJson(context: Context<Env>): Promise<unknown> {
  const text = await context.req.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 120) : "not JSON";
    throw new BodyError(400, `the body is not valid JSON: ${detail}`, "Send one JSON object.");
  }
}

/** A body that could not even be read as JSON. */
export class BodyError extends OpsError {
  constructor(readonly httpStatus: number, message: string, hint: string) {
    super("BAD_ARGS", message, hint);
  }

  override get status(): number {
    return this.httpStatus;
  }
}
