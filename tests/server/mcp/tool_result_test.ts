import assert from "node:assert/strict";
import type { Answer } from "../../../src/call/answer.ts";
import { toolResult } from "../../../src/server/mcp/tool_result.ts";

function answer(more: Partial<Answer>): Answer {
  const figures = { durationMs: 1, tokens: 1, truncated: false, record: false };
  return { tool: "t", correlationId: "c", text: "text", failed: false, ...figures, ...more };
}

const LONG = "long ".repeat(1_000);
const ERROR = { code: "NOT_FOUND", message: LONG, hint: LONG, correlation_id: "c" } as const;

Deno.test("toolResult: an error is one short text, and its structured form is bounded", () => {
  const result = toolResult(answer({ error: ERROR, failed: true, text: `NOT_FOUND: ${LONG}` }), false);
  assert.equal(result.isError, true);
  const [text, ...more] = result.content;
  assert.deepEqual(more, []);
  assert.ok(text?.type === "text" && text.text.startsWith("NOT_FOUND: long"));
  assert.ok(text.text.length < 2_020 && /…\[\+\d+\]$/.test(text.text));
  const { code, message, hint, correlation_id } = Object(result.structuredContent);
  assert.deepEqual([code, correlation_id], ["NOT_FOUND", "c"]);
  for (const field of [message, hint]) assert.ok(field.length < 220 && /…\[\+\d+\]$/.test(field));
});

Deno.test("toolResult: a short error is shown whole", () => {
  const error = { ...ERROR, message: "there is no a.txt", hint: "List the folder." };
  const text = "NOT_FOUND: there is no a.txt. List the folder.";
  assert.deepEqual(toolResult(answer({ error, failed: true, text }), false), {
    content: [{ type: "text", text }],
    isError: true,
    structuredContent: error,
  });
});

Deno.test("toolResult: an image follows the text", () => {
  const image = { mimeType: "image/png", data: "AA==" };
  assert.deepEqual(toolResult(answer({ image }), false).content, [
    { type: "text", text: "text" },
    { type: "image", ...image },
  ]);
});
