import assert from "node:assert/strict";
import { Hono } from "hono";
import * as z from "zod";
import { OpsError } from "../../../src/core/error.ts";
import { readBody, readBodyText, tooLarge } from "../../../src/server/http/read_body.ts";
import type { Env } from "../../../src/server/http/reply.ts";

const LIMITS = { maxBytes: 3_000, idleMs: 5_000 };
const SCHEMA = z.strictObject({
  name: z.string(),
  count: z.number().optional(),
  inner: z.strictObject({ x: z.number() }).optional(),
});

/** A request whose body comes in these pieces; `open` never ends it. */
function requestOf(pieces: readonly (string | Uint8Array<ArrayBuffer>)[], open = false): Request {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      if (!open) controller.close();
    },
  });
  return new Request("http://x/", { method: "POST", body });
}

/** What {@link readBody} says. */
async function body(text: string, type = "application/json"): Promise<unknown> {
  const app = new Hono<Env>();
  app.post("/", async (context) => Response.json(await readBody(context, SCHEMA, LIMITS)));
  app.onError((error) => {
    if (!(error instanceof OpsError)) throw error;
    return Response.json({ status: error.status, code: error.code, message: error.message, hint: error.hint });
  });
  return await (await app.request("/", { method: "POST", body: text, headers: { "Content-Type": type } })).json();
}

async function refused(asked: Promise<string>): Promise<{ status: number; code: string; message: string }> {
  const error = await asked.then((text) => text, (reason) => reason);
  assert.ok(error instanceof OpsError, `read: ${error}`);
  return { status: error.status, code: error.code, message: error.message };
}

Deno.test("readBody: gives what the schema knows", async () => {
  assert.deepEqual(await body('{"name":"a","count":2}'), { name: "a", count: 2 });
  assert.deepEqual(await body('{"name":"a"}', "Application/JSON ; charset=utf-8"), { name: "a" });
});

Deno.test("readBody: names what does not fit, four things at most, and a name that is near", async () => {
  const hint = "Fields: name, count, inner.";
  const refusal = (message: string) => ({ status: 422, code: "BAD_ARGS", message, hint });
  assert.deepEqual(
    await body('{"nam":"a"}'),
    refusal("'name': Invalid input: expected string, received undefined; unknown field 'nam', did you mean 'name'?"),
  );
  assert.deepEqual(await body('{"name":"a","zzzzzzzz":1}'), refusal("unknown field 'zzzzzzzz'"));
  assert.deepEqual(
    await body('{"name":"a","nam":1,"coun":2}'),
    refusal("unknown field 'nam', did you mean 'name'?; unknown field 'coun', did you mean 'count'?"),
  );
  const long = "z".repeat(80);
  assert.deepEqual(await body(`{"name":"a","${long}":1}`), refusal(`unknown field '${long.slice(0, 60)}'`));
  assert.deepEqual(
    await body('{"name":"a","inner":{"x":"1"}}'),
    refusal("'inner.x': Invalid input: expected number, received string"),
  );
  assert.deepEqual(await body("[]"), refusal("'body': Invalid input: expected object, received array"));
});

Deno.test("readBody: says what is no JSON", async () => {
  for (const type of ["text/plain", "application/jsonp", "text/application/json"]) {
    assert.deepEqual(await body("{}", type), {
      status: 415,
      code: "BAD_ARGS",
      message: "the body is not application/json",
      hint: "Send Content-Type: application/json.",
    });
  }
  const broken = z.object({ status: z.number(), code: z.string(), message: z.string() }).parse(await body("{"));
  assert.deepEqual([broken.status, broken.code], [400, "BAD_ARGS"]);
  assert.match(broken.message, /^the body is not valid JSON: /);
});

Deno.test("readBodyText: reads a body to its end, also one that is cut inside a letter", async () => {
  const [first, second] = [new Uint8Array([0xc3]), new Uint8Array([0xa4])];
  assert.equal(await readBodyText(requestOf(["a", first, second, "b"]), LIMITS), "aäb");
  assert.equal(await readBodyText(new Request("http://x/"), LIMITS), "");
});

Deno.test("readBodyText: a body may be as large as the bound and no larger, whatever it announces", async () => {
  assert.equal((await readBodyText(requestOf(["x".repeat(2_000), "y".repeat(1_000)]), LIMITS)).length, 3_000);
  const over = { status: 413, code: "TOO_LARGE", message: "the body is over 3000 bytes" };
  assert.deepEqual(await refused(readBodyText(requestOf(["x".repeat(2_000), "y".repeat(1_001)], true), LIMITS)), over);
  const { status, code, message } = tooLarge(3_000);
  assert.deepEqual({ status, code, message }, over);
});

Deno.test("readBodyText: says what is no UTF-8, and what ends too early", async () => {
  for (const pieces of [["a", new Uint8Array([0xff])], [new Uint8Array([0xc3])]]) {
    assert.deepEqual(await refused(readBodyText(requestOf(pieces), LIMITS)), {
      status: 400,
      code: "BAD_ARGS",
      message: "the body is not UTF-8",
    });
  }
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error("connection lost")) });
  const request = new Request("http://x/", { method: "POST", body: broken });
  assert.deepEqual(await refused(readBodyText(request, LIMITS)), {
    status: 400,
    code: "BAD_ARGS",
    message: "the body ended before its announced length",
  });
});

/** A request whose body comes piece by piece; without a number of pieces it has no end. */
function drippingRequest(pieceBytes: number, everyMs: number, pieces = Infinity): Request {
  let sent = 0, timer = 0;
  const body = new ReadableStream({
    pull: (controller) =>
      new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          if (sent++ < pieces) controller.enqueue(new Uint8Array(pieceBytes).fill(0x20));
          else controller.close();
          resolve();
        }, everyMs);
      }),
    cancel: () => clearTimeout(timer),
  });
  return new Request("http://x/", { method: "POST", body });
}

Deno.test("readBodyText: a body may not stand still, and trickling is standing still", async () => {
  const limits = { maxBytes: 3_000, idleMs: 50 };
  const slow = { status: 408, code: "TIMEOUT", message: "no data of the body arrived for 0.05 s" };
  assert.deepEqual(await refused(readBodyText(requestOf(["x"], true), limits)), slow);
  assert.deepEqual(await refused(readBodyText(drippingRequest(1, 10), limits)), slow);
});

Deno.test("readBodyText: a body that makes progress has all the time it needs", async () => {
  const text = await readBodyText(drippingRequest(1_024, 40, 8), { maxBytes: 10_000, idleMs: 200 });
  assert.equal(text.length, 8 * 1_024);
});

Deno.test("readBodyText: what is not read of a refused body is cancelled", async () => {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(2_000)),
    cancel: () => cancelled.resolve(),
  });
  const request = new Request("http://x/", { method: "POST", body });
  assert.equal((await refused(readBodyText(request, LIMITS))).code, "TOO_LARGE");
  await cancelled.promise;
});
