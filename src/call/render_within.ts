/** Renders the result of a tool for a model or a program, and bounds it. @module */
import type { z } from "zod";
import type { Answer } from "./answer.ts";
import { boundJson } from "./bound_json.ts";
import { type Bounds, boundText } from "./overflow.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** The answer to a call that did not fail, before it is accounted for. */
export type Success = Omit<Answer, "correlationId" | "durationMs">;

const MAX_RESULT_BYTES = 1024 * 1024;

/** Renders what a tool gives, within the bounds of an answer; the rest goes behind a handle. */
export function renderWithin(
  tool: Tool,
  args: z.output<z.ZodObject>,
  result: unknown,
  { config, handles, owner }: ToolContext,
  warnings: readonly string[],
): Omit<Success, "tokens"> {
  const { result_format, result_tokens } = config.settings.tools;
  const lean = result_format === "lean" && tool.render !== undefined && tool.record !== true;
  const bounds: Bounds = {
    tokens: result_tokens,
    bytes: MAX_RESULT_BYTES,
    keep: (payload) => handles.put({ kind: "res", owner, payload, meta: { tool: tool.name } }),
  };
  const bounded = lean && tool.render
    ? boundText(tool.render(result, args), bounds)
    : boundJson(warnings.length > 0 ? { ...Object(result), warnings } : result, bounds);
  const { truncated } = bounded;
  const text = lean ? [bounded.text, ...warnings.map((note) => `[${note}]`)].join("\n") : bounded.text;
  return {
    tool: tool.name,
    result,
    text,
    failed: tool.failed?.(result) ?? false,
    record: tool.record ?? false,
    truncated: truncated || isTruncated(result),
  };
}

/** Tools say `truncated` at the top of their result, or in its meta block. */
function isTruncated(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  if ("truncated" in result) return result.truncated === true;
  return "meta" in result && isTruncated(result.meta);
}
