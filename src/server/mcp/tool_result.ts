/** Converts an answer of the call pipeline to an MCP result. @module */
import type { Answer } from "../../call/answer.ts";
import { isHandleId } from "../../store/handle_id.ts";
import { resourceUri } from "./resources/resource_uri.ts";

/** The part of a `CallToolResult` that this server uses. */
export interface ToolResult {
  [key: string]: unknown;
  content: (
    | { type: "text"; text: string }
    | { type: "resource_link"; uri: string; name: string; description: string; mimeType: string }
  )[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A link costs some 50 tokens: only beside a result that costs forty times as much. */
const LINK_FROM_TOKENS = 2_000;

/** @param withLinks Whether the client's protocol has links to resources. */
export function toolResult(answer: Answer, withLinks: boolean): ToolResult {
  const content: ToolResult["content"] = [{ type: "text", text: answer.text }];
  if (answer.error) {
    // A client checks structured content against a record tool's schema, even with an error.
    return answer.record
      ? { content, isError: true }
      : { content, isError: true, structuredContent: { ...answer.error } };
  }
  const handle = withLinks && answer.tokens >= LINK_FROM_TOKENS ? handleOf(answer) : null;
  if (handle !== null) content.push(linkTo(handle));
  const isError = answer.failed ? { isError: true } : {};
  if (!answer.record || typeof answer.result !== "object" || answer.result === null) return { content, ...isError };
  return { content, structuredContent: { ...answer.result }, ...isError };
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
