/** `llmc-mcp tool NAME --help`: the arguments of one tool, from its schema. @module */
import * as z from "zod";
import { nearest } from "../../config/suggest.ts";
import { dotted } from "../../call/catalog.ts";
import type { Tool } from "../../call/tool.ts";
import { tools } from "../../tools/catalog.ts";
import { EXIT, print, say } from "../output.ts";
import { wrap } from "../wrap.ts";

const LINE_WIDTH = 80;
const INDENT = "  ";

type Schema = Readonly<Record<string, unknown>>;

/** Prints the arguments of a tool, by any of its names. */
export function toolHelp(name: string): number {
  const tool = tools.find((each) => namesOf(each).includes(name));
  if (tool) {
    print(helpOf(tool));
    return EXIT.ok;
  }
  const near = nearest(name, tools.flatMap(namesOf));
  say(`llmc-mcp: unknown tool '${name}'. ${near ? `Did you mean '${near}'?` : "List the tools: llmc-mcp tool"}`);
  return EXIT.usage;
}

function namesOf({ name, aliases = [] }: Tool): string[] {
  return [name, dotted(name), ...aliases];
}

function helpOf({ name, summary, effect, toolset, input }: Tool): string {
  const { properties, required } = asObject(z.toJSONSchema(input, { io: "input" }));
  const needed = Array.isArray(required) ? required : [];
  const rows = Object.entries(asObject(properties)).map(([key, value]): [string, string] => {
    const schema = asObject(value), type = typeOf(schema);
    const fallback = "default" in schema ? `, default ${JSON.stringify(schema.default)}` : "";
    const facts = `${type}${needed.includes(key) ? ", required" : fallback}`;
    return [`${key}=`, typeof schema.description === "string" ? `${schema.description} (${facts})` : facts];
  });
  const width = Math.max(0, ...rows.map(([key]) => key.length));
  const margin = `${INDENT}${" ".repeat(width)}  `;
  const lines = rows.map(([key, text]) =>
    `${INDENT}${key.padEnd(width)}  ${wrap(text, LINE_WIDTH - margin.length).join(`\n${margin}`)}`
  );
  return `Usage: llmc-mcp tool ${name} [options]${rows.length > 0 ? " key=value..." : ""}

${wrap(summary, LINE_WIDTH).join("\n")}

Arguments:
${lines.join("\n") || `${INDENT}none`}

Effect: ${effect}; toolset: ${toolset}. Values that are JSON are parsed: argv='["git","log"]'.
llmc-mcp tool --help lists the options.
`;
}

/** A type as a person writes it: `integer 1 to 2000`, `"a" | "b"`, `list of string`. */
function typeOf(schema: Schema): string {
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union)) return union.map((each) => typeOf(asObject(each))).join(" or ");
  }
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.type === "array") return `list of ${typeOf(asObject(schema.items))}`;
  const { minimum, maximum } = schema;
  const isRange = [minimum, maximum].every((bound) => typeof bound === "number" && Number.isSafeInteger(bound)) &&
    maximum !== Number.MAX_SAFE_INTEGER;
  return `${schema.type ?? "any"}${isRange ? ` ${minimum} to ${maximum}` : ""}`;
}

function asObject(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
