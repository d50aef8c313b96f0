/** Makes the functions that a script calls tools with, and their description, from the tools themselves. @module */
import { leanSchema } from "../../call/lean_schema.ts";
import type { Effect, Tool } from "../../call/tool.ts";

/** One function of a script. */
interface ApiFunction {
  /** `fs.read`, or `run`. */
  readonly path: string;
  readonly tool: string;
  /** Arguments that can be given by position. */
  readonly positional: readonly string[];
  readonly others: readonly string[];
  /** Fields of the result. */
  readonly fields: readonly string[];
}

/** What a script sees: the tools that can be called, but not those that call others. */
export function apiOf(tools: readonly Tool[]): readonly ApiFunction[] {
  return tools.filter(({ passesOn }) => !passesOn).map((tool) => {
    const { properties, required } = leanSchema(tool.input, "input");
    const names = Object.keys(Object(properties)), needed = Array.isArray(required) ? required.map(String) : [];
    const positional = needed.length > 0 ? needed : names.slice(0, 1);
    return {
      path: pathOf(tool.name),
      tool: tool.name,
      positional,
      others: names.filter((name) => !positional.includes(name)),
      // What a change answers, a program that goes on without an error knows.
      fields: CHANGES.has(tool.effect) ? [] : fieldsOf(leanSchema(tool.output, "output")),
    };
  });
}

const CHANGES: ReadonlySet<Effect> = new Set(["write", "destroy"]);

/** `linux_fs_read` is `fs.read`; the one tool that everything else can be done with has a name of its own. */
function pathOf(name: string): string {
  return name === "run_cmd" ? "run" : name.replace(/^linux_/, "").replace("_", ".");
}

/** The first fields of a result; of a list of records also theirs: `hits[path line text]`. */
function fieldsOf(schema: object): string[] {
  return Object.entries(Object(Object(schema).properties)).slice(0, MAX_FIELDS).map(([name, field]) => {
    const { items } = Object(field), inner = items === undefined ? [] : fieldsOf(Object(items));
    return inner.length > 0 ? `${name}[${inner.join(" ")}]` : name;
  });
}

/** Of a function and its result: a program can print all of a result, and `more` shows all arguments of a tool. */
const MAX_OPTIONS = 2, MAX_FIELDS = 3;

/** The description: a line for each function, in as few tokens as possible. */
export function describeFunctions(api: readonly ApiFunction[]): string {
  const line = ({ path, positional, others, fields }: ApiFunction) => {
    const options = others.slice(0, MAX_OPTIONS);
    const taken = [...positional, ...options.length > 0 ? [`{${options.join(",")}}`] : []].join(",");
    return `${path}(${taken})${fields.length > 0 ? `:${fields.join(" ")}` : ""}`;
  };
  return [HEAD, ...api.map(line)].join("\n");
}

const HEAD = "Functions return the fields after the colon, among others; errors are thrown.";

/** The program that makes the functions. Only texts pass to the host, so that nothing of either side reaches the other. */
export function preludeOf(api: readonly ApiFunction[]): string {
  return `(${prelude.toString()})(${
    JSON.stringify(api.map(({ path, tool, positional }) => [path, tool, positional]))
  })`;
}

/** Runs inside of the engine, before the program. */
function prelude(functions: readonly [string, string, readonly string[]][]): void {
  const scope: Record<string, unknown> = Object(globalThis), host = Object(scope.host);
  const { print, call } = host, { parse, stringify } = JSON;
  delete scope.host;
  const show = (value: unknown) =>
    typeof value === "string"
      ? value
      : value instanceof Error
      ? String(value)
      : stringify(value, null, 1) ?? String(value);
  const say = (...values: unknown[]) => void print(values.map(show).join(" ") + "\n");
  const isOptions = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const made = (tool: string, positional: readonly string[]) => (...given: unknown[]) => {
    const last = given.at(-1), options = isOptions(last) ? Object(last) : {};
    const values = isOptions(last) ? given.slice(0, -1) : given;
    if (values.length > positional.length) throw new TypeError(`arguments: ${positional.join(", ")}, then an object`);
    const args = { ...options };
    values.forEach((value, at) => args[positional[at] ?? ""] = value);
    const { value, error } = parse(call(tool, stringify(args)));
    if (error !== undefined) throw new Error(error);
    return value;
  };
  for (const [path, tool, positional] of functions) {
    const [group = "", name] = path.split(".");
    if (name === undefined) scope[group] = made(tool, positional);
    else (scope[group] ??= {} as Record<string, unknown>, Object(scope[group])[name] = made(tool, positional));
  }
  Object.assign(scope, { print: say, console: { log: say, error: say, warn: say, info: say } });
}
