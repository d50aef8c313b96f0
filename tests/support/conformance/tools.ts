/** Tools that the conformance suite requests by name. @module */
import { fromJsonSchema, type JsonSchemaType, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ListChanges } from "../../../src/server/mcp/changes.ts";

/** One red pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
/** A header without a sample. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const PAUSE_MS = 50;

/** Adds them. */
export function addTools(server: McpServer, changes: ListChanges): void {
  addContentTools(server);
  addTalkingTools(server);
  addAskingTools(server);
  const trigger = (name: string, list: "tools" | "prompts") =>
    server.registerTool(name, { description: `Says that the ${list} have changed` }, () => {
      changes.publish(list);
      return text("published");
    });
  trigger("test_trigger_tool_change", "tools");
  trigger("test_trigger_prompt_change", "prompts");
  const inputSchema = fromJsonSchema<Record<string, unknown>>(EVERY_KEYWORD);
  server.registerTool("json_schema_2020_12_tool", { description: "Has every keyword", inputSchema }, () => text("ok"));
}

/** A result of one text. */
export function text(value: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: value }] };
}

const EMBEDDED = {
  uri: "test://embedded-resource",
  mimeType: "text/plain",
  text: "This is an embedded resource content.",
};
const MIXED = {
  uri: "test://mixed-content-resource",
  mimeType: "application/json",
  text: JSON.stringify({ test: "data", value: 123 }),
};

function addContentTools(server: McpServer): void {
  const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
  const add = (name: string, content: Parameters<typeof asContent>[0]) =>
    server.registerTool(name, { description: `Answers as ${name} should` }, () => asContent(content));
  server.registerTool(
    "test_simple_text",
    { description: "Answers with a text" },
    () => text("This is a simple text response for testing."),
  );
  add("test_image_content", [image]);
  add("test_audio_content", [{ type: "audio", data: WAV, mimeType: "audio/wav" }]);
  add("test_embedded_resource", [{ type: "resource", resource: EMBEDDED }]);
  add("test_multiple_content_types", [
    { type: "text", text: "Multiple content types test:" },
    image,
    { type: "resource", resource: MIXED },
  ]);
  server.registerTool("test_error_handling", { description: "Fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

type Content =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } };

function asContent(content: Content[]): { content: Content[] } {
  return { content };
}

function addTalkingTools(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description: "Logs while it runs" }, async (context) => {
    for (const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await context.mcpReq.log("info", line);
      await pause();
    }
    return text("logged three lines");
  });
  server.registerTool("test_logging_tool", { description: "Logs once" }, async (context) => {
    await context.mcpReq.log("info", "one line");
    return text("logged, if that was asked for");
  });
  server.registerTool("test_tool_with_progress", { description: "Reports progress" }, async (context) => {
    for (const progress of [0, 50, 100]) {
      await sendProgress(context, progress);
      await pause();
    }
    return text("done in three steps");
  });
}

async function sendProgress({ mcpReq }: ServerContext, progress: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** Tools that ask the client in the middle of a call, as the older protocol does. */
function addAskingTools(server: McpServer): void {
  server.registerTool("test_sampling", {
    description: "Asks the client's model",
    inputSchema: z.object({ prompt: z.string() }),
  }, async ({ prompt }, { mcpReq }) => {
    const messages = [{ role: "user", content: { type: "text", text: prompt } }];
    const result = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
    return text(`LLM response: ${JSON.stringify(result.content)}`);
  });
  const elicit = async ({ mcpReq }: ServerContext, message: string, requestedSchema: object) => {
    const { action, content } = await mcpReq.send({
      method: "elicitation/create",
      params: { message, requestedSchema },
    });
    return `action=${action}, content=${JSON.stringify(content ?? {})}`;
  };
  server.registerTool("test_elicitation", {
    description: "Asks the client's user",
    inputSchema: z.object({ message: z.string() }),
  }, async ({ message }, context) => text(`User response: ${await elicit(context, message, USER_FORM)}`));
  server.registerTool(
    "test_elicitation_sep1034_defaults",
    { description: "Asks with defaults" },
    async (context) => text(`Elicitation completed: ${await elicit(context, "Check these values", DEFAULTS_FORM)}`),
  );
  server.registerTool(
    "test_elicitation_sep1330_enums",
    { description: "Asks with choices" },
    async (context) => text(`Elicitation completed: ${await elicit(context, "Choose", CHOICES_FORM)}`),
  );
}

const USER_FORM = {
  type: "object",
  properties: {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  required: ["username", "email"],
};

const DEFAULTS_FORM = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};

const OPTIONS = ["option1", "option2", "option3"];
const titled = (word: string) =>
  ["First", "Second", "Third"].map((nth, at) => ({ const: `value${at + 1}`, title: `${nth} ${word}` }));

const CHOICES_FORM = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  },
};

const EVERY_KEYWORD: JsonSchemaType = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};
