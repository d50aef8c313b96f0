/** The RAG-first MVP: routes, errors, limits and configuration, row by row. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { makeCertificate, tlsOptions } from "../support/certificate.ts";
import { eventually } from "../support/eventually.ts";
import { specification, type World } from "./table.ts";

const FILES = {
  "AGENTS.md": "# Agents\n\nRead src first.\n",
  "src/lamp.ts": "/** Lights the lamp. */\nexport function lightLamp(): void {}\n",
  "src/boat.ts": "/** Rows the boat to the lamp. */\nexport function rowBoat(): number {\n  return 3;\n}\n",
  "src/buoy.ts": "/** A buoy with a lamp. */\nexport class Buoy {\n  lamp = 1;\n}\n",
  "src/pier.ts": "/** The pier has a lamp. */\nexport const pier = { lamp: true };\n",
  "src/quay.ts": "/** The quay has a lamp. */\nexport const quay = { lamp: true };\n",
};
/** The whole machine is looked through for secrets to mask when the first call comes. */
const LONG_LOOK = ["--set", "mcp.tools.read_timeout=45"];
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
  ["004-17", "GET /openapi.json, with servers", async ({ rest }) => {
    const { openapi, servers: [{ url }] } = (await rest("/openapi.json")).body;
    assert.match(`${openapi} ${url}`, /^3\..* \/$/);
  }],
]);

Deno.test("004-6-roots2 the specification's own roots: with / there is code search where the server was started", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await Deno.mkdir(`${sandbox.root}/.git`);
  const { stdout, stderr } = await runBinary(["rag", "search", "light the lamp", "--root", "/", ...LONG_LOOK], {
    env: sandbox.env,
    cwd: `${sandbox.root}/src`,
  });
  assert.match(stdout, /lamp\.ts/, stderr);
});

Deno.test("004-LLMC_ROOT LLMC_ROOT names the root", async () => {
  await using sandbox = await Sandbox.make(FILES);
  const { stdout } = await runBinary(["tool", "linux_fs_read", "path=AGENTS.md"], {
    env: { ...sandbox.env, LLMC_ROOT: sandbox.root },
    cwd: sandbox.dir,
  });
  assert.match(stdout, /^# Agents/);
});

Deno.test("004-6-csv the token audit is where its setting says, one line for each call", async () => {
  await using sandbox = await Sandbox.make(FILES);
  const args = ["tool", "stat", "path=AGENTS.md", "--root", sandbox.root];
  const audit = ["--set", "mcp.observability.csv_token_audit_enabled=true"];
  await runBinary([...args, ...audit], { env: sandbox.env });
  const shown = await runBinary(["config", "show", ...audit, "--json"], { env: sandbox.env, cwd: sandbox.root });
  const path = shown.stdout.match(/"csv_path": "([^"]+)"/)?.[1] ?? assert.fail(shown.stdout + shown.stderr);
  const [head, row] = (await Deno.readTextFile(path)).split("\r\n");
  assert.match(`${head}\n${row}`, /^timestamp,correlation_id,.*\n\d{4}-.*,stat,\d+,\d+,\d+$/);
});

Deno.test("001-6.1 the log line of a call says whom it concerned, and how much there was", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.observability.log_format=json"] });
  const call = async (name: string, args: Record<string, unknown>) => {
    const headers = { "X-LLMC-Token": server.token, "Content-Type": "application/json" };
    const body = JSON.stringify({ session_id: "s", name, args });
    await (await fetch(`${server.url}/tool`, { method: "POST", headers, body })).body?.cancel();
    const line = () =>
      server.stderr().split("\n").find((each) => each.includes(`"tool":"${name}"`) && each.endsWith("}"));
    await eventually(() => assert.ok(line(), name));
    return JSON.parse(line() ?? "{}");
  };
  const { path, max_lines, returned_lines, route } = await call("linux_fs_read", { path: "AGENTS.md", max_lines: 2 });
  assert.deepEqual([path, max_lines, returned_lines, route], ["AGENTS.md", 2, 2, "/tool"]);
  const { max_results, total_processes } = await call("linux_proc_list", { max_results: 1 });
  assert.deepEqual([max_results, total_processes > 0], [1, true]);
  const killed = await call("linux_proc_kill", { pid: 1, signal: "HUP" });
  assert.deepEqual([killed.pid, killed.signal, killed.error_code], [1, "HUP", "KILL_FORBIDDEN"]);
  assert.match((await call("linux_sys_snapshot", {})).short_summary, /^CPU/);
  const { command, exit_code } = await call("EXEC_CLI", { command: "echo --password=geheim" });
  assert.deepEqual([command, exit_code], ["echo --password=***", 0]);
});

Deno.test("004-5.7b over HTTP/2 a refusal before the body was read has its status, with curl as well", async () => {
  await using sandbox = await Sandbox.make();
  const { certFile, keyFile, cert } = await makeCertificate(sandbox.dir);
  await using server = await startHttp(sandbox, { args: tlsOptions(certFile, keyFile) });
  await Deno.writeFile(`${sandbox.dir}/body`, new Uint8Array(3_000_000).fill(97));
  const post = async (token: string, type: string) => {
    const head = [
      "-H",
      `X-LLMC-Token: ${token}`,
      "-H",
      `Content-Type: ${type}`,
      "--data-binary",
      `@${sandbox.dir}/body`,
    ];
    const { stdout, stderr } = await new Deno.Command("curl", {
      args: [
        "-sS",
        "--http2",
        "--cacert",
        certFile,
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        ...head,
        `${server.url}/tool`,
      ],
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  assert.ok(cert.length > 0);
  for (let round = 0; round < 5; round++) {
    assert.equal(await post("wrong", "application/json"), "413");
    assert.equal(await post(server.token, "application/json"), "413");
  }
  await Deno.writeFile(`${sandbox.dir}/body`, new Uint8Array(200_000).fill(97));
  for (let round = 0; round < 5; round++) {
    assert.equal(await post(server.token, "text/plain"), "415");
    assert.equal(await post("wrong", "application/json"), "401");
  }
});
