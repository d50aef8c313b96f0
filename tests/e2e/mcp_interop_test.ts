/** Published third-party clients: the Inspector's command line, and the bridge from stdio to HTTP. @module */
import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { firstJson, npmTool, runNpmTool } from "../support/npm_tool.ts";

const ERAS = ["legacy", "auto", "modern"];
const STDIO = (sandbox: Sandbox) => [BINARY, "stdio", "--root", sandbox.root];

Deno.test("the Inspector finds nothing to say against the list of tools, in strict mode and every era", async (t) => {
  await using sandbox = await Sandbox.make();
  for (const era of ERAS) {
    await t.step(era, async () => {
      const args = ["--cli", ...STDIO(sandbox), "--method", "tools/list", "--strict", "--protocol-era", era];
      const { code, stdout, stderr } = await runNpmTool("inspector", [...args, "--format", "json"], sandbox.env);
      assert.equal(code, 0, stderr);
      const { result, schemaFindings } = JSON.parse(stdout);
      assert.ok(result.tools.length > 20);
      assert.deepEqual(Object(schemaFindings).findings ?? schemaFindings ?? [], [], stderr);
      assert.doesNotMatch(stderr, /Warning: tool/);
    });
  }
});

Deno.test("the Inspector calls tools and reads resources over stdio and HTTP", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox);
  const http = ["--server-url", `${server.url}/mcp`, "--header", `Authorization: Bearer ${server.token}`];
  const cases = [
    ["stdio", STDIO(sandbox), "legacy"],
    ["stdio", STDIO(sandbox), "modern"],
    ["http", http, "legacy"],
    ["http", http, "modern"],
  ] as const;
  for (const [name, target, era] of cases) {
    await t.step(`${name}, ${era}`, async () => {
      const call = ["--method", "tools/call", "--tool-name", "linux_fs_read", "--tool-arg", "path=a.txt"];
      const options = ["--cli", ...target, "--format", "json", "--protocol-era", era];
      assert.match(JSON.stringify(await firstJson("inspector", [...options, ...call], sandbox.env)), /hello/);
      const read = ["--method", "resources/read", "--uri", "llmc://file/a.txt"];
      assert.match(JSON.stringify(await firstJson("inspector", [...options, ...read], sandbox.env)), /hello/);
    });
  }
});

Deno.test("what print-config prints starts a server that answers", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  for (const client of ["claude-desktop", "cursor", "vscode"]) {
    await t.step(client, async () => {
      const printed = await runBinary(["print-config", client, "--root", sandbox.root], { env: sandbox.env });
      assert.deepEqual([printed.code, printed.stderr], [0, ""]);
      const { mcpServers, servers } = JSON.parse(printed.stdout);
      const { command, args } = (mcpServers ?? servers).llmc;
      const call = ["--method", "tools/call", "--tool-name", "linux_fs_read", "--tool-arg", "path=a.txt"];
      const called = await firstJson(
        "inspector",
        ["--cli", command, ...args, "--format", "json", ...call],
        sandbox.env,
      );
      assert.match(JSON.stringify(called), /hello/);
    });
  }
  await t.step("a folder that is not there is refused", async () => {
    const printed = await runBinary(["print-config", "codex", "--root", "/nowhere"], { env: sandbox.env });
    assert.equal(printed.code, 78);
    assert.match(printed.stderr, /there is no folder \/nowhere/);
  });
});

Deno.test("mcp-remote carries a stdio client to the HTTP server", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox);
  // Just as the snippet for Claude Desktop has it, with the token in its place.
  const printed = await runBinary(["print-config", "claude-desktop", "--url", server.url], { env: sandbox.env });
  const [, , ...args] = JSON.parse(printed.stdout).mcpServers.llmc.args;
  const env = { ...sandbox.env, AUTHORIZATION: `Bearer ${server.token}` };
  const child = npmTool("mcp-remote", args, env).spawn();
  const errors = new Response(child.stderr).text();
  const writer = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const request = async (message: Record<string, unknown>): Promise<string> => {
    await writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
    if (!("id" in message)) return "";
    const { value, done } = await lines.next();
    if (done) throw new Error(await errors);
    return value;
  };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bridge", version: "1" } };
  assert.match(await request({ id: 1, method: "initialize", params }), /llmc-mcp/);
  await request({ method: "notifications/initialized" });
  const call = { name: "linux_fs_read", arguments: { path: "a.txt" } };
  assert.match(await request({ id: 2, method: "tools/call", params: call }), /hello/);
  await writer.close();
  child.kill("SIGKILL"); // under Deno it waits for its own open stream
  await child.status;
  while (!(await lines.next()).done);
  await errors;
});
