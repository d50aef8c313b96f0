import assert from "node:assert/strict";
import { Hono } from "hono";
import { sizeLimit } from "../../../../src/server/http/middleware/size_limit.ts";
import type { Env } from "../../../../src/server/http/reply.ts";

/** What an app answers whose requests may have 100 bytes of body, and 200 of headers or address. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<{ status: number; code: unknown }> {
  const app = new Hono<Env>();
  app.use((context, next) => {
    context.set("correlationId", "c");
    return next();
  });
  app.use(sizeLimit({ bodyBytes: 100, headerBytes: 200 }));
  app.all("*", () => Response.json({ code: "through" }));
  const answer = await app.request(url, { method: "POST", headers });
  return { status: answer.status, code: (await answer.json()).code };
}

const THROUGH = { status: 200, code: "through" };

Deno.test("sizeLimit: an address has at most so many bytes", async () => {
  const address = (length: number) => "http://x/".padEnd(length, "y");
  assert.deepEqual(await ask(address(200)), THROUGH);
  assert.deepEqual(await ask(address(201)), { status: 414, code: "TOO_LARGE" });
});

Deno.test("sizeLimit: all headers together have at most so many bytes, with what stands between them", async () => {
  const two = (length: number) => ({ "x-a": "y".repeat(100), "x-b": "z".repeat(length - 100 - 2 * 4 - 2 * 3) });
  assert.deepEqual(await ask("http://x/", two(200)), THROUGH);
  assert.deepEqual(await ask("http://x/", two(201)), { status: 431, code: "TOO_LARGE" });
});

Deno.test("sizeLimit: a body is refused by the length that it announces", async () => {
  assert.deepEqual(await ask("http://x/", { "Content-Length": "100" }), THROUGH);
  assert.deepEqual(await ask("http://x/", { "Content-Length": "101" }), { status: 413, code: "TOO_LARGE" });
  assert.deepEqual(await ask("http://x/"), THROUGH);
});
