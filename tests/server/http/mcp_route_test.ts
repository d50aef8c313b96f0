import { Server } from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import { makeWatches } from "../../../src/server/mcp/watches.ts";
import { makeTestApp } from "../../support/app.ts";
import { eventually } from "../../support/eventually.ts";
import { openHttpFace } from "../../support/http_face.ts";

const SETTINGS = { "mcp.server.port": 0, "mcp.auth.mode": "none" };
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
const ACCEPT = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };

Deno.test("no server stays behind a session that was refused or has ended", async () => {
  await using test = await makeTestApp({ settings: SETTINGS });
  let open = 0;
  const face = openHttpFace(test, {
    makeServer() {
      const server = new Server({ name: "counted", version: "1" }, { capabilities: {} });
      open++;
      server.onclose = () => open--;
      return server;
    },
    watches: makeWatches({ stamp: () => Promise.resolve(null) }),
  });
  const post = async (headers: Record<string, string>) => {
    const answer = await fetch(`${face.url}/mcp`, { method: "POST", headers, body: INITIALIZE });
    await answer.text();
    return answer;
  };
  assert.equal((await post({ ...ACCEPT, Accept: "text/html" })).status, 406);
  assert.equal(open, 0);
  const opened = await post(ACCEPT);
  assert.equal(opened.status, 200);
  assert.equal(open, 1);
  const session = { "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
  await (await fetch(`${face.url}/mcp`, { method: "DELETE", headers: session })).text();
  await eventually(() => assert.equal(open, 0));
  await post(ACCEPT);
  await face.close();
  await eventually(() => assert.equal(open, 0));
});
