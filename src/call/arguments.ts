/** Validates a call's arguments against the tool's schema, and tolerates common mistakes of models. @module */
import * as z from "zod";
import { nearest } from "../config/suggest.ts";
import { OpsError } from "../core/error.ts";

/**
 * Parses arguments. Numbers and booleans that came as strings, and nulls for absent values, are taken as meant;
 * everything else that does not fit is refused.
 *
 * @throws OpsError INVALID_ARGUMENT naming the argument, what is expected, and the nearest known name.
 */
export function parseArguments<I extends z.ZodObject>(input: I, args: unknown): z.output<I> {
  const given = args === undefined || args === null ? {} : args;
  if (typeof given !== "object" || Array.isArray(given)) {
    throw new OpsError("INVALID_ARGUMENT", "the arguments must be an object", 'Send {"name": value, …}.');
  }
  const first = safeParse(input, given);
  if (first.success) return first.data;
  const second = safeParse(input, forgive(given, first.error.issues));
  if (second.success) return second.data;
  throw explain(second.error.issues, Object.keys(input.shape));
}

/**
 * The schema's own `safeParse`, which throws for some values: it compares the `length` of whatever came before it looks
 * whether that is a text, and in place of a text there can be an object whose `length` cannot be compared.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return schema.safeParse(withoutLengths(value, MAX_DEPTH)); // refused for the object that it still is
  }
}

/** Deeper than the schemas of arguments and requests. */
const MAX_DEPTH = 8;

function withoutLengths(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutLengths(item, depth - 1));
  const kept = Object.entries(value).filter(([name]) => name !== "length" && name !== "size");
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutLengths(inner, depth - 1)]));
}

/** Whether {@link parseArguments} would take them. */
export function fitsArguments(input: z.ZodObject, args: unknown): boolean {
  try {
    parseArguments(input, args);
    return true;
  } catch (error) {
    if (error instanceof OpsError) return false;
    throw error;
  }
}

/** The same object without nulls, and with the strings that issues point at read as the type that they name. */
function forgive(given: object, issues: readonly z.core.$ZodIssue[]): Record<string, unknown> {
  const result: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  );
  for (const issue of issues) {
    const [name] = issue.path;
    if (issue.code !== "invalid_type" || typeof name !== "string" || issue.path.length !== 1) continue;
    const value = result[name];
    if (typeof value !== "string") continue;
    if ((issue.expected === "number" || issue.expected === "int") && /^-?\d+(\.\d+)?$/.test(value)) {
      result[name] = Number(value);
    } else if (issue.expected === "boolean" && /^(true|false)$/i.test(value)) {
      result[name] = value.toLowerCase() === "true";
    } else if (issue.expected === "array" && value.startsWith("[")) result[name] = readJson(value);
  }
  return result;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function explain(issues: readonly z.core.$ZodIssue[], known: readonly string[]): OpsError {
  const parts = issues.slice(0, 4).map((issue) => explainOne(issue, known));
  return new OpsError("INVALID_ARGUMENT", parts.join("; "), `Arguments: ${known.join(", ") || "none"}.`);
}

function explainOne(issue: z.core.$ZodIssue, known: readonly string[]): string {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      return `unknown argument '${key.slice(0, 60)}'${near ? `, did you mean '${near}'?` : ""}`;
    }).join("; ");
  }
  const where = issue.path.map(String).join(".") || "arguments";
  return `'${where}': ${issue.message}`;
}
