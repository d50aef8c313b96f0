/** Every REST route in the specification's format, over HTTP. @module */
import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { ask, WITHOUT_LIMITS } from "../support/raw_http.ts";

async function post(server: HttpServer, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await ask(server, { path, body: JSON.stringify(body), headers });
  return { status: answer.status, body: JSON.parse(answer.body), header: answer.header };
}

async function get(server: HttpServer, path: string, headers: Record<string, string> = {}) {
  return await ask(server, { method: "GET", path, headers: { "Content-Length": "", ...headers } });
}

Deno.test("POST /tool answers in the shapes of the specification", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n", "dir/b.txt": "" });
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  const tool = async (name: string, args: Record<string, unknown>) => {
    const { status, body, header } = await post(server, "/tool", { session_id: "S", name, args });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(header("content-type"), "application/json; charset=utf-8");
    return body;
  };
  await t.step("read_file", async () => {
    const { data, meta } = await tool("read_file", { path: "a.txt" });
    assert.equal(data, "hello\n");
    assert.equal(meta.length, 6);
    assert.ok(meta.path.endsWith("a.txt"));
  });
  await t.step("list_dir", async () => {
    const { data, meta } = await tool("list_dir", { path: "." });
    assert.deepEqual(data.map((name: string) => name.replace(/\/$/, "")).sort(), ["a.txt", "dir"]);
    assert.equal(typeof meta.path, "string");
  });
  await t.step("stat", async () => {
    const { data } = await tool("stat", { path: "a.txt" });
    assert.equal(data.size, 6);
    assert.equal(data.type, "file");
    assert.match(data.mode, /^0\d{3}$/);
    assert.ok(data.mtime);
  });
  await t.step("run_cmd", async () => {
    const { data } = await tool("run_cmd", { command: "cat a.txt" });
    assert.deepEqual([data.stdout, data.stderr, data.exit_code], ["hello\n", "", 0]);
  });
  await t.step("every other tool by its listed, dotted and plain name", async () => {
    for (const name of ["linux_fs_stat", "linux.fs_stat"]) {
      assert.equal((await tool(name, { path: "a.txt" })).size_bytes, 6);
    }
  });
});

Deno.test("labels of a request are recorded, cleaned, and give no rights", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.observability.csv_token_audit_enabled=true"] });
  const headers = { "X-LLMC-Agent": "  agént=smith ", "X-LLMC-Model": "m".repeat(300) };
  await post(server, "/tool", { session_id: "S-17", name: "read_file", args: { path: "a.txt" } }, headers);
  await post(server, "/tool", { session_id: "S-18", name: "read_file", args: { path: "/etc/passwd" } });
  const [, labelled, plain] = (await Deno.readTextFile(`${await sandbox.storeDir()}/artifacts/token_audit.csv`))
    .split("\r\n").map((line) => line.split(",").slice(2, 6).join());
  assert.match(labelled ?? "", new RegExp(`^ag\\?+nt=smith,S-17,m{80},read_file$`));
  assert.equal(plain, "claude-desktop-mcp,S-18,unknown,read_file");
});

Deno.test("invoke_agent without just-in-time context is the receipt alone", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.rag.jit_context_enabled=false"] });
  const message = { session_id: "S", role: "Rem", user_msg: "anything", inject_context: "" };
  const { status, body } = await post(server, "/invoke_agent", message);
  assert.equal(status, 200);
  assert.deepEqual(body, { text: "[MCP v0] received; use /rag/search for pre-call context" });
  assert.equal((await post(server, "/invoke_agent", { ...message, role: "Nobody" })).status, 422);
});

