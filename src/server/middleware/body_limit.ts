/** Bounds what one request may send, before anything is read. @module */
import type { MiddlewareHandler } from "hono";
import { bodyLimit as honoBodyLimit } from "hono/body-limit";
import { type Env, failWith } from "../reply.ts";

/** Bytes of the body and of all headers together. */
export interface SizeLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
}

/** Answers 431 for large headers and 413 for a large body, whether its length was announced or not. */
export function bodyLimit({ bodyBytes, headerBytes }: SizeLimits): MiddlewareHandler<Env> {
  const limitBody: MiddlewareHandler<Env> = honoBodyLimit({
    maxSize: bodyBytes,
    onError: (context) => failWith(context, "TOO_LARGE", `the body is over ${bodyBytes} bytes`),
  });
  return async (context, next) => {
    let size = 0;
    for (const [name, value] of context.req.raw.headers) size += name.length + value.length + 4;
    if (size > headerBytes) {
      const hint = "Send fewer or shorter headers; the bound is mcp.limits.max_header_bytes.";
      return failWith(context, "TOO_LARGE", `the headers are over ${headerBytes} bytes`, hint, 431);
    }
    return await limitBody(context, next);
  };
}
