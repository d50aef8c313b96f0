/** Generates a long value for every argument of every tool from its schema. @module */
import * as z from "zod";
import { encodeText } from "../../../src/core/bytes.ts";
import { makeRandom, type Random } from "../../../tests/support/random.ts";
import { tools } from "../../../src/tools/catalog.ts";
import type { WorstCall } from "./worst_inputs.ts";

/** The part of a JSON Schema that says what a value is. */
const Kind = z.object({ type: z.string().optional(), enum: z.array(z.unknown()).optional() });
const Schema = Kind.extend({ anyOf: z.array(Kind).optional() });
const JsonSchema = z.object({
  properties: z.record(z.string(), Schema).optional(),
  required: z.array(z.string()).optional(),
});

/** Pieces of text that something may look for: each argument is given long repetitions of some. */
const PIECES: readonly string[] = [
  ..."a 1 é - . / \\ * ? [ { ( $ ` ' \" < @ # : = \n \t \x1b \u{1f600} \0".split(" "),
  " ",
  "\r\n",
  "../",
  "a/",
  "1h ",
  "a=b ",
  "«secret:A»",
  "«secret:",
  "password=",
  "https://a:b@",
  "-----BEGIN PRIVATE KEY-----\n",
  "AKIA",
  "aB_",
  "$(",
  "{a,",
  "(a|",
  "**/",
  "[a-z]",
  "--a=b ",
  "\x1b[31m",
  "2026-01-01T00:00:00Z ",
  "@@ -1 +1 @@\n-a\n+b\n",
  "#!/bin/sh\n",
  "%2e",
  "\ud800",
  "ﬁ",
];
/** Values of arguments without which a tool does not begin. */
const USUAL: Readonly<Record<string, unknown>> = {
  path: "near.txt",
  source: "near.txt",
  target: "written.txt",
  content: "x",
  pattern: "x",
  q: "x",
  query: "x",
  handle: "h",
  proc_id: "p",
  input: "x",
  pid: 2 ** 31, // a process that does not exist
  old_text: "the same line with a number 3",
  new_text: "zz",
  diff_text: "--- a/near.txt\n+++ b/near.txt\n@@ -1 +1 @@\n-a\n+b\n",
  flow_name: "explain_repo",
  info_type: "memory",
  session_id: "s",
  task_id: "t",
  argv: ["true"],
  command: "true",
  dry_run: true,
};
/** A request may have 256 KiB. */
const REQUEST_BYTES = 240_000;
/** So many members of a list or an object fill a request. */
const MEMBERS = 20_000, DEPTH = 50_000;

/** Calls with one bad argument each. @param share How many bad values are tried in each argument, as the seed has it. */
export function generatedCalls(share: number, seed: number): readonly WorstCall[] {
  const random = makeRandom(seed);
  return tools.flatMap(({ name, input }) => {
    const { properties = {}, required = [] } = JsonSchema.parse(z.toJSONSchema(input, { io: "input" }));
    const keys = Object.keys(properties).filter((key) => required.includes(key) || key === "dry_run");
    const needed = Object.fromEntries(keys.map((key) => [key, USUAL[key] ?? "x"]));
    return Object.entries(properties).flatMap(([key, schema]) =>
      Array.from({ length: share }, (): WorstCall => {
        const [what, value] = badValue(schema, random);
        return { tool: name, what: `${key}: ${what}`, args: { ...needed, [key]: value } };
      })
    );
  });
}

function badValue(schema: z.output<typeof Schema>, random: Random): readonly [what: string, value: unknown] {
  const isText = [schema, ...schema.anyOf ?? []].some(({ type }) => type === "string");
  if (isText && random.chance(SHARE_OF_TEXTS)) {
    const piece = random.pick(PIECES);
    return [JSON.stringify(piece), fill(piece)];
  }
  const kind = random.pick(["text", "list", "object", "depth", "number"] as const);
  return [kind, BAD[kind]()];
}

const SHARE_OF_TEXTS = 0.7;
const BAD = {
  text: () => fill("a"),
  list: () => Array(MEMBERS).fill("a b"),
  object: () => Object.fromEntries(Array.from({ length: MEMBERS }, (_, at) => [`a${at}`, "b"])),
  depth: nested,
  number: () => -1.7e308,
};

/** The longest text of a piece that fits into a request. */
function fill(piece: string): string {
  return piece.repeat(Math.floor(REQUEST_BYTES / (encodeText(JSON.stringify(piece)).length - 2)));
}

function nested(): unknown {
  let value: unknown = 1;
  for (let level = 0; level < DEPTH; level++) value = [value];
  return value;
}
