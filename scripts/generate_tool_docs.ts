/**
 * Writes docs/mcp_linuxops_tools.md from the catalogue: every tool with its arguments, result, errors and one call.
 * With `--check` it writes nothing and fails when the document is out of date.
 * @module
 */
import * as z from "zod";
import { settingsSchema } from "../src/config/schema.ts";
import { ERRORS } from "../src/core/error.ts";
import { dotted } from "../src/call/catalog.ts";
import type { Tool } from "../src/call/tool.ts";
import { tools } from "../src/tools/catalog.ts";
import { TOOL_EXAMPLES } from "../tests/docs/tool_examples.ts";
import { print, ROOT } from "./project.ts";
import { COMMON_ERRORS, TOOL_ERRORS } from "./tool_errors.ts";

const PATH = "docs/mcp_linuxops_tools.md";

/** The part of JSON Schema that zod writes for our tools. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The whole document. */
function render(): string {
  const on = new Set<string>(settingsSchema.parse({}).tools.toolsets);
  const rows = tools.map(({ name, toolset, effect, summary }) =>
    `| [\`${name}\`](#${name.toLowerCase()}) | ${toolset}${on.has(toolset) ? "" : " (off)"} | ${effect} | ${
      cell(summary)
    } |`
  );
  const errors = Object.entries(ERRORS).map(([code, { status, retryable, hint }]) =>
    `| \`${code}\` | ${status} | ${retryable ? "yes" : "no"} | ${cell(hint)} |`
  );
  return `# Tools

Generated from the catalogue in \`src/tools/catalog.ts\`; every call shown here is made by a test.

Call a tool by its name, or as the specifications write it (\`linux.fs_read\`). \`mcp.tools.toolsets\` selects which tools are
listed; unlisted tools can be called too, unless a setting disables them. Arguments are strict: for an unknown name, the error
suggests the nearest known one.

**Effect:** \`read\` changes nothing, \`write\` adds or changes, \`destroy\` can lose data, \`execute\` runs a program.
\`mcp.read_only\` refuses everything but \`read\`.

**Result:** over MCP, most tools answer with compact text. The structure below is the answer with \`result_format = "json"\`, of
\`POST /tool\` and of \`llmc-mcp tool NAME --json\`. A field followed by \`?\` can be absent.

**Errors** are \`{code, message, hint, correlation_id}\`. Every tool can fail with ${
    COMMON_ERRORS.slice(0, 4).map(code).join(", ")
  },
${COMMON_ERRORS.slice(4).map(code).join(", ")}; each tool lists the others. [All codes](#error-codes).

| tool | toolset | effect | what it does |
|---|---|---|---|
${rows.join("\n")}

${tools.map((tool) => section(tool, TOOL_ERRORS[tool.name] ?? [])).join("\n")}
## Error codes

| code | HTTP status | retry can succeed | usual hint |
|---|---|---|---|
${errors.join("\n")}
`;
}

function section(tool: Tool, codes: readonly string[]): string {
  const input = schemaOf(tool.input, "input"), output = schemaOf(tool.output, "output");
  const example = TOOL_EXAMPLES[tool.name];
  if (example === undefined) throw new Error(`tests/docs/tool_examples.ts has no call of ${tool.name}`);
  const names = [...new Set([dotted(tool.name), ...tool.aliases ?? []])].filter((name) => name !== tool.name);
  const facts = [
    `toolset ${code(tool.toolset)}`,
    `effect ${code(tool.effect)}`,
    ...names.length > 0 ? [`also called ${names.map(code).join(", ")}`] : [],
    ...tool.record ? ["structured result over MCP"] : [],
    ...example.needs === undefined ? [] : [`needs ${code(example.needs)}`],
  ];
  return `## ${tool.name}

${tool.summary}

${facts.join(" · ")}

${argumentTable(input)}
Result: ${shape(output)}

Errors: ${codes.length > 0 ? codes.map(code).join(", ") : "the common ones"}

\`\`\`json
${JSON.stringify({ name: tool.name, arguments: shownArguments(tool.name) }, null, 2)}
\`\`\`
`;
}

/** What a reader sees instead of a value that another call gives. */
function shownArguments(name: string): Record<string, unknown> {
  const { args = {}, first } = TOOL_EXAMPLES[name] ?? {};
  const sample = first === undefined ? "" : /^\d+$/.test(first.sample) ? Number(first.sample) : first.sample;
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, value === `$${first?.field}` ? sample : value]),
  );
}

function argumentTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const standard = schema.default === undefined
      ? required.includes(name) ? "required" : ""
      : code(JSON.stringify(schema.default));
    return `| ${code(name)} | ${cell(typeOf(schema))} | ${standard} | ${bounds(schema)} | ${
      cell(schema.description ?? "")
    } |`;
  });
  if (rows.length === 0) return "No arguments.\n";
  return `| argument | type | default | bounds | meaning |\n|---|---|---|---|---|\n${rows.join("\n")}\n`;
}

function typeOf(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(", ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object") {
    return `table of ${typeOf(schema.additionalProperties)}`;
  }
  return schema.type ?? "any";
}

/** Bounds that JSON itself sets are none. */
function bounds(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  const from = minimum ?? minLength ?? minItems, to = maximum ?? maxLength ?? maxItems;
  const unit = minLength !== undefined || maxLength !== undefined
    ? " characters"
    : minItems ?? maxItems
    ? " entries"
    : "";
  const low = from !== undefined && Math.abs(from) < 2 ** 53 - 1
    ? String(from)
    : exclusiveMinimum === undefined
    ? ""
    : `> ${exclusiveMinimum}`;
  const high = to !== undefined && to < 2 ** 53 - 1 ? String(to) : "";
  if (low === "" && high === "") return "";
  return `${low === "" ? "up" : low}${high === "" ? " or more" : ` to ${high}`}${unit}`;
}

/** The fields of a result on one line, inner ones in braces. */
function shape(schema: Schema): string {
  if (schema.anyOf ?? schema.oneOf) return (schema.anyOf ?? schema.oneOf ?? []).map(shape).join(" or ");
  if (schema.type === "array" && schema.items?.properties) return `[${shape(schema.items)}]`;
  if (!schema.properties) return code(typeOf(schema));
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([name, inner]) => {
    const mark = required.has(name) ? "" : "?";
    return inner.properties || inner.items?.properties
      ? `${code(name)}${mark} ${shape(inner)}`
      : `${code(name)}${mark}`;
  });
  return `{ ${fields.join(", ")} }`;
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" })));
}

function code(text: string): string {
  return `\`${text}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

if (import.meta.main) {
  const text = render();
  const current = await Deno.readTextFile(`${ROOT}/${PATH}`).catch(() => "");
  if (current !== text && Deno.args.includes("--check")) {
    print(`${PATH} is out of date: deno run -A scripts/generate_tool_docs.ts`);
    Deno.exit(1);
  }
  if (current !== text) {
    await Deno.writeTextFile(`${ROOT}/${PATH}`, text);
    print(`wrote ${PATH}`);
  }
}
