/** A client whose subscription is acknowledged misses no later notification. @module */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import { serveOverStdio } from "../../../src/server/mcp/stdio.ts";
import { makeWatches, type Watches } from "../../../src/server/mcp/watches.ts";
import { makeTestApp } from "../../support/app.ts";
import { SDK_TIMERS } from "../../support/faces.ts";
import { openHttpFace } from "../../support/http_face.ts";

const PROTOCOL = "2026-07-28", URI = "test:resource";
const INFO = { name: "test", version: "1" };
/** Longer than any of these servers needs to answer. */
const FIRST_LOOK_MS = 300;

const makeServer = () => new Server(INFO, { capabilities: { resources: { subscribe: true } } });

/** What happened, in its order. */
interface Story {
  readonly events: string[];
  readonly watches: Watches;
  /** Resolves at the end of the first look. */
  readonly looked: Promise<void>;
  told(): void;
}

/** The first look at a resource takes its time, or until somebody has been told too early. */
function makeStory(): Story {
  const events: string[] = [], early = Promise.withResolvers<void>(), looked = Promise.withResolvers<void>();
  return {
    events,
    watches: makeWatches({
      async stamp() {
        const timer = setTimeout(early.resolve, FIRST_LOOK_MS);
        await early.promise;
        clearTimeout(timer);
        events.push("looked at");
        looked.resolve();
        return "as ever";
      },
    }),
    looked: looked.promise,
    told() {
      events.push("told");
      early.resolve();
    },
  };
}

Deno.test("over HTTP, a client is told when its resources are watched", SDK_TIMERS, async () => {
  await using test = await makeTestApp({ settings: { "mcp.server.port": 0, "mcp.auth.mode": "none" } });
  const { events, watches, told } = makeStory();
  const face = openHttpFace(test, { makeServer, watches });
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: PROTOCOL } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${face.url}/mcp`)));
  const subscription = await client.listen({ resourceSubscriptions: [URI] });
  told();
  watches.close();
  await subscription.close();
  await client.close();
  await face.close();
  assert.deepEqual(events, ["looked at", "told"]);
});

Deno.test("over stdio, a client is told when its resources are watched, or not at all when it has cancelled", async (t) => {
  await using test = await makeTestApp();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": INFO,
  };
  const listen = {
    id: 1,
    method: "subscriptions/listen",
    params: { _meta, notifications: { resourceSubscriptions: [URI] } },
  };
  const cancel = { method: "notifications/cancelled", params: { _meta, requestId: 1 } };
  const discover = { id: 2, method: "server/discover", params: { _meta } };
  const cases = [
    { label: "listens", messages: [listen], expected: ["looked at", "told", "answered"] },
    { label: "cancels", messages: [listen, cancel], expected: ["looked at", "answered"] },
  ];
  for (const { label, messages, expected } of cases) {
    await t.step(label, async () => {
      const { events, watches, looked, told } = makeStory(), ended = Promise.withResolvers<void>();
      const encode = (message: object) =>
        new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const input = (async function* () {
        yield* messages.map(encode);
        await looked;
        yield encode(discover);
      })();
      const face = serveOverStdio({
        makeServer,
        peer: { owner: "stdio", sessionId: "-", lasting: true },
        watches,
        log: test.app.log,
        onEnd: ended.resolve,
        streams: {
          input,
          write(bytes) {
            if (new TextDecoder().decode(bytes).includes("subscriptions/acknowledged")) told();
            else events.push("answered");
            return Promise.resolve();
          },
        },
      });
      await ended.promise;
      await face.close();
      watches.close();
      assert.deepEqual(events, expected);
    });
  }
});
