/** `llmc-mcp te` as its users run it: the compiled executable, one process for each command. @module */
import assert from "node:assert/strict";
import { teResult } from "../../src/tools/te/te_result.ts";
import { runBinary, Sandbox } from "../support/binary.ts";

const LONG = Array.from({ length: 3_000 }, (_, i) => `entry ${i} of a long text that nobody reads whole`).join("\n") +
  "\n";

async function te(box: Sandbox, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return await runBinary(["te", "--root", box.root, ...words], { env: box.env, cwd: box.root });
}

Deno.test("te exits as its command does, and gives the command its own options", async () => {
  await using box = await Sandbox.make({ "a.txt": "one\ntwo\n" });
  assert.equal((await te(box, "grep", "-c", "one", "a.txt")).code, 0);
  const none = await te(box, "--", "grep", "--count", "three", "a.txt");
  assert.equal(none.code, 1);
  assert.equal(none.stdout, "0\n");
  assert.equal((await te(box, "sudo", "id")).code, 126);
  assert.equal((await te(box, "--nonsense", "ls")).code, 64);
});

Deno.test("te --json answers with the structure of the specification", async () => {
  await using box = await Sandbox.make({ "a.txt": "one\n" });
  const { stdout } = await te(box, "--json", "--agent", "a", "--session", "s", "cat", "a.txt");
  const result = teResult().parse(JSON.parse(stdout));
  assert.equal(result.stdout, "one\n");
  assert.equal(result.telemetry.agent_id, "a");
  assert.equal(result.telemetry.session_id, "s");
});

Deno.test("te: another process reads what one left out, and a session's budget goes on", async () => {
  await using box = await Sandbox.make({ "long.txt": LONG });
  const { stdout } = await te(box, "--json", "--session", "s", "cat", "long.txt");
  const { enrichment, telemetry } = teResult().parse(JSON.parse(stdout));
  assert.ok(enrichment.truncated);
  const chunk = await te(box, "--handle", enrichment.handle ?? "", "--chunk", "14");
  assert.match(chunk.stdout, /^entry 2800 .*\n/);
  const next = teResult().parse(JSON.parse((await te(box, "--json", "--session", "s", "cat", "long.txt")).stdout));
  assert.ok(next.telemetry.budget_remaining < telemetry.budget_remaining);
  const stats = await te(box, "--stats");
  assert.match(stats.stdout, /^cat\s+\w+\s+2\s/m);
});

Deno.test("te --raw prints the output as the command wrote it, also when it is longer than a result may be", async () => {
  const huge = Array.from({ length: 60_000 }, (_, i) => `entry ${i} of a text of more than a megabyte`).join("\n") +
    "\n";
  await using box = await Sandbox.make({ "long.txt": LONG, "huge.txt": huge });
  assert.equal((await te(box, "--raw", "cat", "long.txt")).stdout, LONG);
  const both = await te(box, "--raw", "cat", "huge.txt", "missing.txt");
  assert.ok(both.stdout === huge, `${both.stdout.length} of ${huge.length} characters`);
  assert.match(both.stderr, /missing\.txt/);
});

Deno.test("te runs where the shell stands", async () => {
  await using box = await Sandbox.make({ "sub/here.txt": "x\n" });
  const { stdout } = await runBinary(["te", "--root", box.root, "ls"], { env: box.env, cwd: `${box.root}/sub` });
  assert.equal(stdout, "here.txt\n");
});

Deno.test("te without the envelope prints the plain output, with the same exit codes", async () => {
  await using box = await Sandbox.make({ "a.txt": "one\n".repeat(50), "b.txt": "one\n".repeat(50) });
  const off = ["--set", "mcp.te.enabled=false", "--"];
  assert.equal((await te(box, ...off, "grep", "-rn", "one", "a.txt")).stdout.split("\n")[49], "50:one");
  assert.equal((await te(box, ...off, "grep", "-c", "three", "a.txt")).code, 1);
  assert.equal((await te(box, ...off, "sudo", "id")).code, 126);
});
