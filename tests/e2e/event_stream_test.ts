/**
 * The event stream of an MCP session: it opens at once, is silent without notifications, and closes with its client.
 * @module
 */
import assert from "node:assert/strict";
import { Sandbox, startHttp } from "../support/binary.ts";
import { httpFaces } from "../support/faces.ts";
import { makeGate } from "../support/gate.ts";

Deno.test("GET /mcp answers with head and a comment before there is any event, then with the events", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox);
  const headers = {
    Authorization: `Bearer ${server.token}`,
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
  };
  const post = async (message: Record<string, unknown>, more: Record<string, string> = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const response = await fetch(`${server.url}/mcp`, { method: "POST", headers: { ...headers, ...more }, body });
    await response.text();
    return response;
  };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const opened = await post({ id: 1, method: "initialize", params });
  const session = { "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
  await post({ method: "notifications/initialized" }, session);
  const stop = new AbortController();
  const stream = await fetch(`${server.url}/mcp`, { headers: { ...headers, ...session }, signal: stop.signal });
  assert.match(stream.headers.get("Content-Type") ?? "", /^text\/event-stream/);
  assert.ok(stream.headers.get("X-Correlation-Id"));
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.ok(reader);
  assert.equal((await reader.read()).value, ": open\n\n");

  await post({ id: 2, method: "resources/subscribe", params: { uri: "llmc://file/a.txt" } }, session);
  await sandbox.write("a.txt", "another text\n");
  let events = "";
  while (!events.includes("notifications/resources/updated")) {
    const { value, done } = await reader.read();
    assert.ok(!done, events);
    events += value;
  }
  stop.abort();
  await reader.cancel().catch(() => {});
  assert.equal((await post({ id: 3, method: "ping" }, session)).status, 200, "the session outlives its stream");
});

Deno.test("a slow call without handshake is kept alive by comments, and then answered", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  using gate = await makeGate(`${sandbox.root}/go`);
  /** Lets the program pass when the first comment has come; only then can the call end. */
  const watching: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(Object(init).body).includes("tools/call") || response.body === null) return response;
    const [own, seen] = response.body.tee();
    void (async () => {
      for await (const text of seen.pipeThrough(new TextDecoderStream())) {
        if (text.startsWith(": keep-alive")) await gate.pass();
      }
    })().catch(() => {}); // the client has its answer, or fails by itself
    return new Response(own, response);
  };
  const [, newer] = httpFaces(server, {}, watching);
  assert.ok(newer?.isStateless);
  await using client = await newer.connect();
  const command = "bash -c 'read line <go; echo went on'";
  const { content } = await client.callTool({ name: "run_cmd", arguments: { command } });
  assert.match(content.map((part) => part.type === "text" ? part.text : "").join(""), /went on/);
});
