import assert from "node:assert/strict";
import * as z from "zod";
import { fitsArguments, parseArguments } from "../../src/call/arguments.ts";

const schema = z.strictObject({
  path: z.string().min(1).max(100),
  count: z.int().min(1).max(10).default(5),
  all: z.boolean().optional(),
  words: z.array(z.string().min(1)).max(3).optional(),
  options: z.strictObject({ name: z.string().max(5).optional() }).optional(),
});

function refusal(args: unknown): string {
  try {
    parseArguments(schema, args);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "INVALID_ARGUMENT"
      ? error.message
      : String(error);
  }
  return "taken";
}

Deno.test("parseArguments takes what fits, with defaults", () => {
  assert.deepEqual(parseArguments(schema, { path: "a" }), { path: "a", count: 5 });
  assert.deepEqual(parseArguments(z.strictObject({}), undefined), {});
  assert.deepEqual(parseArguments(z.strictObject({}), null), {});
});

Deno.test("parseArguments takes numbers, booleans and lists that came as text, and nulls for what is absent", () => {
  const given = { path: "a", count: "7", all: "TRUE", words: '["x"]', options: null };
  assert.deepEqual(parseArguments(schema, given), { path: "a", count: 7, all: true, words: ["x"] });
  assert.deepEqual(parseArguments(schema, { path: "a", all: "false" }), { path: "a", count: 5, all: false });
  for (const count of ["", "seven", "7x", "x7", " 7", "1.5", "0", "11"]) {
    assert.match(refusal({ path: "a", count }), /^'count': /, count);
  }
  assert.equal(refusal({ path: "a", count: "-0" }), "'count': Too small: expected number to be >=1");
  for (const all of ["yes", "truex", "xtrue"]) assert.match(refusal({ path: "a", all }), /^'all': /, all);
  for (const words of ["x", "[", '["x"']) assert.match(refusal({ path: "a", words }), /^'words': /, words);
});

Deno.test("parseArguments says what is wrong, with the nearest known name", () => {
  for (const args of [[], "x", 1, true]) assert.equal(refusal(args), "the arguments must be an object");
  assert.match(refusal({}), /^'path': /);
  assert.equal(refusal({ path: "a", pth: 1 }), "unknown argument 'pth', did you mean 'path'?");
  assert.equal(
    refusal({ path: "a", zzzzzzzz: 1, yyyyyyyy: 2 }),
    "unknown argument 'zzzzzzzz'; unknown argument 'yyyyyyyy'",
  );
  assert.match(refusal({ path: "a", options: { name: "too long" } }), /^'options.name': /);
  assert.equal(refusal({ path: "a", ["k".repeat(100)]: 1 }), `unknown argument '${"k".repeat(60)}'`);
  const many = Object.fromEntries(["path", "count", "all", "words", "options"].map((name) => [name, Symbol()]));
  assert.equal(refusal(many).split("; ").length, 4, "four problems are enough");
});

Deno.test("parseArguments refuses an object in place of a text, whatever it says its length is", () => {
  for (const length of [{ toString: "" }, { valueOf: 1, toString: 2 }, {}, 3, [], null]) {
    for (const args of [{ path: { length } }, { path: "a", words: { length } }, { path: "a", words: [{ length }] }]) {
      assert.match(refusal(args), /^'(path|words)[.0]*': Invalid input/, JSON.stringify(args));
    }
    assert.match(refusal({ path: "a", options: { name: { length, size: length } } }), /^'options.name': Invalid input/);
  }
});

Deno.test("parseArguments is not changed by names that every object has", () => {
  const args = JSON.parse('{"path":"a","__proto__":{"count":9},"constructor":1}');
  assert.match(refusal(args), /^unknown argument '__proto__'; unknown argument 'constructor'$/);
  const none: Record<string, unknown> = {};
  assert.equal(none.count, undefined);
});

Deno.test("fitsArguments answers what parseArguments would do", () => {
  assert.equal(fitsArguments(schema, { path: "a", count: "3" }), true);
  assert.equal(fitsArguments(schema, { path: "a", count: "x" }), false);
});
