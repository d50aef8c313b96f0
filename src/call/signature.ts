/** Writes the arguments of a tool as a TypeScript type, which takes a third of the tokens of its JSON Schema. @module */
import { leanSchema } from "./lean_schema.ts";
import type { Tool } from "./tool.ts";

/** `{path: string, max_lines?: int}`, with defaults, and with descriptions as comments. */
export function signature({ input }: Pick<Tool, "input">): string {
  return typeText(leanSchema(input, "input"));
}

function typeText(schema: object): string {
  const { type, enum: values, const: only, anyOf, items, properties, additionalProperties } = record(schema);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join("|");
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeText(Object(each))).join("|");
  if (type === "array") {
    const inner = typeText(Object(items));
    return inner.includes("|") ? `(${inner})[]` : `${inner}[]`;
  }
  if (typeof properties === "object" && properties !== null) return objectText(properties, record(schema).required);
  if (type === "object") return `{[name]: ${additionalProperties ? typeText(Object(additionalProperties)) : "any"}}`;
  return type === "integer" ? "int" : typeof type === "string" ? type : "any";
}

function objectText(properties: object, required: unknown): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(properties).map(([name, schema]) => {
    const { default: fallback, description } = record(Object(schema));
    const initial = fallback === undefined ? "" : ` = ${JSON.stringify(fallback)}`;
    const comment = typeof description === "string" ? ` /* ${description} */` : "";
    return `${name}${needed.has(name) ? "" : "?"}: ${typeText(Object(schema))}${initial}${comment}`;
  });
  return `{${fields.join(", ")}}`;
}

function record(value: object): Record<string, unknown> {
  return { ...value };
}
