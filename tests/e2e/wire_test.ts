/** HTTP answers to invalid tokens, hosts, origins, bodies and tools. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { ask, type Asked, dial, headOf, parse, readAll, rpc, send, WITHOUT_LIMITS } from "../support/raw_http.ts";

const MCP = { path: "/mcp", headers: { Accept: "application/json, text/event-stream" } };
const LIST = JSON.stringify({ session_id: "s", name: "linux_fs_list", args: { path: "." } });

async function assertRefused(server: HttpServer, asked: Asked, status: number, code: string): Promise<void> {
  const answer = await ask(server, asked);
  assert.equal(answer.status, status, answer.top + answer.body);
  const error = JSON.parse(answer.body);
  assert.equal(error.code, code);
  assert.ok(error.message && error.hint && error.correlation_id, answer.body);
  assert.ok(!answer.body.includes(server.token));
}

Deno.test("the wire gives the right error for every way of asking wrongly", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  const { port } = new URL(server.url);

  const cases: [string, Asked, number, string][] = [
    ["no token", { body: LIST, headers: { "X-LLMC-Token": "" } }, 401, "AUTH_FAILED"],
    ["wrong token", { body: LIST, headers: { "X-LLMC-Token": "x".repeat(30) } }, 401, "AUTH_FAILED"],
    ["wrong bearer", { body: LIST, headers: { "X-LLMC-Token": "", Authorization: "Bearer nope" } }, 401, "AUTH_FAILED"],
    ["wrong Host", { body: LIST, headers: { Host: "evil.example" } }, 403, "FORBIDDEN"],
    ["wrong Host with the right port", { body: LIST, headers: { Host: `evil.example:${port}` } }, 403, "FORBIDDEN"],
    ["wrong Origin", { body: LIST, headers: { Origin: "http://evil.example" } }, 403, "FORBIDDEN"],
    ["opaque Origin", { body: LIST, headers: { Origin: "null" } }, 403, "FORBIDDEN"],
    [
      "a page of another site that sends no Origin",
      { body: LIST, headers: { "Sec-Fetch-Site": "cross-site" } },
      403,
      "FORBIDDEN",
    ],
    [
      "a page of the same host at another port",
      { body: LIST, headers: { Origin: "http://127.0.0.1:1" } },
      403,
      "FORBIDDEN",
    ],
    ["another host in the first line", { path: "http://evil.example/tool", body: LIST }, 403, "FORBIDDEN"],
    ["a Host that is no name", { body: LIST, headers: { Host: "a b" } }, 403, "FORBIDDEN"],
    ["two Hosts", { body: LIST, headers: { Host: `127.0.0.1:${port}\r\nHost: evil.example` } }, 403, "FORBIDDEN"],
    ["an announced length over the limit", { headers: { "Content-Length": "300000" } }, 413, "TOO_LARGE"],
    ["an address over the limit", { path: `/tool?${"x".repeat(17_000)}` }, 414, "TOO_LARGE"],
    [
      "a long body of unannounced length",
      {
        headers: { "Content-Length": "", "Transfer-Encoding": "chunked" },
        body: `493E0\r\n${"x".repeat(300_000)}\r\n0\r\n\r\n`,
      },
      413,
      "TOO_LARGE",
    ],
    ["an empty body", { body: "" }, 400, "BAD_ARGS"],
    ["JSON that is no object", { body: "[1]" }, 422, "BAD_ARGS"],
    ["an unknown field", { body: JSON.stringify({ session_id: "s", name: "stat", arg: {} }) }, 422, "BAD_ARGS"],
    [
      "a type that only begins like JSON",
      { body: LIST, headers: { "Content-Type": "application/jsonx" } },
      415,
      "BAD_ARGS",
    ],
    ["another method", { method: "PUT", body: LIST }, 405, "BAD_ARGS"],
    ["GET of what takes POST", { method: "GET" }, 405, "BAD_ARGS"],
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
      "BAD_ARGS",
    ],
    [
      "bad argument",
      { body: JSON.stringify({ session_id: "s", name: "linux_fs_read", args: { pth: "a" } }) },
      422,
      "BAD_ARGS",
    ],
    [
      "outside the roots",
      { body: JSON.stringify({ session_id: "s", name: "linux_fs_read", args: { path: "/etc/passwd" } }) },
      403,
      "FORBIDDEN",
    ],
    ["unknown route", { path: "/nope", body: "" }, 404, "NOT_FOUND"],
  ];
  for (const [name, asked, status, code] of cases) {
    await t.step(name, () => assertRefused(server, asked, status, code));
  }

  await t.step("a body that stands still", async () => {
    await using impatient = await startHttp(sandbox, { args: ["--set", "mcp.tools.idle_timeout=1"] });
    const asked = { headers: { "Content-Length": "50" }, body: '{"session_id":' };
    // Where the machine stands still before it is sent, the connection is cut without an answer.
    await eventually(() => assertRefused(impatient, asked, 408, "TIMEOUT"));
  });

  await t.step("a refusal of fields names them", async () => {
    const missing = JSON.parse((await ask(server, { body: JSON.stringify({ session_id: 1 }) })).body);
    assert.match(missing.message, /'session_id'.*'name'/s);
    const unknown = JSON.parse(
      (await ask(server, { body: JSON.stringify({ session_id: "s", name: "stat", arg: {} }) })).body,
    );
    assert.match(unknown.message, /'arg', did you mean 'args'/);
  });

  await t.step("405 and OPTIONS name the methods, HEAD answers without a body", async () => {
    assert.equal((await ask(server, { method: "PUT" })).header("allow"), "POST, OPTIONS");
    assert.equal(
      (await ask(server, { path: "/mcp", method: "PUT" })).header("allow"),
      "GET, HEAD, POST, DELETE, OPTIONS",
    );
    const options = await ask(server, { method: "OPTIONS", path: "/health" });
    assert.deepEqual([options.status, options.header("allow")], [204, "GET, HEAD, OPTIONS"]);
    const head = await ask(server, { method: "HEAD", path: "/health", headers: { "Content-Length": "" } });
    assert.deepEqual([head.status, head.body], [200, ""]);
  });

  await t.step("every answer, a refusal too, has the security headers", async () => {
    const asked: Asked[] = [
      { method: "GET", path: "/health" },
      { path: "/nope" },
      { headers: { Host: "evil.example" } },
      { ...MCP, body: rpc("ping", {}) },
    ];
    for (const each of asked) {
      const answer = await ask(server, each);
      assert.equal(answer.header("x-content-type-options"), "nosniff");
      assert.equal(answer.header("x-frame-options"), "DENY");
      assert.equal(answer.header("referrer-policy"), "no-referrer");
      assert.match(answer.header("cache-control") ?? "", /no-store|no-cache/);
      assert.ok(answer.header("x-correlation-id"), answer.top);
    }
  });

  await t.step("a right token in the wrong case of header names works, and a bearer as well", async () => {
    const headers = { "X-LLMC-Token": "", authorization: `bearer ${server.token}` };
    assert.equal((await ask(server, { path: "/docs", method: "GET", headers })).status, 200);
  });

  await t.step("errors of /mcp are JSON-RPC errors with the same content", async () => {
    const cases: [Asked, number, number, string][] = [
      [{ body: rpc("ping", {}), headers: { "X-LLMC-Token": "" } }, 401, -32000, "AUTH_FAILED"],
      [{ body: rpc("ping", {}), headers: { Origin: "http://evil.example" } }, 403, -32000, "FORBIDDEN"],
      [{ body: "x".repeat(300_000) }, 413, -32000, "TOO_LARGE"],
      [{ body: "{nope" }, 400, -32700, "BAD_ARGS"],
      [{ body: rpc("ping", {}), headers: { "Content-Type": "text/plain" } }, 415, -32000, "BAD_ARGS"],
      [{ method: "PUT" }, 405, -32000, "BAD_ARGS"],
    ];
    for (const [asked, status, code, name] of cases) {
      const answer = await ask(server, { ...MCP, ...asked, headers: { ...MCP.headers, ...asked.headers } });
      assert.equal(answer.status, status, answer.top);
      const { jsonrpc, id, error } = JSON.parse(answer.body);
      assert.deepEqual([jsonrpc, id, error.code, error.data.code], ["2.0", null, code, name]);
      assert.equal(error.data.correlation_id, answer.header("x-correlation-id"));
      if (status === 401) assert.match(answer.header("www-authenticate") ?? "", /^Bearer/);
    }
  });

  await t.step("a client that closes in the middle of its body costs nothing", async () => {
    using connection = await dial(server);
    await send(connection, headOf(server, { headers: { "Content-Length": "100" } }) + "{");
    await connection.closeWrite();
    const answer = parse(await readAll(connection));
    assert.ok(Number.isNaN(answer.status) || answer.status === 400, answer.top);
    assert.equal((await ask(server, { method: "GET", path: "/health" })).status, 200);
  });

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
    const opened = await ask(server, { ...MCP, body: rpc("initialize", init) });
    assert.equal(opened.status, 200, opened.body);
    const session = opened.top.match(/mcp-session-id: (\S+)/i)?.[1] ?? "";
    const answer = await ask(server, {
      ...MCP,
      headers: { ...MCP.headers, "Mcp-Session-Id": session },
      body: rpc("tools/call", { name: "nope", arguments: {} }),
    });
    assert.match(answer.body, /-32602/);
    const stranger = await ask(server, {
      ...MCP,
      headers: { ...MCP.headers, "Mcp-Session-Id": crypto.randomUUID() },
      body: rpc("tools/list", {}),
    });
    assert.equal(stranger.status, 404);
  });

  await t.step("the token is in nothing that the server wrote", () => {
    assert.ok(!server.stderr().includes(server.token));
  });
});
