/** Generates JSON that fits a schema, JSON that nearly does, and malformed text. @module */
import type { Random } from "../../tests/support/random.ts";

/** As much of JSON Schema as tools and OpenAPI documents use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
}

/** Where `$ref` leads to. */
export type Definitions = Readonly<Record<string, Schema>>;

const TEXTS = [
  "",
  ".",
  "..",
  "/",
  "~",
  "a.txt",
  "dir",
  "dir/b.txt",
  "missing",
  "/etc/passwd",
  "hello",
  "\0",
  "\n",
  "\ud800",
  "\uffff",
  "\u202e\u0000",
  "[",
  "(((((",
  "(a+)+$",
  "\\",
  "*".repeat(50),
  "%s%n%x",
  "${jndi:x}",
  "'; drop table calls; --",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "toString",
  "true",
  "null",
  "1e999",
  "x".repeat(10_000),
  "H_cmd_20200101T000000Z_aaaaaaaaaaaaaaaaaaaa",
  "@@ -1 +1 @@\n-a\n+b\n",
  "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-hello\n+bye\n",
  "echo x",
  "cat a.txt | wc -l",
  "ls $(pwd)",
];
const NUMBERS = ["0", "-0", "1", "-1", "2", "3.7", "1e3", "255", "65536", "2147483647", "2147483648", "-2147483649"];
const WILD_NUMBERS = ["9007199254740993", "1e308", "-1e308", "1e999", "-1e999", "5e-324", "1".repeat(400), "1e-400"];
const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "toJSON",
  "",
  "a",
  "length",
];

/** Text of some JSON value, up to a depth. */
export function anyJson(random: Random, depth = 3): string {
  const choice = random.below(depth > 0 ? 9 : 6);
  if (choice < 2) return quoted(random.pick(TEXTS));
  if (choice === 2) return random.pick(NUMBERS);
  if (choice === 3) return random.pick(WILD_NUMBERS);
  if (choice < 6) return random.pick(["null", "true", "false", "{}", "[]", '""']);
  const count = random.below(4);
  const inner = () => anyJson(random, depth - 1);
  if (choice === 6) return `[${Array.from({ length: count }, inner).join()}]`;
  // The same key twice, and keys that every object has already, are valid JSON.
  return `{${Array.from({ length: count }, () => `${quoted(random.pick(KEYS))}:${inner()}`).join()}}`;
}

/** Text of a value that fits a schema, or, with some probability at every place, of one that does not. */
export function jsonFor(random: Random, schema: Schema, wrongness: number, definitions: Definitions = {}): string {
  if (random.chance(wrongness)) return anyJson(random);
  const fit = (part: Schema) => jsonFor(random, part, wrongness, definitions);
  if (schema.$ref !== undefined) return fit(definitions[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined && choices.length > 0) return fit(random.pick(choices));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return JSON.stringify(random.pick(schema.enum));
  const type = typeof schema.type === "string"
    ? schema.type
    : schema.type === undefined
    ? "any"
    : random.pick(schema.type);
  switch (type) {
    case "object":
      return objectFor(random, schema, wrongness, definitions);
    case "array":
      return `[${Array.from({ length: random.below(4) }, () => fit(schema.items ?? {})).join()}]`;
    case "string":
      return quoted(random.pick(TEXTS));
    case "integer":
    case "number":
      return numberFor(random, schema);
    case "boolean":
      return random.pick(["true", "false"]);
    default:
      return anyJson(random, 2);
  }
}

function objectFor(random: Random, schema: Schema, wrongness: number, definitions: Definitions): string {
  const pairs: string[] = [];
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) ?? false;
    if (isRequired ? random.chance(wrongness / 2) : random.chance(0.5)) continue;
    pairs.push(`${quoted(name)}:${jsonFor(random, part, wrongness, definitions)}`);
    if (random.chance(wrongness / 4)) pairs.push(`${quoted(name)}:${anyJson(random, 1)}`);
  }
  if (random.chance(wrongness)) pairs.push(`${quoted(random.pick(KEYS))}:${anyJson(random, 2)}`);
  if (typeof schema.additionalProperties === "object") pairs.push(`"key":${anyJson(random, 1)}`);
  return `{${pairs.join()}}`;
}

function numberFor(random: Random, { minimum, maximum }: Schema): string {
  const edges = [minimum, maximum].filter((edge) => edge !== undefined);
  if (edges.length > 0 && random.chance(0.5)) return `${random.pick(edges) + random.pick([-1, 0, 1])}`;
  return random.pick(random.chance(0.1) ? WILD_NUMBERS : NUMBERS);
}

/** A string as JSON, now and then with escapes that need not be, or that are not well-formed text. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Text that a careful reader refuses, one way or another. */
export function brokenJson(random: Random): string {
  const valid = anyJson(random);
  const at = random.below(valid.length + 1);
  return random.pick([
    valid.slice(0, at),
    `${valid}${valid}`,
    `${valid},`,
    valid.replaceAll('"', "'"),
    valid.slice(0, at) +
    random.pick(["\0", "\u0001", "\ufeff", "\ud800", "//", "/*", "NaN", "Infinity", "0x1", "\\u"]) +
    valid.slice(at),
    "[".repeat(random.pick([10, 1_000, 100_000])),
    '{"a":'.repeat(random.pick([10, 1_000, 50_000])),
    "[".repeat(5_000) + "]".repeat(5_000),
    `"${"\\u0000".repeat(random.below(1_000))}`,
    `${"9".repeat(random.pick([20, 400, 100_000]))}`,
    " ".repeat(random.pick([1, 1_000, 100_000])),
    "",
  ]);
}
