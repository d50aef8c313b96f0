/** te_run through the real envelope: gate, sandbox, handles, telemetry. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { type TeResult, teResult } from "../../../src/tools/te/te_result.ts";
import { makeTestApp, type TestApp } from "../../support/app.ts";

const LINES =
  Array.from({ length: 900 }, (_, i) => `line ${i} says that token number ${i * 7} was seen here`).join("\n") + "\n";
const HITS =
  Array.from({ length: 40 }, (_, i) => `export const part_${i} = compute(total, ${i}); // one of many`).join("\n") +
  "\n";

async function run(app: TestApp, args: Record<string, unknown>): Promise<TeResult> {
  return teResult().parse(await app.result("te_run", args));
}

Deno.test("te_run answers with the structure of the specification", async () => {
  await using app = await makeTestApp({ files: { "a.txt": "hello\n" } });
  const result = await run(app, { command: "cat a.txt" });
  assert.equal(result.success, true);
  assert.equal(result.mode, "passthrough");
  assert.equal(result.command, "cat a.txt");
  assert.equal(result.stdout, "hello\n");
  assert.equal(result.stderr, "");
  assert.equal(result.exit_code, 0);
  assert.deepEqual(
    { ...result.enrichment, tokens_estimate: 0 },
    { kind: "read", truncated: false, handle: null, tokens_estimate: 0 },
  );
  assert.equal(result.telemetry.agent_id, "tester");
  assert.equal(result.telemetry.session_id, "session");
  assert.ok(result.telemetry.latency_ms > 0);
  assert.equal(result.telemetry.budget_remaining, 16_000 - result.enrichment.tokens_estimate);
});

Deno.test("te_run enriches, and counts what it counted", async () => {
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`src/f${i}.ts`, HITS]));
  await using app = await makeTestApp({ files });
  const result = await run(app, { command: "grep -rn compute src" });
  assert.equal(result.mode, "enriched");
  assert.equal(result.enrichment.match_count, 240);
  assert.equal(result.enrichment.hot_zone, "src/ (100%)");
  assert.ok(result.enrichment.truncated);
});

Deno.test("te_run without the envelope runs the command directly: plain, bounded, through the same gate", async () => {
  const files = {
    ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`src/f${i}.ts`, HITS])),
    "long.txt": LINES,
  };
  const settings = {
    "mcp.te.enabled": false,
    "mcp.te.script_path": "/bin/false",
    "mcp.te.budgets": { default: 1_000 },
  };
  await using app = await makeTestApp({ files, settings });
  const result = await run(app, { command: "grep -rn compute src" });
  assert.equal(result.mode, "passthrough");
  assert.match(result.stdout, /^src\/f\d\.ts:1:export const part_0/);
  assert.equal(result.enrichment.kind, undefined);
  const long = await run(app, { command: "cat long.txt" });
  assert.ok(long.stdout.startsWith("line 0 says"), "no budget makes it shorter than a result may be");
  assert.ok(estimateTokens(long.stdout) > 5_000);
  assert.ok(long.enrichment.handle, "what does not fit is behind a handle");
  assert.equal((await run(app, { command: "cat src/f0.ts", raw: true })).stdout, HITS);
  assert.equal((await app.call("te_run", { command: "sudo id" })).error?.code, "COMMAND_NOT_ALLOWED");
  assert.equal((await app.call("repo_read", { path: "src/f0.ts" })).error, undefined);
});

Deno.test("te_run keeps the whole behind a handle that linux_handle_read opens", async () => {
  await using app = await makeTestApp({ files: { "long.txt": LINES } });
  const { enrichment } = await run(app, { command: "cat long.txt" });
  assert.ok(enrichment.truncated);
  const whole = await app.result("linux_handle_read", { handle: enrichment.handle, offset: 898, limit: 5 });
  assert.match(String(whole.content), /^line 898 .*\nline 899 /);
});

Deno.test("te_run with raw gives the plain output, terminal sequences included, and everything", async () => {
  await using app = await makeTestApp({ files: { "long.txt": LINES, "red.txt": "\u001b[31mred\u001b[0m\n" } });
  const result = await run(app, { command: "cat long.txt", raw: true });
  assert.equal(result.mode, "raw");
  assert.equal(result.stdout, LINES);
  assert.equal((await run(app, { command: "cat red.txt", raw: true })).stdout, "\u001b[31mred\u001b[0m\n");
  assert.equal((await run(app, { command: "cat red.txt" })).stdout, "red\n");
});

Deno.test("te_run passes the command's exit code; a search that found nothing is no failure", async () => {
  await using app = await makeTestApp({ files: { "a.txt": "x\n" } });
  const none = await run(app, { command: "grep -n nothing a.txt" });
  assert.equal(none.exit_code, 1);
  assert.equal(none.success, true);
  const missing = await run(app, { command: "cat missing.txt" });
  assert.equal(missing.success, false);
  assert.match(missing.stderr, /No such file/);
  assert.equal((await app.call("te_run", { command: "cat missing.txt" })).failed, true);
});

Deno.test("te_run goes through the gate of run_cmd and records what was refused", async () => {
  await using app = await makeTestApp();
  const answer = await app.call("te_run", { command: "sudo id" });
  assert.equal(answer.error?.code, "COMMAND_NOT_ALLOWED");
  const inner = await app.call("te_run", { argv: ["env", "sudo", "id"] });
  assert.equal(inner.error?.code, "COMMAND_NOT_ALLOWED");
  const errors = app.app.services.calls.teStats(60).filter((row) => row.mode === "error");
  assert.equal(errors.reduce((sum, row) => sum + row.errors, 0), 2);
});

Deno.test("te_run wants either command or argv", async () => {
  await using app = await makeTestApp();
  assert.equal((await app.call("te_run", {})).error?.code, "INVALID_ARGUMENT");
  assert.equal((await app.call("te_run", { command: "ls", argv: ["ls"] })).error?.code, "INVALID_ARGUMENT");
});

Deno.test("te_run tells the child who calls, and arguments override the session", async () => {
  await using app = await makeTestApp();
  const result = await run(app, { command: "env", agent_id: "a1", session_id: "s1", model: "m1" });
  assert.match(result.stdout, /^TE_AGENT_ID=a1$/m);
  assert.match(result.stdout, /^TE_SESSION_ID=s1$/m);
  assert.match(result.stdout, /^TE_MODEL=m1$/m);
  assert.equal(result.telemetry.agent_id, "a1");
});

Deno.test("te_run shrinks results near the end of the budget and refuses none", async () => {
  await using app = await makeTestApp({
    files: { "long.txt": LINES },
    settings: { "mcp.te.budgets": { default: 5_000 } },
  });
  const sizes: number[] = [];
  for (let i = 0; i < 12; i++) {
    const { stdout, telemetry } = await run(app, { command: "sed -n 1,900p long.txt" });
    sizes.push(estimateTokens(stdout));
    assert.ok(telemetry.budget_remaining >= 0);
  }
  assert.ok((sizes[0] ?? 0) <= 1_250 && (sizes[0] ?? 0) > 1_000, String(sizes));
  assert.ok(sizes.every((size, i) => i === 0 || size <= (sizes[i - 1] ?? 0)), String(sizes));
  assert.ok((sizes.at(-1) ?? 0) > 200, String(sizes));
  const other = await run(app, { command: "cat long.txt", session_id: "another" });
  assert.ok(other.telemetry.budget_remaining > 3_500);
});

Deno.test("te_run records sizes, mode and handle, and no output and no secret", async () => {
  await using app = await makeTestApp({ files: { "long.txt": LINES } });
  await run(app, { command: "cat long.txt" });
  await run(app, { argv: ["echo", "--password", "hunter2"] });
  const rows = app.app.services.calls.teStats(60);
  const cat = rows.find((row) => row.program === "cat");
  assert.equal(cat?.inputBytes, LINES.length);
  assert.ok((cat?.outputBytes ?? 0) < LINES.length / 2);
  assert.equal(cat?.truncated, 1);
  const data = await Deno.readFile(`${app.config.dataDir}/llmc.db`);
  assert.ok(!new TextDecoder("latin1").decode(data).includes("hunter2"));
});

Deno.test("te_run's text has the output, stderr under its name, and one line for the rest", async () => {
  await using app = await makeTestApp({ files: { "long.txt": LINES } });
  const { text } = await app.call("te_run", { command: "cat long.txt missing.txt" });
  assert.match(
    text,
    /\nstderr:\n\S*cat: missing\.txt: No such file or directory\n\[exit 1 · rest: linux_handle_read H_cmd_\S+\]$/,
  );
});
