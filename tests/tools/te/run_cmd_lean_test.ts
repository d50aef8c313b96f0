/** run_cmd shows a model the lean form of an output and keeps the plain one in its structure. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { makeTestApp } from "../../support/app.ts";

const LOG = Array.from(
  { length: 800 },
  (_, i) =>
    i === 300
      ? "2026-05-06T08:00:00Z ERROR disk full"
      : `2026-05-06T08:00:0${i % 10}Z INFO request ${i} done in ${i % 90} ms`,
).join("\n") + "\n";

Deno.test("run_cmd shows errors and counts of a log, the rest behind a handle; its structure stays plain", async () => {
  await using app = await makeTestApp({ files: { "app.log": LOG } });
  const { text, result } = await app.call("run_cmd", { command: "cat app.log" });
  assert.match(text, /^2026-05-06T08:00:00Z ERROR disk full$/m);
  assert.match(text, /INFO request 0 done in 0 ms \[×79\d\]/);
  assert.ok(estimateTokens(text) < 1_000);
  const { stdout, handle } = { stdout: "", handle: "", ...Object(result) };
  assert.match(stdout, /INFO request 1 done/);
  const whole = await app.result("linux_handle_read", { handle, offset: 300, limit: 1 });
  assert.equal(whole.content, "2026-05-06T08:00:00Z ERROR disk full");
});

Deno.test("run_cmd shows plain output when the Tool Envelope is off or results are JSON", async () => {
  for (const settings of [{ "mcp.te.enabled": false }, { "mcp.tools.result_format": "json" }]) {
    await using app = await makeTestApp({ files: { "app.log": LOG }, settings });
    const { text } = await app.call("run_cmd", { command: "cat app.log" });
    assert.match(text, /INFO request 1 done/);
    assert.doesNotMatch(text, /×/);
  }
});

Deno.test("run_cmd leaves output alone that gains nothing", async () => {
  await using app = await makeTestApp({ files: { "a.txt": "one\ntwo\n" } });
  assert.match((await app.call("run_cmd", { command: "cat a.txt" })).text, /^one\ntwo(\n\[not confined\])?$/);
});
