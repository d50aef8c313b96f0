/** Builds the listed schema of a tool: name, schemas, annotations and hints, in as few tokens as possible. @module */
import type { Settings } from "../../config/schema.ts";
import { dotted } from "../../call/catalog.ts";
import { leanSchema, type ObjectSchema } from "../../call/lean_schema.ts";
import type { Effect, Tool } from "../../call/tool.ts";

/** What `tools/list` says of one tool. */
export interface ToolFace {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  _meta?: Record<string, unknown>;
}

/** What a tool takes besides its own arguments where a person must consent. */
const CONFIRM = { type: "string", description: "Code that the person gives you, when the server asks for it" };

/** Builds the face of a tool. */
export function toolFace(
  tool: Tool,
  nameStyle: Settings["tools"]["name_style"],
  needsConsent = false,
): ToolFace {
  const inputSchema = leanSchema(tool.input, "input");
  if (needsConsent) inputSchema.properties = { ...Object(inputSchema.properties), confirm: CONFIRM };
  const face: ToolFace = {
    name: nameStyle === "dotted" ? dotted(tool.name) : tool.name,
    title: tool.title,
    description: tool.summary,
    inputSchema,
    annotations: annotationsOf(tool),
  };
  // Only record tools: with an output schema a client ignores the text, or shows both.
  if (tool.record) face.outputSchema = leanSchema(tool.output, "output");
  return face;
}

/** All four hints, because the defaults of absent ones are the most alarming. */
function annotationsOf({ effect: own, idempotent, passesOn }: Tool): ToolFace["annotations"] {
  const effect = passesOn ? "execute" : own;
  return {
    readOnlyHint: effect === "read",
    destructiveHint: DESTRUCTIVE[effect],
    idempotentHint: effect === "read" || idempotent === true,
    openWorldHint: effect === "execute", // a program may reach the network
  };
}

const DESTRUCTIVE: Record<Effect, boolean> = { read: false, write: true, destroy: true, execute: true };
