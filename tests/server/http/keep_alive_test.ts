import assert from "node:assert/strict";
import { keepAlive } from "../../../src/server/http/keep_alive.ts";

const RESULT = { jsonrpc: "2.0", id: 1, result: {} };

Deno.test("keepAlive: an answer that comes soon passes as it is", async () => {
  const answer = Response.json(RESULT);
  assert.equal(await keepAlive(Promise.resolve(answer)), answer);
});

Deno.test("keepAlive: a slow answer is preceded by comments, and comes as the event of a stream", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const kept = await keepAlive(promise, 1);
  assert.equal(kept.headers.get("Content-Type"), "text/event-stream");
  const reader = (kept.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/^(: keep-alive\n\n){3}/.test(text)) text += (await reader.read()).value ?? assert.fail(text);
  resolve(Response.json(RESULT));
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  assert.ok(text.endsWith(`event: message\ndata: ${JSON.stringify(RESULT)}\n\n`), text);
});

Deno.test("keepAlive: a slow answer that is a stream itself goes on in the same stream", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const kept = await keepAlive(promise, 1);
  resolve(new Response("event: message\ndata: 1\n\n", { headers: { "Content-Type": "text/event-stream" } }));
  assert.match(await kept.text(), /^(: keep-alive\n\n)+event: message\ndata: 1\n\n$/);
});

Deno.test("keepAlive: nothing is sent any more when the client has gone away", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const kept = await keepAlive(promise, 1);
  await kept.body?.cancel();
  resolve(Response.json(RESULT)); // the timers of the test show whether one is left
});
