/** M5: Tool Envelope, session, resources, row by row. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox } from "../support/binary.ts";
import { specification, type World } from "./table.ts";

const FILES = { "a.txt": "TODO one\n", "sub/b.txt": "TODO two\n", "long.txt": "one more line of text\n".repeat(3_000) };

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

Deno.test("003-1f EXEC_CLI waits as long as its timeout says, also past 45 s", async () => {
  await using sandbox = await Sandbox.make();
  const args = ["tool", "EXEC_CLI", "command=sleep 52", "timeout=60", "--root", sandbox.root];
  const { stdout } = await runBinary(args, { env: sandbox.env });
  assert.equal(JSON.parse(stdout).status, "SUCCESS");
});
