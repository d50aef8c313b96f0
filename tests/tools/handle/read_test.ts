import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { handleRead } from "../../../src/tools/handle/read.ts";
import { type Look, look, OWNER } from "../look.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n") + "\n";
const keep = (app: Look, payload: string, owner = OWNER) => app.handles.put({ kind: "cmd", owner, payload });

Deno.test("linux_handle_read reads lines and says where to go on", async () => {
  await using app = await look();
  const handle = keep(app, numbered(500));
  const { result, text } = await app.call(handleRead, { handle, offset: 10, limit: 2 });
  assert.equal(text, "line 10\nline 11\n[lines 11-12 of 500 · next: offset 12]");
  assert.deepEqual(result, {
    content: "line 10\nline 11",
    offset: 10,
    returned: 2,
    total: 500,
    more: true,
    stale: false,
    unit: "lines",
  });
  assert.equal((await app.call(handleRead, { handle })).result.returned, 200);
  const last = await app.call(handleRead, { handle, offset: -1 });
  assert.equal(last.text, "line 499\n[lines 500-500 of 500 · end]");
  assert.equal((await app.call(handleRead, { handle, offset: 900 })).text, "[no lines at 500 of 500 · end]");
});

Deno.test("linux_handle_read reads bytes on character borders", async () => {
  await using app = await look();
  const handle = keep(app, "é".repeat(100));
  const { result, text } = await app.call(handleRead, { handle, unit: "bytes", offset: 0, limit: 5 });
  assert.match(text, /^éé+\n\[bytes 0, \d read of 200 · next: offset \d\]$/);
  const next = await app.call(handleRead, { handle, unit: "bytes", offset: result.next_byte ?? 0, limit: 500 });
  assert.equal(result.content + next.result.content, "é".repeat(100));
});

Deno.test("linux_handle_read stays within the operator's token budget", async () => {
  await using app = await look({}, { settings: { "mcp.tools.result_tokens": 300 } });
  const handle = keep(app, "one two three four five six seven\n".repeat(5000));
  const lines = await app.call(handleRead, { handle, limit: 5000 });
  assert.ok(estimateTokens(lines.text) < 400 && lines.result.more);
  const bytes = await app.call(handleRead, { handle, limit: 100_000, unit: "bytes" });
  assert.ok(estimateTokens(bytes.text) < 400 && bytes.result.more);
});

Deno.test("linux_handle_read of another owner's handle is as of one that does not exist", async () => {
  await using app = await look();
  const handle = keep(app, "secret", "somebody else");
  await assert.rejects(app.call(handleRead, { handle }), { code: "HANDLE_NOT_FOUND" });
  await assert.rejects(app.call(handleRead, { handle: "H_x" }), { code: "HANDLE_NOT_FOUND" });
});

Deno.test("linux_handle_read cuts a line that is too long and says how to read it whole", async () => {
  await using app = await look();
  const handle = keep(app, "x".repeat(10_000));
  const { text } = await app.call(handleRead, { handle });
  assert.match(text, /^x{2000}…\[\+8000\]\n\[lines 1-1 of 1 · 1 cut; rest: unit bytes · end\]$/);
});
