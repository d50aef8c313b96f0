/** Converts a zod schema to JSON Schema in as few tokens as possible. @module */
import * as z from "zod";
import { isAmount } from "./argument_names.ts";

/** A JSON Schema of an object. */
export interface ObjectSchema {
  [key: string]: unknown;
  type: "object";
}

/** A schema without what costs tokens and tells a model nothing. Unknown arguments are refused all the same. */
export function leanSchema(schema: z.ZodType, io: "input" | "output"): ObjectSchema {
  const json = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { ...strip(io === "output" ? withoutRequired(json) : json), type: "object" };
}

/** Of a result: a reader takes the fields that are there. */
function withoutRequired(schema: object): object {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => key !== "required").map(([key, inner]) => [key, mapInner(inner)]),
  );
}

function mapInner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapInner);
  return typeof value === "object" && value !== null ? withoutRequired(value) : value;
}

/** Bounds that are not met by accident; the error names them. */
const NOISE = new Set(["$schema", "propertyNames", "minLength", "maxLength", "minItems", "maxItems"]);

function strip(value: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === "properties") result.properties = stripProperties(Object(inner));
    else if (key === "type" && Array.isArray(inner)) result.anyOf = inner.map((type: unknown) => ({ type })); // fewer readers take lists
    else if (!NOISE.has(key) && !isObvious(key, inner)) result[key] = stripAny(inner);
  }
  return result;
}

/** An amount needs no bounds and no default: what is beyond a bound becomes the bound, and answers say what they leave out. */
function stripProperties(properties: Readonly<Record<string, object>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { minimum: _minimum, maximum: _maximum, default: _default, ...amount } = strip(schema);
      return [name, isAmount(name) ? amount : strip(schema)];
    }),
  );
}

/** What a reader assumes anyway: no other properties, or any, false when absent, counts from nothing up. */
function isObvious(key: string, value: unknown): boolean {
  if (key === "additionalProperties" && JSON.stringify(value) === "{}") return true; // strict readers take it for a mistake
  if (key === "additionalProperties" || key === "default") return value === false || value === 0;
  if (key === "minimum") return value === 0 || value === 1 || value === Number.MIN_SAFE_INTEGER;
  return key === "maximum" && value === Number.MAX_SAFE_INTEGER;
}

function stripAny(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripAny);
  return typeof value === "object" && value !== null ? strip(value) : value;
}
