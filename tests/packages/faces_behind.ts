/** Requests that a proxy must forward, and requests that it must not. @module */
import assert from "node:assert/strict";
import type { HttpServer } from "../support/binary.ts";
import { overHttp } from "../support/clients.ts";
import type { Proxy } from "./proxies.ts";

// The SDK's clients leave timers behind when they close.
const options = { sanitizeOps: false, sanitizeResources: false };

/** Asks for everything that the server shows, by way of the proxy. The root has a.txt with the line `hello`. */
export async function checkFaces(
  t: Deno.TestContext,
  { url, authority }: Proxy,
  { token }: Pick<HttpServer, "token">,
): Promise<void> {
  using http = Deno.createHttpClient({ caCerts: [authority] });
  const ask: typeof fetch = (input, init) => fetch(input, { ...init, client: http });
  const headers = { "X-LLMC-Token": token, "Content-Type": "application/json" };
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    ask(url + path, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });

  await t.step("GET /health", async () => {
    const health = await (await ask(`${url}/health`)).json();
    assert.equal(health.ok, true);
  });

  await t.step("POST /tool, and no token no call", async () => {
    const body = { session_id: "s", name: "read_file", args: { path: "a.txt" } };
    assert.equal((await (await post("/tool", body)).json()).data, "hello\n");
    const refused = await post("/tool", body, { "X-LLMC-Token": "" });
    assert.equal(refused.status, 401);
    await refused.body?.cancel();
  });

  for (const endpoint of overHttp({ url, token }, ask)) {
    await t.step({
      name: `an MCP client works over ${endpoint.label}`,
      ...options,
      async fn() {
        await using client = await endpoint.connect();
        assert.match((await client.call("linux_fs_read", { path: "a.txt" })).text, /hello/);
      },
    });
  }

  await t.step("events pass as they come", async () => {
    const started = performance.now();
    const { session, response } = await openEvents(post, ask, url, headers);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.ok(reader);
    const subscribed = await post("/mcp", SUBSCRIBE, session);
    assert.equal(subscribed.status, 200);
    await subscribed.body?.cancel();
    // One event is far less than any buffer: a proxy that fills one first would never pass it on.
    const write = { session_id: "s", name: "linux_fs_write", args: { path: "a.txt", content: "changed\n" } };
    await (await post("/tool", write)).body?.cancel();
    let seen = "";
    while (!seen.includes("notifications/resources/updated")) {
      const { value, done } = await reader.read();
      assert.ok(!done, `the stream ended: ${seen}`);
      seen += value;
    }
    await reader.cancel();
    // The server sends a sign of life every 15 s; nothing may have waited for that.
    assert.ok(performance.now() - started < 10_000, `${performance.now() - started} ms`);
  });

  await t.step("requests that are too large are refused", async () => {
    const large = await post("/tool", { session_id: "s", name: "x".repeat(300_000), args: {} });
    // Caddy before 2.7 calls an answer that comes before the end of the request a broken upstream.
    assert.ok([413, 502].includes(large.status), `status ${large.status}`);
    await large.body?.cancel();
    // Over HTTP/2 there is no status for it: the connection ends.
    const wide = await ask(`${url}/health`, { headers: { "X-Wide": "x".repeat(40_000) } }).then(async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    }, () => "closed");
    assert.ok([400, 431, "closed"].includes(wide), `status ${wide}`);
  });

  await t.step("metrics stay inside", async () => {
    const metrics = await ask(`${url}/metrics`, { headers });
    assert.equal(metrics.status, 404);
    await metrics.body?.cancel();
  });
}

const MCP_HEADERS = { Accept: "application/json, text/event-stream" };
const SUBSCRIBE = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "llmc://file/a.txt" } };

/** A session of the older protocol with its stream of events open. */
async function openEvents(
  post: (path: string, body: unknown, more?: Record<string, string>) => Promise<Response>,
  ask: typeof fetch,
  url: string,
  headers: Record<string, string>,
): Promise<{ session: Record<string, string>; response: Response }> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const opened = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params }, MCP_HEADERS);
  await opened.body?.cancel();
  const session = {
    ...MCP_HEADERS,
    "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "",
    "MCP-Protocol-Version": "2025-06-18",
  };
  await (await post("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" }, session)).body?.cancel();
  const response = await ask(`${url}/mcp`, { headers: { ...headers, ...session, Accept: "text/event-stream" } });
  assert.equal(response.status, 200);
  return { session, response };
}
