/** What the wire answers when something is wrong: tokens, hosts, origins, bodies, tools. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends raw HTTP/1.1, because fetch would not let a test choose its Host. */
async function ask(server: HttpServer, { path = "/tool", method = "POST", headers = {}, body = "" }: Asked) {
  const { hostname, port } = new URL(server.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const all = {
    Host: `${hostname}:${port}`,
    "X-LLMC-Token": server.token,
    "Content-Type": "application/json",
    "Content-Length": `${new TextEncoder().encode(body).length}`,
    Connection: "close",
    ...headers,
  };
  const head = Object.entries(all).filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  await connection.write(new TextEncoder().encode(`${method} ${path} HTTP/1.1\r\n${head}\r\n`));
  await writeAll(connection, body);
  const text = await new Response(connection.readable).text().catch(() => "");
  const [top = "", ...rest] = text.split("\r\n\r\n");
  const status = Number(top.match(/^HTTP\/1\.1 (\d+)/)?.[1]);
  return { status, top, body: rest.join("\r\n\r\n") };
}

async function writeAll(connection: Deno.Conn, text: string): Promise<void> {
  let bytes = new TextEncoder().encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(await connection.write(bytes));
  } catch {
    // the server answered before it had read everything
  }
}

const LIST = JSON.stringify({ session_id: "s", name: "linux_fs_list", args: { path: "." } });

Deno.test("the wire gives the right error for every way of asking wrongly", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox);
  const { port } = new URL(server.url);

  const cases: [string, Asked, number, string][] = [
    ["no token", { body: LIST, headers: { "X-LLMC-Token": "" } }, 401, "AUTH_FAILED"],
    ["wrong token", { body: LIST, headers: { "X-LLMC-Token": "x".repeat(30) } }, 401, "AUTH_FAILED"],
    ["wrong bearer", { body: LIST, headers: { "X-LLMC-Token": "", Authorization: "Bearer nope" } }, 401, "AUTH_FAILED"],
    ["wrong Host", { body: LIST, headers: { Host: "evil.example" } }, 403, "FORBIDDEN"],
    ["wrong Host with the right port", { body: LIST, headers: { Host: `evil.example:${port}` } }, 403, "FORBIDDEN"],
    ["wrong Origin", { body: LIST, headers: { Origin: "http://evil.example" } }, 403, "FORBIDDEN"],
    ["opaque Origin", { body: LIST, headers: { Origin: "null" } }, 403, "FORBIDDEN"],
    ["oversized body", { body: JSON.stringify({ pad: "x".repeat(300_000) }) }, 413, "TOO_LARGE"],
    [
      "oversized headers",
      { body: LIST, headers: { "X-Pad": "x".repeat(15_000), "X-More": "y".repeat(2_000) } },
      431,
      "TOO_LARGE",
    ],
    ["not JSON", { body: "{nope" }, 400, "BAD_ARGS"],
    ["wrong content type", { body: LIST, headers: { "Content-Type": "text/plain" } }, 415, "BAD_ARGS"],
    ["missing field", { body: JSON.stringify({ session_id: "s" }) }, 422, "BAD_ARGS"],
    ["wrong type", { body: JSON.stringify({ session_id: 1, name: "stat" }) }, 422, "BAD_ARGS"],
    [
      "unknown tool",
      { body: JSON.stringify({ session_id: "s", name: "linux_fs_raed", args: {} }) },
      422,
      "INVALID_ARGUMENT",
    ],
    [
      "bad argument",
      { body: JSON.stringify({ session_id: "s", name: "linux_fs_read", args: { pth: "a" } }) },
      422,
      "INVALID_ARGUMENT",
    ],
    [
      "outside the roots",
      { body: JSON.stringify({ session_id: "s", name: "linux_fs_read", args: { path: "/etc/passwd" } }) },
      403,
      "INVALID_PATH",
    ],
    ["unknown route", { path: "/nope", body: "" }, 404, "NOT_FOUND"],
  ];
  for (const [name, asked, status, code] of cases) {
    await t.step(name, async () => {
      const answer = await ask(server, asked);
      assert.equal(answer.status, status, answer.top + answer.body);
      const error = JSON.parse(answer.body);
      assert.equal(error.code, code);
      assert.ok(error.message && error.hint && error.correlation_id, answer.body);
      assert.ok(!answer.body.includes(server.token));
    });
  }

  await t.step("health is open, and says more to whoever has the token", async () => {
    const open = await ask(server, { method: "GET", path: "/health", headers: { "X-LLMC-Token": "" } });
    assert.equal(open.status, 200);
    assert.deepEqual(Object.keys(JSON.parse(open.body)), ["ok", "version"]);
    const known = JSON.parse((await ask(server, { method: "GET", path: "/health" })).body);
    assert.ok(["full", "landlock", "bwrap", "none"].includes(known.sandbox.level), JSON.stringify(known));
  });

  await t.step("a well-formed correlation id comes back, another one is replaced", async () => {
    assert.match(
      (await ask(server, { body: LIST, headers: { "X-Correlation-Id": "abc-123" } })).top,
      /x-correlation-id: abc-123/i,
    );
    assert.doesNotMatch(
      (await ask(server, { body: LIST, headers: { "X-Correlation-Id": "a b<script>" } })).top,
      /script/,
    );
  });

  await t.step("MCP answers an unknown tool with -32602", async () => {
    const init = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const headers = { Accept: "application/json, text/event-stream" };
    const opened = await ask(server, { path: "/mcp", headers, body: rpc("initialize", init) });
    assert.equal(opened.status, 200, opened.body);
    const session = opened.top.match(/mcp-session-id: (\S+)/i)?.[1] ?? "";
    const answer = await ask(server, {
      path: "/mcp",
      headers: { ...headers, "Mcp-Session-Id": session },
      body: rpc("tools/call", { name: "nope", arguments: {} }),
    });
    assert.match(answer.body, /-32602/);
    const stranger = await ask(server, {
      path: "/mcp",
      headers: { ...headers, "Mcp-Session-Id": crypto.randomUUID() },
      body: rpc("tools/list", {}),
    });
    assert.equal(stranger.status, 404);
  });

  await t.step("the token is in nothing that the server wrote", () => {
    assert.ok(!server.stderr().includes(server.token));
  });
});

function rpc(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}
