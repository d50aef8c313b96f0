/** The RAG-first MVP: routes, errors, limits and configuration, row by row; its latencies (NFR1) are rows of the HTTP benchmark. @module */
import assert from "node:assert/strict";
import { specification, type World } from "./table.ts";

const FILES = {
  "AGENTS.md": "# Agents\n\nRead src first.\n",
  "src/lamp.ts": "/** Lights the lamp. */\nexport function lightLamp(): void {}\n",
  "src/boat.ts": "/** Rows the boat to the lamp. */\nexport function rowBoat(): number {\n  return 3;\n}\n",
  "src/buoy.ts": "/** A buoy with a lamp. */\nexport class Buoy {\n  lamp = 1;\n}\n",
  "src/pier.ts": "/** The pier has a lamp. */\nexport const pier = { lamp: true };\n",
  "src/quay.ts": "/** The quay has a lamp. */\nexport const quay = { lamp: true };\n",
};
const tool = ({ rest }: World, name: string, args: Record<string, unknown>) =>
  rest("/tool", { session_id: "s", name, args });

specification("RAG-first MVP", { files: FILES, set: ["mcp.rag.top_k=3", "mcp.rag.token_budget=600"] }, [
  ["004-5.2", "GET /health", async ({ rest }) => assert.equal((await rest("/health")).body.ok, true)],
  ["004-5.1", "content type", async ({ rest }) => {
    assert.equal((await rest("/health")).headers.get("Content-Type"), "application/json; charset=utf-8");
  }],
  ["004-5.3", "POST /invoke_agent: the receipt", async ({ rest }) => {
    const message = { session_id: "S", role: "Otto", user_msg: "hi", inject_context: "" };
    const { body: { text } } = await rest("/invoke_agent", message);
    assert.equal(text, "[MCP v0] received; use /rag/search for pre-call context");
  }],
  ["004-5.4a", "/tool read_file", async (world) => {
    const { body: { data, meta: { path, length } } } = await tool(world, "read_file", { path: "AGENTS.md" });
    assert.deepEqual([data, path, length], [FILES["AGENTS.md"], "AGENTS.md", FILES["AGENTS.md"].length]);
  }],
  ["004-5.4b", "/tool list_dir", async (world) => {
    assert.deepEqual((await tool(world, "list_dir", { path: "." })).body.data.length, 2);
  }],
  ["004-5.4c", "/tool stat", async (world) => {
    const { body: { data } } = await tool(world, "stat", { path: "AGENTS.md" });
    assert.deepEqual(["size", "mtime", "mode", "type"].filter((name) => !(name in data)), []);
  }],
  ["004-5.4d", "/tool run_cmd", async (world) => {
    const { body: { data: { stdout, exit_code } } } = await tool(world, "run_cmd", { command: "echo hi" });
    assert.deepEqual([stdout, exit_code], ["hi\n", 0]);
  }],
  ["004-5.4f", "session_id is required", async ({ rest }) => {
    const { status, body: { code } } = await rest("/tool", { name: "stat", args: {} });
    assert.deepEqual([status, code], [422, "BAD_ARGS"]);
  }],
  ["004-11", "wrong arguments of a tool: BAD_ARGS, and the tool's own code", async (world) => {
    const { status, body: { code, detail_code } } = await tool(world, "read_file", { path: 1 });
    assert.deepEqual([status, code, detail_code], [422, "BAD_ARGS", "INVALID_ARGUMENT"]);
  }],
  ["004-11b", "what is not allowed: FORBIDDEN, and the tool's own code", async (world) => {
    const { status, body: { code, detail_code } } = await tool(world, "read_file", { path: "/etc/passwd" });
    assert.deepEqual([status, code, detail_code], [403, "FORBIDDEN", "INVALID_PATH"]);
  }],
  ["004-11c", "a program that is not allowed: FORBIDDEN", async (world) => {
    const { body: { code, detail_code } } = await tool(world, "run_cmd", { argv: ["su", "root"] });
    assert.deepEqual([code, detail_code], ["FORBIDDEN", "COMMAND_NOT_ALLOWED"]);
  }],
  ["004-11d", "an unknown tool: BAD_ARGS", async (world) => {
    assert.equal((await tool(world, "nothing", {})).body.code, "BAD_ARGS");
  }],
  ["004-FR2", "no token, no answer: AUTH_FAILED", async ({ rest }) => {
    const { status, body } = await rest("/tool", {}, { "X-LLMC-Token": "wrong" });
    assert.deepEqual([status, body.code], [401, "AUTH_FAILED"]);
  }],
  ["004-FR7", "errors carry a correlation id, in body and header", async ({ rest }) => {
    const { body, headers } = await rest("/tool", {});
    assert.equal(body.correlation_id, headers.get("X-Correlation-Id"));
  }],
  ["004-5.5", "POST /rag/search: snippets with text, src, score", async ({ rest }) => {
    const { body } = await rest("/rag/search", { q: "light the lamp", scope: "repo" });
    assert.match(body.snippets[0].src, /#L\d+-L\d+$/);
  }],
  ["004-9.2", "top_k and token_budget cap what a request asks for", async ({ rest }) => {
    const { status, body } = await rest("/rag/search", { q: "lamp", scope: "repo", k: 51, budget_tokens: 30_000 });
    assert.deepEqual([status, body.snippets.length <= 3], [200, true], JSON.stringify(body));
  }],
  ["004-5.6", "POST /rag/bootload: plan, scope, notes", async ({ rest }) => {
    const { body } = await rest("/rag/bootload", { session_id: "S", task_id: "T" });
    assert.deepEqual(["plan", "scope", "notes"].filter((name) => !(name in body)), []);
  }],
  ["004-FR4", "rag.search and rag.bootload as tools", async ({ ok }) => {
    assert.ok((await ok("rag.search", { q: "lamp" })).snippets.length > 0);
  }],
  ["004-6-rg", "rg runs, also where it is not installed", async ({ ok }) => {
    const { stdout } = await ok("run_cmd", { command: "rg -c lightLamp src" });
    assert.match(stdout, /src\/lamp\.ts:1/);
  }],
  ["004-6-allow", "python and pip are on the list", async ({ ok }) => {
    assert.equal((await ok("run_cmd", { command: "python --version" })).failed, false);
  }],
  ["004-14.1", "get_metrics: counts, p50, p95, p99", async ({ ok }) => {
    const { http } = await ok("get_metrics");
    assert.deepEqual(["p50_ms", "p95_ms", "p99_ms"].filter((name) => !(name in http)), []);
  }],
  ["004-5.2v", "the version in /health is v0", async ({ rest }) => {
    assert.match((await rest("/health")).body.version, /^\d+\.\d+\.\d+$/);
  }, "the version of the program is what an operator wants to know; config_version is v0"],
  ["004-5.3b", "/invoke_agent refuses a role that does not exist", async ({ rest }) => {
    const message = { session_id: "S", role: "Hatter", user_msg: "hi" };
    assert.equal((await rest("/invoke_agent", message)).status, 422);
  }],
  ["004-5.4b2", "list_dir tells of the names it leaves out", async (world) => {
    await world.sandbox.write("h/.dot", "");
    const { data, meta } = (await tool(world, "list_dir", { path: "h" })).body;
    assert.deepEqual([data, meta], [[], { path: "h", hidden: 1 }]);
  }],
  ["004-5.4e", "a path outside the roots is 403", async (world) => {
    assert.equal((await tool(world, "list_dir", { path: "/etc" })).status, 403);
  }],
  ["004-5.5b", "scope is repo, docs or both", async ({ rest }) => {
    const ask = async (scope: string) => (await rest("/rag/search", { q: "lamp", scope })).status;
    assert.deepEqual([await ask("repo"), await ask("docs"), await ask("both"), await ask("moon")], [
      200,
      200,
      200,
      422,
    ]);
  }],
  ["004-5.5d", "scope is required", async ({ rest }) => {
    assert.equal((await rest("/rag/search", { q: "lamp" })).status, 200);
  }, "mcp.rag.default_scope stands in for it"],
  ["004-5.5e", "provenance: true", async ({ rest }) => {
    assert.equal((await rest("/rag/search", { q: "lamp", scope: "repo" })).body.provenance, true);
  }],
  ["004-5.6b", "/rag/bootload wants task_id", async ({ rest }) => {
    assert.equal((await rest("/rag/bootload", { session_id: "S" })).status, 422);
  }],
  ["004-FR2b", "a bearer token is taken as well", async ({ rest, token }) => {
    const headers = { "X-LLMC-Token": "", Authorization: `Bearer ${await token()}` };
    const call = { session_id: "s", name: "stat", args: { path: "AGENTS.md" } };
    assert.equal((await rest("/tool", call, headers)).status, 200);
  }],
  ["004-FR3", "read_file, list_dir and stat are listed", async ({ mcp, ok }) => {
    const names = (await mcp("tools/list")).tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(["read_file", "list_dir", "stat"].filter((name) => names.includes(name)), []);
    assert.ok(await ok("stat", { path: "AGENTS.md" }), "and can be called");
  }, "linux_fs_read, linux_fs_list and linux_fs_stat do more; the toolset mvp lists the three"],
  ["004-FR4b", "rag.bootload as a tool", async ({ ok }) => {
    assert.ok("plan" in await ok("rag.bootload", { session_id: "S", task_id: "T" }));
  }],
  ["004-NFR2b", "over the concurrency of a token: 429 at once", async (world) => {
    const calls = Array.from({ length: 12 }, () => tool(world, "run_cmd", { command: "sleep 0.2" }));
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([200]));
  }, "a bounded, fair queue serves clients that start together; only a full one answers 429 with Retry-After"],
  ["004-NFR3", "a device is not read", async (world) => {
    assert.equal((await tool(world, "read_file", { path: "/dev/zero" })).status, 403);
  }],
  ["004-NFR6", "the list of tools and the instructions stay short", async ({ mcp }) => {
    assert.ok(JSON.stringify(await mcp("tools/list")).length < 30_000);
  }],
  ["004-5.7a", "404, 405, 413 and 415", async ({ rest }) => {
    const statuses = [
      await rest("/nothing"),
      await rest("/tool"),
      await rest("/tool", { session_id: "s", name: "stat", args: { path: "x".repeat(5_000_000) } }),
      await rest("/tool", {}, { "Content-Type": "text/plain" }),
    ];
    assert.deepEqual(statuses.map(({ status }) => status), [404, 405, 413, 415]);
  }],
  ["004-11e", "headers that are too large: TOO_LARGE", async ({ rest }) => {
    const { status, body } = await rest("/tool", {}, { "X-Long": "x".repeat(60_000) });
    assert.deepEqual([status, body.code], [431, "TOO_LARGE"]);
  }],
  ["004-8a", "metrics of HTTP: latency, statuses, refused tokens, drops, tokens", async ({ rest }) => {
    const { body } = await rest("/metrics");
    const names = [
      "http_request_duration_seconds",
      "http_requests_total",
      "auth_failures",
      "rate_limited",
      "tokens_in",
      "tokens_out",
    ];
    assert.deepEqual(names.filter((name) => !body.includes(`llmc_${name}`)), []);
  }],
  ["004-8b", "p50, p95 and p99 from buckets", async ({ rest }) => {
    assert.match((await rest("/metrics")).body, /llmc_http_request_duration_seconds_bucket\{/);
  }],
  ["004-14.1b", "a correlation id of 8 characters", async ({ rest }) => {
    assert.match((await rest("/health")).headers.get("X-Correlation-Id") ?? "", /^[0-9a-f-]{36}$/);
  }, "a full UUID never names two requests"],
  ["004-NFR4", "the configuration is printed at the start, without secrets", async ({ httpLog }) => {
    const log = await httpLog();
    assert.ok(!/"token":"test-|test-[0-9a-f]{8}-/.test(log), log.slice(0, 400));
  }],
  ["004-6-proc", "with the root / all of /proc is read", async ({ refused }) => {
    assert.equal(await refused("linux.fs_read", { path: "/proc/cpuinfo" }), "INVALID_PATH");
  }, "/proc holds the environment, so the secrets, of every process; linux_sys_info has the facts"],
  ["004-17", "GET /openapi.json, with servers", async ({ rest }) => {
    const { openapi, servers: [{ url }] } = (await rest("/openapi.json")).body;
    assert.match(`${openapi} ${url}`, /^3\..* \/$/);
  }],
]);
