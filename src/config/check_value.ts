/** Checks a value against the schema of its key, and explains a mismatch. @module */
import { childOf, type SchemaNode } from "./keys.ts";
import { maskText } from "./redact.ts";

/** A value that does not fit. */
export interface Misfit {
  /** Place inside the value: indexes and names, outermost first. */
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** Everything in a value that does not fit its node. */
export function checkValue(node: SchemaNode, value: unknown): Misfit[] {
  if (node.type === "array" && Array.isArray(value)) {
    const item = node.items;
    return item ? value.flatMap((each: unknown, index) => below(index, checkValue(item, each))) : [];
  }
  if (node.type === "object" && isTable(value)) return checkTable(node, value);
  if (fits(node, value)) return [];
  // a person who writes the token itself where its variable's name belongs must not find it in a log
  const shown = node.title === "variable name" && typeof value === "string" ? "other text" : found(value);
  return [{ at: [], message: `expected ${expected(node)}, found ${shown}` }];
}

/** Whether a value is a table of TOML or an object of JSON. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The values that a key takes, in words. */
export function expected(node: SchemaNode): string {
  if (node.enum) return `one of ${node.enum.map((each) => JSON.stringify(each)).join(", ")}`;
  switch (node.type) {
    case "boolean":
      return "true or false";
    case "integer":
    case "number":
      return `${node.type === "integer" ? "a whole number" : "a number"} from ${node.minimum} to ${node.maximum}`;
    case "array":
      return node.items ? `a list, each item ${expected(node.items)}` : "a list";
    case "object":
      return "a table";
    default:
      return node.title === undefined ? "text" : `${/^[aeio]/.test(node.title) ? "an" : "a"} ${node.title}`;
  }
}

function checkTable(node: SchemaNode, table: Record<string, unknown>): Misfit[] {
  const missing = (node.required ?? []).filter((name) => !Object.hasOwn(table, name))
    .map((name) => ({ at: [], message: `expected a value for ${JSON.stringify(name)} in it` }));
  const others = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  const wrong = Object.entries(table).flatMap(([name, value]) => {
    const child = childOf(node, name) ?? others;
    return below(name, child ? checkValue(child, value) : [{ at: [], message: "unknown key" }]);
  });
  return [...missing, ...wrong];
}

function below(step: string | number, misfits: Misfit[]): Misfit[] {
  return misfits.map(({ at, message }) => ({ at: [step, ...at], message }));
}

function fits(node: SchemaNode, value: unknown): boolean {
  switch (node.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "number":
      return typeof value === "number" &&
        (node.type === "number" || Number.isInteger(value)) &&
        value >= (node.minimum ?? -Infinity) && value <= (node.maximum ?? Infinity);
    case "string":
      return typeof value === "string" && (node.enum?.includes(value) ?? true) &&
        (node.pattern === undefined || new RegExp(node.pattern, "u").test(value));
    default:
      return false;
  }
}

/** A value as a message shows it: short, and without the password of a URL. */
function found(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (isTable(value)) return "a table";
  if (typeof value !== "string") return String(value);
  if (value === "") return "an empty text";
  const shown = maskText(value);
  return `the text ${JSON.stringify(shown.length > 60 ? `${shown.slice(0, 60)}…` : shown)}`;
}
