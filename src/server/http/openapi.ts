/** Describes the REST interface as OpenAPI 3.1, from the schemas that the routes and tools use. @module */
import * as z from "zod";
import type { Settings } from "../../config/schema.ts";
import { ERRORS } from "../../core/error.ts";
import { VERSION } from "../../core/version.ts";
import type { Catalog } from "../../call/catalog.ts";
import { disabledBy } from "../../call/policy.ts";
import type { Tool } from "../../call/tool.ts";
import { InvokeAgentAnswer, InvokeAgentRequest } from "./routes/invoke_agent.ts";
import { RagBootloadRequest, RagSearchRequest } from "./routes/rag.ts";
import { UNDER_DATA } from "./routes/tool.ts";

/** A JSON Schema, or a reference to one. */
export type Schema = Readonly<Record<string, unknown>>;

/** One operation. */
export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly operationId: string;
  readonly security?: readonly never[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, Schema>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** The whole description. */
export interface OpenApi {
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly security: readonly Schema[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
  /** What people read of each tool; not part of OpenAPI. */
  readonly "x-tools": readonly { readonly name: string; readonly summary: string; readonly effect: Tool["effect"] }[];
}

/** What is described. */
export interface DescribeOptions {
  readonly catalog: Catalog;
  readonly settings: Settings;
  /** Where the metrics are; null when they are off. */
  readonly metricsPath: string | null;
}

/** Makes the description of what this server, under this configuration, serves. */
export function describeApi({ catalog, settings, metricsPath }: DescribeOptions): OpenApi {
  const tools = catalog.all.filter((tool) => disabledBy(tool, settings) === null);
  const result = (name: string): Schema =>
    tools.some((tool) => tool.name === name) ? ref(`${name}_result`) : { type: "object" };
  return {
    openapi: "3.1.0",
    info: {
      title: "llmc-mcp",
      version: VERSION,
      description: "Tools of a Linux machine for language models. The same tools are served over MCP at /mcp.",
    },
    servers: [{ url: "/", description: "The server that gave this description." }],
    security: settings.auth.mode === "none" ? [] : [{ token: [] }, { bearer: [] }],
    paths: {
      "/health": { get: { ...get("health", "Alive or not; with a token also how the server does."), security: [] } },
      "/tool": {
        post: post("tool", "Call one tool.", ref("ToolRequest"), {
          anyOf: tools.map(({ name }) => ref(`${name}_result`)),
        }),
      },
      "/rag/search": {
        post: post("ragSearch", "Find code by meaning.", schemaOf(RagSearchRequest, "input"), result("rag_search")),
      },
      "/rag/bootload": {
        post: post(
          "ragBootload",
          "What a session should know first.",
          schemaOf(RagBootloadRequest, "input"),
          result("rag_bootload"),
        ),
      },
      "/invoke_agent": {
        post: post(
          "invokeAgent",
          "A receipt for a message, and the code that fits it; no model is called.",
          schemaOf(InvokeAgentRequest, "input"),
          schemaOf(InvokeAgentAnswer, "output"),
        ),
      },
      ...metricsPath === null ? {} : { [metricsPath]: { get: metricsOperation(settings) } },
      "/openapi.json": { get: get("openapi", "This description.") },
      "/docs": { get: get("docs", "This description as a page.", "text/html") },
    },
    components: {
      schemas: { ...toolSchemas(tools), Error: ERROR },
      responses: { Error: { description: "What went wrong, and what to change.", ...content(ref("Error")) } },
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: settings.auth.header },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
    "x-tools": tools.map(({ name, summary, effect }) => ({ name, summary, effect })),
  };
}

function toolSchemas(tools: readonly Tool[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = {
    ToolRequest: {
      oneOf: tools.map(({ name }) => ref(`${name}_call`)),
      discriminator: {
        propertyName: "name",
        mapping: Object.fromEntries(tools.map(({ name }) => [name, `#/components/schemas/${name}_call`])),
      },
    },
  };
  for (const tool of tools) {
    schemas[`${tool.name}_call`] = {
      type: "object",
      description: tool.summary,
      required: ["session_id", "name"],
      properties: {
        session_id: {
          type: "string",
          description: "Any name of the caller's choice; handles and processes belong to it.",
        },
        name: { const: tool.name },
        args: ref(`${tool.name}_args`),
      },
      additionalProperties: false,
    };
    schemas[`${tool.name}_args`] = schemaOf(tool.input, "input");
    const result = schemaOf(tool.output, "output");
    schemas[`${tool.name}_result`] = tool.name === UNDER_DATA ? underData(result) : result;
  }
  return schemas;
}

function underData(schema: Schema): Schema {
  return { type: "object", required: ["data"], properties: { data: schema } };
}

const ERROR: Schema = {
  type: "object",
  required: ["code", "message", "hint", "correlation_id"],
  properties: {
    code: { enum: Object.keys(ERRORS) },
    message: { type: "string", description: "What is wrong." },
    hint: { type: "string", description: "What to change." },
    detail_code: {
      type: "string",
      description: "The tool's own code, where a tool refused: code is then the general one.",
    },
    correlation_id: { type: "string", description: "Names the request in the server's log; also in X-Correlation-Id." },
  },
};

function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function content(schema: Schema, type = "application/json"): { content: Content } {
  return { content: { [type]: { schema } } };
}

function get(operationId: string, summary: string, type = "application/json"): Operation {
  const schema: Schema = { type: type === "application/json" ? "object" : "string" };
  return { operationId, summary, responses: responses(schema, type) };
}

function post(operationId: string, summary: string, body: Schema, answer: Schema): Operation {
  return {
    operationId,
    summary,
    requestBody: { required: true, ...content(body) },
    responses: responses(answer, "application/json", BODY_FAULTS),
  };
}

function metricsOperation({ observability }: Settings): Operation {
  const operation = get("metrics", "Metrics of the server, for Prometheus.", "text/plain");
  return observability.metrics_public ? { ...operation, security: [] } : operation;
}

const FAULTS = ["401", "403", "429", "500"];
const BODY_FAULTS = ["400", "404", "408", "409", "413", "415", "422", "503", "504"];

function responses(schema: Schema, type: string, more: readonly string[] = []): Record<string, Schema> {
  const faults = [...FAULTS, ...more].sort();
  return {
    "200": { description: "Done.", ...content(schema, type) },
    ...Object.fromEntries(faults.map((status) => [status, { $ref: "#/components/responses/Error" }])),
  };
}