Deno.test("the metrics are served, moved, opened and closed as the settings say", async (t) => {
  await using sandbox = await Sandbox.make();
  const observability = (...pairs: string[]) => pairs.flatMap((pair) => ["--set", `mcp.observability.${pair}`]);
  const anonymous = { "X-LLMC-Token": "" };
  await t.step("by default at /metrics, with a token", async () => {
    await using server = await startHttp(sandbox);
    await get(server, "/health");
    const { status, body, header } = await get(server, "/metrics");
    assert.equal(status, 200);
    assert.match(header("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    assert.match(body, /route="\/health"/);
    assert.equal((await get(server, "/metrics", anonymous)).status, 401);
  });
  await t.step("public, at another path", async () => {
    const args = observability("metrics_public=true", "metrics_path=/figures");
    await using server = await startHttp(sandbox, { args });
    assert.equal((await get(server, "/figures", anonymous)).status, 200);
    assert.equal((await get(server, "/metrics")).status, 404);
  });
  for (const off of ["enabled=false", "metrics_enabled=false", "metrics_prometheus_enabled=false"]) {
    await t.step(off, async () => {
      await using server = await startHttp(sandbox, { args: observability(off) });
      assert.equal((await get(server, "/metrics")).status, 404);
      assert.ok(!(await get(server, "/openapi.json")).body.includes("/metrics"));
    });
  }
});

Deno.test("/openapi.json is valid OpenAPI 3.1 and names every tool; /docs shows them without anything from elsewhere", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  const api = JSON.parse((await get(server, "/openapi.json")).body);
  const checker = new Validator(), checked = await checker.validate(api);
  assert.deepEqual([checked.valid, checker.version], [true, "3.1"], JSON.stringify(checked.errors));
  const names: string[] = api["x-tools"].map(({ name }: { name: string }) => name);
  for (const name of ["read_file", "list_dir", "stat", "run_cmd", "linux_fs_read", "linux_proc_list"]) {
    assert.ok(names.includes(name), name);
    assert.ok(api.components.schemas[`${name}_args`].properties, name);
  }
  const page = await get(server, "/docs");
  assert.match(page.header("content-type") ?? "", /^text\/html/);
  assert.match(page.header("content-security-policy") ?? "", /default-src 'none'/);
  assert.doesNotMatch(page.body, /<script|(src|href)="(?!#)|url\(|@import/);
  for (const name of names) assert.ok(page.body.includes(`id="${name}"`), name);
});

Deno.test("pages of an allowed origin may read answers, others may not", async () => {
  await using sandbox = await Sandbox.make();
  const args = ["--set", 'mcp.server.allowed_origins=["https://app.example"]'];
  await using server = await startHttp(sandbox, { args });
  const origin = { Origin: "https://app.example", "Sec-Fetch-Site": "cross-site" };
  const preflight = await ask(server, {
    method: "OPTIONS",
    path: "/mcp",
    headers: {
      ...origin,
      "X-LLMC-Token": "",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization, mcp-session-id",
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.header("access-control-allow-origin"), "https://app.example");
  assert.match(preflight.header("access-control-allow-headers") ?? "", /mcp-session-id/i);
  const answer = await get(server, "/docs", origin);
  assert.deepEqual([answer.status, answer.header("access-control-allow-origin")], [200, "https://app.example"]);
  const other = await get(server, "/docs", { Origin: "https://other.example" });
  assert.deepEqual([other.status, other.header("access-control-allow-origin")], [403, undefined]);
});

Deno.test("another accepted host name works", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: ["--set", 'mcp.server.allowed_hosts=["box.example"]'] });
  assert.equal((await get(server, "/docs", { Host: "box.example" })).status, 200);
  assert.equal(
    (await get(server, "/docs", { Host: "BOX.example:8443", Origin: "https://box.example:8443" })).status,
    200,
  );
  assert.equal((await get(server, "/docs", { Host: "evil.box.example" })).status, 403);
});

Deno.test("the MCP endpoint answers with a slash at its end too", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  const response = await fetch(`${server.url}/mcp/`, {
    method: "POST",
    headers: {
      "X-LLMC-Token": server.token,
      "Content-Type": "application/json",
      "Accept": "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /"serverInfo"/);
});
