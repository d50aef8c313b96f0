/** Converts an answer of the call pipeline to an MCP result. @module */
import type { Answer } from "../../call/answer.ts";
import { cutLine } from "../../core/bound.ts";
import type { ErrorBody } from "../../core/error.ts";
import { isHandleId } from "../../store/handle_id.ts";
import { resourceUri } from "./resources/resource_uri.ts";

/** The part of a `CallToolResult` that this server uses. */
export interface ToolResult {
  [key: string]: unknown;
  content: (
    | { type: "text"; text: string }
    | { type: "image"; data: string; mimeType: string }
    | { type: "resource_link"; uri: string; name: string; description: string; mimeType: string }
  )[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A link costs some 50 tokens: only beside a result that costs forty times as much. */
const LINK_FROM_TOKENS = 2_000;

/** Of an error: its text says what is wrong, and the structured form is for programs. */
const MAX_ERROR_CHARS = 2_000, MAX_FIELD_CHARS = 200;

/** @param withLinks Whether the client's protocol has links to resources. */
export function toolResult(answer: Answer, withLinks: boolean): ToolResult {
  if (answer.error) return errorResult(answer, answer.error);
  const content: ToolResult["content"] = [{ type: "text", text: answer.text }];
  if (answer.image) content.push({ type: "image", ...answer.image });
  const handle = withLinks && answer.tokens >= LINK_FROM_TOKENS ? handleOf(answer) : null;
  if (handle !== null) content.push(linkTo(handle));
  const isError = answer.failed ? { isError: true } : {};
  if (!answer.record || typeof answer.result !== "object" || answer.result === null) return { content, ...isError };
  return { content, structuredContent: { ...answer.result }, ...isError };
}

function errorResult({ text, record }: Answer, error: ErrorBody): ToolResult {
  const result: ToolResult = { content: [{ type: "text", text: cutLine(text, MAX_ERROR_CHARS) }], isError: true };
  // A client checks structured content against a record tool's schema, even with an error.
  if (record) return result;
  const [message, hint] = [error.message, error.hint].map((field) => cutLine(field, MAX_FIELD_CHARS));
  return { ...result, structuredContent: { ...error, message, hint } };
}

/** A person opens it in the client; a model reads on with the tool that the text names. */
function linkTo(handle: string): ToolResult["content"][number] {
  return {
    type: "resource_link",
    uri: resourceUri("handle", handle),
    name: "whole result",
    description: "What did not fit into this answer",
    mimeType: "text/plain",
  };
}

/** The handle of the rest: a field of the result, or a word of the last line. */
function handleOf({ result, text }: Answer): string | null {
  const { handle } = Object(result);
  if (typeof handle === "string") return handle;
  const lastLine = text.slice(text.trimEnd().lastIndexOf("\n") + 1);
  return lastLine.split(/[\s\[\]]+/).find(isHandleId) ?? null;
}
