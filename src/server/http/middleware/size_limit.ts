/** Limits the size of a request before anything is read. @module */
import type { MiddlewareHandler } from "hono";
import { tooLarge } from "../read_body.ts";
import { type Env, fail, failWith } from "../reply.ts";

/** Bytes of the body and of all headers together. */
export interface SizeLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
}

const HEADER_HINT = "Send fewer or shorter headers; the bound is mcp.limits.max_header_bytes.";
const ADDRESS_HINT = "Send the data in the body; the bound is mcp.limits.max_header_bytes.";
/** `: ` and the line's end. */
const BYTES_BETWEEN = 4;

/**
 * Answers 431 for large headers, 414 for a long address and 413 for a body whose announced length is too large; one
 * whose length is not announced is measured while it is read.
 */
export function sizeLimit({ bodyBytes, headerBytes }: SizeLimits): MiddlewareHandler<Env> {
  return (context, next) => {
    const { headers, url } = context.req.raw;
    if (url.length > headerBytes) {
      const refused = failWith(context, "TOO_LARGE", `the address is over ${headerBytes} bytes`, ADDRESS_HINT, {
        status: 414,
      });
      return Promise.resolve(refused);
    }
    let sizeBytes = 0;
    headers.forEach((value, name) => sizeBytes += name.length + value.length + BYTES_BETWEEN);
    if (sizeBytes > headerBytes) {
      const refused = failWith(context, "TOO_LARGE", `the headers are over ${headerBytes} bytes`, HEADER_HINT, {
        status: 431,
      });
      return Promise.resolve(refused);
    }
    if (Number(headers.get("Content-Length") ?? 0) > bodyBytes) {
      return Promise.resolve(fail(context, tooLarge(bodyBytes)));
    }
    return next();
  };
}
