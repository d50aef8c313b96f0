/** Validates a call's arguments against the tool's schema, and tolerates common mistakes of models. @module */
import * as z from "zod";
import { nearest } from "../config/suggest.ts";
import { OpsError } from "../core/error.ts";
import { isAmount, meantArgument } from "./argument_names.ts";

/** Arguments as the tool gets them. */
export interface ReadArguments<I extends z.ZodObject> {
  readonly args: z.output<I>;
  /** What was changed so that it fits, for the caller to know: a number beyond its bound, the form of an option. */
  readonly notes: readonly string[];
}

/** Rounds of corrections: a name first, then the type of its value, then its bound. */
const MAX_ROUNDS = 3;
/** More wrong names than this are not looked at. */
const MAX_NAMES = 20;
/** No tool has so many arguments. */
const MAX_ARGUMENTS = 200;

/**
 * Reads arguments as they were meant: usual other names, numbers and booleans that came as strings, nulls for absent
 * values; a number beyond a bound becomes the bound, and an option in another form the option, each with a note. Everything
 * else that does not fit is refused.
 *
 * @throws OpsError INVALID_ARGUMENT naming the argument, what is expected, and the nearest known name.
 */
export function readArguments<I extends z.ZodObject>(input: I, args: unknown): ReadArguments<I> {
  const given = args === undefined || args === null ? {} : args;
  if (typeof given !== "object" || Array.isArray(given)) {
    throw new OpsError("INVALID_ARGUMENT", "the arguments must be an object", 'Send {"name": value, …}.');
  }
  const count = Object.keys(given).length, known = Object.keys(input.shape), notes: string[] = [];
  if (count > MAX_ARGUMENTS) {
    throw new OpsError("INVALID_ARGUMENT", `${count} arguments`, `Arguments: ${known.join(", ") || "none"}.`);
  }
  let current: object = given, parsed = safeParse(input, current);
  for (let round = 0; !parsed.success && round < MAX_ROUNDS; round++) {
    current = forgive(current, parsed.error.issues, known, notes);
    parsed = safeParse(input, current);
  }
  if (parsed.success) return { args: parsed.data, notes };
  throw explain(parsed.error.issues, known);
}

/** The arguments alone; see {@link readArguments}. */
export function parseArguments<I extends z.ZodObject>(input: I, args: unknown): z.output<I> {
  return readArguments(input, args).args;
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

/** The same object without nulls, and with what issues point at corrected where the meaning is plain. */
function forgive(
  given: object,
  issues: readonly z.core.$ZodIssue[],
  known: readonly string[],
  notes: string[],
): Record<string, unknown> {
  const result: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  );
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys" && issue.path.length === 0) rename(result, issue.keys, known);
    const [name] = issue.path;
    if (typeof name !== "string" || issue.path.length !== 1) continue;
    const value = result[name];
    if (typeof value === "number") {
      const bound = isAmount(name) ? boundOf(issue) : undefined;
      if (bound === undefined) continue;
      result[name] = bound;
      notes.push(`${name}: ${bound} in place of ${value}, its bound`);
    } else if (issue.code === "invalid_type" && typeof value === "string") {
      result[name] = convert(value, issue.expected);
    } else if (issue.code === "invalid_value" && typeof value === "string") {
      const option = meantOption(value, issue.values);
      if (option === undefined) continue;
      result[name] = option;
      notes.push(`${name}: ${option} in place of ${value}`);
    }
  }
  return result;
}

function rename(result: Record<string, unknown>, keys: readonly string[], known: readonly string[]): void {
  for (const key of keys.slice(0, MAX_NAMES)) {
    if (!Object.hasOwn(result, key)) continue;
    const meant = meantArgument(key, known.filter((name) => !Object.hasOwn(result, name)));
    if (meant === undefined) continue;
    result[meant] = result[key];
    delete result[key];
  }
}

/** Fewer letters than these name nothing. */
const LEAST_LETTERS = 3;
/** A longer value is not a form of an option. */
const MAX_OPTION = 20;

/** The one option that a value is another form of, whatever its case: `memory` for `mem`, `SIGTERM` for `TERM`. */
function meantOption(value: string, options: readonly unknown[]): string | undefined {
  const plain = value.toLowerCase().replace(/^sig(?=[a-z])/, ""),
    names = options.filter((option) => typeof option === "string");
  const same = names.filter((option) => option.toLowerCase() === plain);
  const alike = names.filter((option) => {
    const name = option.toLowerCase();
    const isLong = Math.min(name.length, plain.length) >= LEAST_LETTERS;
    return isLong && plain.length <= MAX_OPTION && (plain.startsWith(name) || name.startsWith(plain));
  });
  const meant = same.length > 0 ? same : alike;
  return meant.length === 1 ? meant[0] : undefined;
}

/** The nearest number that a bound allows; undefined when the issue is another one. */
function boundOf(issue: z.core.$ZodIssue): number | undefined {
  const bound = issue.code === "too_big" ? issue.maximum : issue.code === "too_small" ? issue.minimum : undefined;
  if (bound === undefined || (issue.code === "too_big" || issue.code === "too_small") && issue.inclusive === false) {
    return undefined;
  }
  return typeof bound === "number" && Number.isSafeInteger(bound) ? bound : undefined;
}

function convert(value: string, expected: string): unknown {
  if ((expected === "number" || expected === "int") && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (expected === "boolean" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return expected === "array" && value.startsWith("[") ? readJson(value) : value;
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
    const told = issue.keys.slice(0, MAX_NAMES).map((key) => {
      const near = nearest(key, known);
      return `unknown argument '${key.slice(0, 60)}'${near ? `, did you mean '${near}'?` : ""}`;
    });
    const others = issue.keys.length - told.length;
    return [...told, ...others > 0 ? [`${others} more unknown arguments`] : []].join("; ");
  }
  const where = issue.path.map(String).join(".") || "arguments";
  return `'${where}': ${issue.message}`;
}
