/** M5: Tool Envelope, session, resources, row by row. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox } from "../support/binary.ts";
import { specification, type World } from "./table.ts";

const FILES = { "a.txt": "TODO one\n", "sub/b.txt": "TODO two\n", "long.txt": "one more line of text\n".repeat(3_000) };
const TOOLS = ["te_run", "repo_read", "repo_write_patch", "run_pytest", "rag_query"];

async function te(world: World, words: readonly string[], env: Record<string, string> = {}) {
  const { stdout, stderr } = await world.run(["te", "--json", ...words], env);
  return JSON.parse(stdout || assert.fail(stderr));
}

specification("M5: Tool Envelope", { files: FILES }, [
  ["M5-1", "the allowlist comes first", async ({ refused }) => {
    assert.equal(await refused("te_run", { command: "su root" }), "COMMAND_NOT_ALLOWED");
  }],
  ["M5-2", "run_cmd leaves telemetry", async ({ ok, run }) => {
    await ok("run_cmd", { command: "sort a.txt" });
    assert.match((await run(["te", "--stats"])).stdout, /^sort /m);
  }],
  ["M5-3", "TE_AGENT_ID, TE_SESSION_ID, TE_MODEL reach the program", async ({ ok }) => {
    const { stdout } = await ok("te_run", { command: "env", agent_id: "a", session_id: "s", model: "m", raw: true });
    assert.deepEqual(
      stdout.split("\n").filter((line: string) => line.startsWith("TE_")).sort(),
      ["TE_AGENT_ID=a", "TE_MODEL=m", "TE_SESSION_ID=s"],
    );
  }],
  ["M5-3b", "te takes its caller from the same variables", async (world) => {
    const labels = { TE_AGENT_ID: "claude-dc", TE_SESSION_ID: "s1", TE_MODEL: "m1" };
    const { stdout, telemetry } = await te(world, ["--raw", "env"], labels);
    assert.deepEqual([telemetry.agent_id, telemetry.session_id, /^TE_MODEL=m1$/m.test(stdout)], [
      "claude-dc",
      "s1",
      true,
    ]);
  }],
  ["M5-3c", "te --model", async (world) => {
    assert.match((await te(world, ["--raw", "--model", "m2", "env"])).stdout, /^TE_MODEL=m2$/m);
  }],
  ["M5-4b", "Claude Desktop, which calls itself claude-ai, has the large budget", async (world) => {
    assert.ok((await te(world, ["--agent", "claude-ai", "ls"])).telemetry.budget_remaining > 40_000);
  }],
  ["M5-5", "repo_read", async ({ ok }) => {
    assert.equal((await ok("repo_read", { path: "a.txt" })).content, "TODO one");
  }],
  ["M5-7", "te --json: the structure of the specification", async (world) => {
    const parts = ["success", "mode", "command", "stdout", "stderr", "exit_code", "enrichment", "telemetry"];
    const result = await te(world, ["cat", "a.txt"]);
    assert.deepEqual(parts.filter((name) => !(name in result)), []);
  }],
  ["M5-7b", "te --json grep PATTERN FOLDER searches the folder", async (world) => {
    const { success, stdout } = await te(world, ["grep", "TODO", "sub/"]);
    assert.deepEqual([success, /two/.test(stdout)], [true, true]);
  }],
  ["M5-7c", "mode", async (world) => assert.equal((await te(world, ["--raw", "cat", "a.txt"])).mode, "raw")],
  ["M5-7d", "enrichment: truncated, handle, tokens_estimate", async (world) => {
    const { enrichment: { truncated, handle, tokens_estimate } } = await te(world, ["cat", "long.txt"]);
    assert.deepEqual([truncated, typeof handle, tokens_estimate > 0], [true, "string", true]);
  }],
  ["M5-8", "te --handle --chunk", async (world) => {
    const { enrichment: { handle } } = await te(world, ["cat", "long.txt"]);
    assert.match((await world.run(["te", "--handle", handle, "--chunk", "1"])).stdout, /^one more line/);
  }],
  ["M5-8b", "an agent that asks for te is told of linux_handle_read", async ({ text }) => {
    assert.match(await text("run_cmd", { command: "te --handle H_x" }), /linux_handle_read/);
  }],
  ["M5-8d", "te --stats --json in snake case", async ({ run }) => {
    const [row] = JSON.parse((await run(["te", "--stats", "--json"])).stdout);
    assert.deepEqual(["input_bytes", "output_bytes", "avg_latency_ms"].filter((name) => !(name in row)), []);
  }],
  ["M5-8e", "exit codes", async ({ run }) => {
    assert.deepEqual([(await run(["te", "su"])).code, (await run(["te", "--nonsense"])).code], [126, 64]);
  }],
  ["M5-4", "the agent is what the client calls itself, unless an argument says another", async ({ ok }) => {
    const { telemetry: { agent_id } } = await ok("te_run", { command: "ls" });
    const other = await ok("te_run", { command: "ls", agent_id: "other" });
    assert.deepEqual([agent_id, other.telemetry.agent_id], ["raw", "other"]);
  }],
  ["M5-5a", "te_run, repo_read, repo_write_patch, run_pytest and rag_query are listed", async ({ mcp }) => {
    const names = (await mcp("tools/list")).tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(TOOLS.filter((name) => names.includes(name)), []);
  }, "run_cmd and the linux_fs tools answer as short; the toolset te lists the five, and they can always be called"],
  ["M5-5b", "repo_write_patch", async ({ ok }) => {
    const change = { path: "sub/b.txt", old_text: "two", new_text: "2" };
    assert.deepEqual((await ok("repo_write_patch", { ...change, dry_run: true })).files_modified, ["sub/b.txt"]);
  }],
  ["M5-5c", "run_pytest: counts and failures with file and line", async ({ ok, sandbox }) => {
    await sandbox.write("test_one.py", "def test_a():\n    assert 1 == 2\n\ndef test_b():\n    pass\n");
    const { counts, failures: [failure] } = await ok("run_pytest", { path: "test_one.py" });
    assert.deepEqual([counts.failed, counts.passed, failure.file, failure.line], [1, 1, "test_one.py", 2]);
  }],
  ["M5-5d", "rag_query", async ({ ok }) => {
    assert.ok(Array.isArray((await ok("rag_query", { q: "TODO" })).snippets));
  }],
  ["M5-5e", "over MCP te_run answers with the structure", async ({ text }) => {
    assert.equal(await text("te_run", { command: "cat a.txt" }), "TODO one");
  }, "the text is what a model needs; result_format=json and POST /tool give the structure"],
  ["M5-6", "resources llmc://docs/agents.core.min.md and contracts.env.min.md", async ({ mcp }) => {
    for (const name of ["agents.core.min.md", "contracts.env.min.md"]) {
      const { contents: [{ text }] } = await mcp("resources/read", { uri: `llmc://docs/${name}` });
      assert.ok(text.length > 100, name);
    }
  }],
  ["M5-7a", "mode is enriched", async (world) => {
    assert.equal((await te(world, ["grep", "-n", "line", "long.txt"])).mode, "enriched");
  }],
  ["M5-7d2", "enrichment: match_count", async (world) => {
    assert.ok((await te(world, ["grep", "-rn", "TODO", "."])).enrichment.match_count >= 2);
  }],
  ["M5-7e", "telemetry: latency_ms, agent_id, budget_remaining", async (world) => {
    const { telemetry } = await te(world, ["ls"]);
    assert.deepEqual(["latency_ms", "agent_id", "budget_remaining"].filter((name) => !(name in telemetry)), []);
  }],
  ["M5-8a", "te --handle of a handle that is not there", async ({ run }) => {
    const { code, stderr, stdout } = await run(["te", "--handle", "H_none"]);
    assert.match(`${code} ${stderr}${stdout}`, /^1 .*HANDLE_NOT_FOUND/s);
  }],
  ["M5-8c", "a handle is res_01H…", async (world) => {
    assert.match((await te(world, ["cat", "long.txt"])).enrichment.handle, /^H_cmd_\d{8}T\d{6}Z_/);
  }, "one form of handle for all tools, as the low-level design asks"],
  ["M5-8d2", "te --stats as a table", async ({ run }) => {
    assert.match((await run(["te", "--stats"])).stdout, /^cat /m);
  }],
  ["M5-8e2", "127 for a program that is not installed, else the command's own code", async ({ run }) => {
    assert.equal((await run(["te", "sh", "-c", "exit 3"])).code, 3);
  }],
  ["M5-12d", "metrics have the latency of te_run", async ({ rest }) => {
    await rest("/tool", { session_id: "s", name: "te_run", args: { command: "ls" } });
    assert.match((await rest("/metrics")).body, /llmc_tool_duration_seconds_count\{tool="te_run"/);
  }],
]);

Deno.test("M5-10 the specification's own [mcp.te] block runs commands although its script is not there", async () => {
  await using sandbox = await Sandbox.make(FILES);
  const config = `${sandbox.dir}/llmc.toml`;
  await Deno.writeTextFile(
    config,
    `[mcp.tools]\nallowed_roots = ["${sandbox.root}"]\n\n[mcp.te]\nenabled = true\nscript_path = "scripts/te"\n` +
      "json_mode = true\ntimeout = 30\npassthrough_on_failure = true\n",
  );
  const args = ["tool", "te_run", "command=cat a.txt", "--config", config];
  const { stdout, stderr } = await runBinary(args, { env: sandbox.env });
  assert.equal(stdout, "TODO one\n", stderr);
  const strict = await runBinary([...args, "--set", "mcp.te.passthrough_on_failure=false"], { env: sandbox.env });
  assert.match(strict.stderr + strict.stdout, /COMMAND_NOT_ALLOWED/);
});

specification("M5: another configuration", {
  files: FILES,
  set: ["mcp.te.timeout=1", "mcp.te.enabled=false", 'mcp.tools.toolsets=["te"]'],
}, [
  ["M5-12e", "mcp.te.enabled=false: the plain output", async ({ ok }) => {
    assert.equal((await ok("te_run", { command: "grep -rn TODO ." })).mode, "passthrough");
  }],
  ["M5-10c", "mcp.te.timeout", async ({ ok }) => {
    assert.equal((await ok("te_run", { command: "sleep 9" })).exit_code, 124);
  }],
  ["M5-5a2", "the toolset te lists the five", async ({ mcp }) => {
    const names = (await mcp("tools/list")).tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(TOOLS.filter((name) => !names.includes(name)), []);
  }],
]);

/** Runs `cat a.txt` with an external te in the folder that also holds the home and the data directory. */
async function runExternal(body: (sandbox: Sandbox) => string): Promise<string> {
  await using sandbox = await Sandbox.make(FILES);
  await Deno.writeTextFile(`${sandbox.dir}/private`, "for the owner only");
  const script = `${sandbox.dir}/te`;
  await Deno.writeTextFile(script, `#!/bin/sh\n${body(sandbox)}\n`, { mode: 0o755 });
  const args = ["tool", "te_run", "command=cat a.txt", "--root", sandbox.root, "--set", `mcp.te.script_path=${script}`];
  const { stdout, stderr } = await runBinary(args, { env: sandbox.env });
  return stdout.trim() || assert.fail(stderr);
}

Deno.test("M5-10b an external te gets the command, and its JSON is the answer", async () => {
  const answer = '{"success":true,"mode":"enriched","command":"c","stdout":"by te","stderr":"","exit_code":0}';
  assert.equal(await runExternal(() => `echo '${answer}'`), "by te");
});

Deno.test("M5-10b2 an external te that breaks before it answers: the plain command runs", async () => {
  assert.equal(await runExternal(() => "exit 3"), "TODO one");
});

Deno.test("M5-10b3 an external te beside the home and the data directory opens nothing there but itself", async () => {
  const seen = await runExternal(({ dir }) => `cat ${dir}/private ${dir}/home/* ${dir}/state/*/* 2>&1`);
  assert.doesNotMatch(seen, /for the owner only/);
});
