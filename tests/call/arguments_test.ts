import assert from "node:assert/strict";
import * as z from "zod";
import { fitsArguments, parseArguments, readArguments } from "../../src/call/arguments.ts";

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

const search = z.strictObject({
  root: z.string().default("."),
  pattern: z.string(),
  file_glob: z.string().optional(),
  max_results: z.int().min(1).max(1000).default(100),
});
const patch = z.strictObject({
  path: z.string(),
  old_text: z.string(),
  new_text: z.string(),
  expected_replacements: z.int().min(1).default(1),
});

Deno.test("readArguments understands the names that models know from other tools", () => {
  const cases: [z.ZodObject, Record<string, unknown>, Record<string, unknown>][] = [
    [search, { path: "src", query: "x", limit: "20" }, { root: "src", pattern: "x", max_results: 20 }],
    [search, { directory: "src", regex: "x", glob: "*.ts" }, { root: "src", pattern: "x", file_glob: "*.ts" }],
    [patch, { file_path: "a", old_string: "b", new_string: "c" }, { path: "a", old_text: "b", new_text: "c" }],
    [patch, { filePath: "a", oldText: "b", newText: "c" }, { path: "a", old_text: "b", new_text: "c" }],
    [z.strictObject({ command: z.string() }), { cmd: "ls" }, { command: "ls" }],
    [z.strictObject({ path: z.string(), content: z.string() }), { file: "a", text: "b" }, { path: "a", content: "b" }],
    [z.strictObject({ q: z.string(), k: z.int().optional() }), { query: "x", top_k: 3 }, { q: "x", k: 3 }],
  ];
  for (const [schema, given, meant] of cases) {
    const { args, notes } = readArguments(schema, given);
    assert.deepEqual({ ...args, ...meant }, args, JSON.stringify(given));
    assert.deepEqual(notes, []);
  }
});

Deno.test("readArguments takes no other name where the argument itself is given, or where two could be meant", () => {
  assert.throws(() => readArguments(search, { root: "a", path: "b", pattern: "x" }), /unknown argument 'path'/);
  const two = z.strictObject({ source: z.string().optional(), offset: z.int().optional() });
  assert.throws(() => readArguments(two, { from: "a" }), /unknown argument 'from'/);
});

Deno.test("readArguments puts an amount beyond its bound at the bound and says so", () => {
  const { args, notes } = readArguments(search, { pattern: "x", limit: 5000 });
  assert.equal(args.max_results, 1000);
  assert.deepEqual(notes, ["max_results: 1000 in place of 5000, its bound"]);
  assert.equal(readArguments(search, { pattern: "x", max_results: 0 }).args.max_results, 1);
});

Deno.test("readArguments takes a longer, shorter or capital form of one option, and says so", () => {
  const list = z.strictObject({ sort: z.enum(["cpu", "mem", "start"]).default("cpu") });
  const { args, notes } = readArguments(list, { sort_by: "memory" });
  assert.deepEqual([args.sort, notes], ["mem", ["sort: mem in place of memory"]]);
  assert.equal(readArguments(list, { sort: "CPU" }).args.sort, "cpu");
  assert.equal(
    readArguments(z.strictObject({ signal: z.enum(["TERM", "KILL"]) }), { signal: "SIGKILL" }).args.signal,
    "KILL",
  );
  const info = z.strictObject({ info_type: z.enum(["memory", "disk", "network", "net_stats"]) });
  assert.equal(readArguments(info, { info_type: "disks" }).args.info_type, "disk");
  for (const info_type of ["net", "me", "disk or memory, whichever is full", ""]) {
    assert.throws(() => readArguments(info, { info_type }), /'info_type': Invalid option/, info_type);
  }
});

Deno.test("readArguments refuses other numbers beyond their bounds: they mean something else", () => {
  assert.throws(
    () => readArguments(patch, { path: "a", old_text: "b", new_text: "c", expected_replacements: 0 }),
    /Too small/,
  );
  const kill = z.strictObject({ pid: z.int().min(1) });
  assert.throws(() => readArguments(kill, { pid: -1 }), /'pid': Too small/);
});

Deno.test("readArguments names a few of many wrong names, and does not look through thousands", () => {
  const wrong = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`q${at}`, 1]));
  assert.match(refusal({ path: "x", ...wrong(50) }), /'q19'; 30 more unknown arguments/);
  assert.match(refusal(wrong(20_000)), /20000 arguments/);
});
