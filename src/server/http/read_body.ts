/** Reads a JSON body within its bounds, and reports exactly what is wrong with it. @module */
import type { Context } from "hono";
import type * as z from "zod";
import { nearest } from "../../config/suggest.ts";
import { type ErrorCode, OpsError } from "../../core/error.ts";
import { safeParse } from "../../call/arguments.ts";
import type { Env } from "./reply.ts";

/** Bounds of one body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** How long it may stand still. */
  readonly idleMs: number;
}

/** A body that trickles slower than this counts as standing still. */
const PROGRESS_BYTES = 1024;

/** A body that could not even be read as JSON. */
class BodyError extends OpsError {
  constructor(readonly httpStatus: number, code: ErrorCode, message: string, hint: string) {
    super(code, message, hint);
  }

  override get status(): number {
    return this.httpStatus;
  }
}

/**
 * The parsed body.
 *
 * @throws OpsError BAD_ARGS naming the field; its status is 415 or 400 where those say more.
 * @throws OpsError TOO_LARGE, or TIMEOUT with status 408.
 */
export async function readBody<T extends z.ZodObject>(
  context: Context<Env>,
  schema: T,
  limits: BodyLimits,
): Promise<z.output<T>> {
  const parsed = safeParse(schema, await readJson(context.req.raw, limits));
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const problems = parsed.error.issues.slice(0, 4).map((issue) => explain(issue, known));
  throw new OpsError("BAD_ARGS", problems.join("; "), `Fields: ${known.join(", ")}.`);
}

function explain(issue: z.core.$ZodIssue, known: readonly string[]): string {
  if (issue.code !== "unrecognized_keys") return `'${issue.path.join(".") || "body"}': ${issue.message}`;
  return issue.keys.map((key) => {
    const near = nearest(key, known);
    return `unknown field '${key.slice(0, 60)}'${near ? `, did you mean '${near}'?` : ""}`;
  }).join("; ");
}

/** Reads the body as JSON. @throws OpsError */
export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? "")) {
    const hint = "Send Content-Type: application/json.";
    throw new BodyError(415, "BAD_ARGS", "the body is not application/json", hint);
  }
  const text = await readBodyText(request, limits);
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 120) : "not JSON";
    throw new BodyError(400, "BAD_ARGS", `the body is not valid JSON: ${detail}`, "Send one JSON object.");
  }
}

/** Reads the body as UTF-8 text. @throws OpsError */
export async function readBodyText(request: Request, { maxBytes, idleMs }: BodyLimits): Promise<string> {
  if (!request.body) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "", sizeBytes = 0, progressAt = 0, timedOut = false;
  const expire = () => {
    timedOut = true;
    reader.cancel().catch(() => {}); // ends the read that is waiting
  };
  let timer = setTimeout(expire, idleMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (timedOut) throw tooSlow(idleMs);
      if (done) return text + decoder.decode();
      sizeBytes += value.byteLength;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      text += decoder.decode(value, { stream: true });
      if (sizeBytes - progressAt < PROGRESS_BYTES) continue;
      progressAt = sizeBytes;
      clearTimeout(timer);
      timer = setTimeout(expire, idleMs);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    if (error instanceof OpsError) throw error;
    if (timedOut) throw tooSlow(idleMs);
    if (error instanceof TypeError) throw new BodyError(400, "BAD_ARGS", "the body is not UTF-8", "Send UTF-8.");
    throw new BodyError(400, "BAD_ARGS", "the body ended before its announced length", "Send the whole body.");
  } finally {
    clearTimeout(timer);
  }
}

/** The answer to a body over the limit. */
export function tooLarge(maxBytes: number): OpsError {
  const hint = "Send a smaller body; the bound is mcp.limits.max_request_bytes.";
  return new BodyError(413, "TOO_LARGE", `the body is over ${maxBytes} bytes`, hint);
}

function tooSlow(idleMs: number): BodyError {
  const hint = "Send the body without pauses; the bound is mcp.tools.idle_timeout.";
  return new BodyError(408, "TIMEOUT", `no data of the body arrived for ${idleMs / 1000} s`, hint);
}
