import type { Answer, Caller } from "../../../../src/call/answer.ts";
import assert from "node:assert/strict";
import { Hono } from "hono";
import { settingsSchema } from "../../../../src/config/schema.ts";
import { OpsError } from "../../../../src/core/error.ts";
import type { Env } from "../../../../src/server/http/reply.ts";
import { makeRestCalls } from "../../../../src/server/http/rest_calls.ts";
import { invokeAgentRoute } from "../../../../src/server/http/routes/invoke_agent.ts";

const SNIPPETS = [
  { text: "function lamp() {}", src: "src/lamp.ts#L1-L1", symbol: "lamp", score: 0.9 },
  { text: "function boat() {}", src: "src/boat.ts#L1-L1", symbol: "boat", score: 0.4 },
];
const RECEIPT = "[MCP v0] received; use /rag/search for pre-call context";
const config = { settings: settingsSchema.parse({}) };

/** The route over a search that answers as the test says: the stand-in for an index that is broken or full. */
function route(outcome: Pick<Answer, "result" | "error">, withContext = true) {
  const calls: { name: string; args: unknown; caller: Caller }[] = [];
  const envelope = {
    call(name: string, args: unknown, caller: Caller): Promise<Answer> {
      calls.push({ name, args, caller });
      const rest = { failed: false, record: false, truncated: false, durationMs: 1, tokens: 1 };
      return Promise.resolve({ tool: name, correlationId: "c", text: "", ...rest, ...outcome });
    },
  };
  const limits = { maxBytes: 10_000, idleMs: 1_000 };
  const rest = makeRestCalls({ envelope, config, limits, closing: new AbortController().signal });
  const app = new Hono<Env>();
  app.use((context, next) => {
    context.set("correlationId", "c");
    context.set("principal", "token");
    return next();
  });
  app.route("/", invokeAgentRoute(rest, withContext));
  const ask = async (body: Record<string, unknown>) => {
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ session_id: "S", ...body }) };
    return await (await app.request("/invoke_agent", init)).json();
  };
  return { ask, calls };
}

Deno.test("POST /invoke_agent: answers with the receipt and what the search finds for the message", async () => {
  const { ask, calls } = route({ result: { snippets: SNIPPETS, provenance: true } });
  const { text, context } = await ask({ user_msg: "  light the lamp  ", role: "Grace" });
  assert.equal(text, RECEIPT);
  assert.deepEqual(context.map(({ src }: { src: string }) => src), ["src/lamp.ts#L1-L1", "src/boat.ts#L1-L1"]);
  assert.deepEqual([calls[0]?.name, calls[0]?.args], ["rag_search", { q: "light the lamp" }]);
  assert.equal(calls[0]?.caller.owner, "token");
});

Deno.test("POST /invoke_agent: what the caller has already is not sent again", async () => {
  const { ask } = route({ result: { snippets: SNIPPETS } });
  const { context } = await ask({ user_msg: "lamp", inject_context: "I have: function lamp() {} and so on" });
  assert.deepEqual(context.map(({ src }: { src: string }) => src), ["src/boat.ts#L1-L1"]);
});

Deno.test("POST /invoke_agent: a search that fails leaves the receipt and says why there is no context", async () => {
  const { ask } = route({ error: new OpsError("INDEX_UNAVAILABLE", "the index is being built").body("c") });
  const answer = await ask({ user_msg: "lamp" });
  assert.deepEqual(answer, {
    text: RECEIPT,
    context: [],
    context_error: "INDEX_UNAVAILABLE: the index is being built",
  });
});

Deno.test("POST /invoke_agent: nothing is searched without a message, or when it is switched off", async () => {
  const on = route({ result: { snippets: SNIPPETS } }), off = route({ result: { snippets: SNIPPETS } }, false);
  assert.deepEqual([await on.ask({ user_msg: " " }), await off.ask({ user_msg: "lamp" })], [{ text: RECEIPT }, {
    text: RECEIPT,
  }]);
  assert.equal(on.calls.length + off.calls.length, 0);
});
