import assert from "node:assert/strict";
import type { SchemaNode } from "../../src/config/keys.ts";
import { readValue } from "../../src/config/value_text.ts";

const list: SchemaNode = { type: "array", items: { type: "string" } };
const table: SchemaNode = { type: "object", additionalProperties: { type: "integer" } };

function check(node: SchemaNode, cases: readonly (readonly [string, unknown])[]): void {
  for (const [text, value] of cases) assert.deepEqual(readValue(node, text), value, text);
}

Deno.test("readValue reads switches", () => {
  check({ type: "boolean" }, [
    ["true", true],
    ["YES", true],
    ["on", true],
    ["1", true],
    ["False", false],
    ["no", false],
    ["off", false],
    ["0", false],
  ]);
});

Deno.test("readValue reads numbers", () => {
  check({ type: "integer" }, [["9000", 9000], [" 7 ", 7], ["-3", -3], ["268_435_456", 268435456], ["1e3", 1000]]);
  check({ type: "number" }, [["0.5", 0.5], ["+2", 2]]);
});

Deno.test("readValue leaves a text that means nothing as it is", () => {
  check({ type: "boolean" }, [["", ""], ["maybe", "maybe"]]);
  check({ type: "integer" }, [["", ""], ["80a", "80a"], ["0x10", "0x10"], ["1__0", "1__0"], ["NaN", "NaN"]]);
  check(list, [['["a", b]', '["a", b]']]);
  check(table, [["default", "default"], ['{"a":', '{"a":']]);
});

Deno.test("readValue reads lists as JSON or with commas", () => {
  check(list, [["a", ["a"]], ["a, b ,c", ["a", "b", "c"]], ["", []], ["[]", []], ['["a,b", "c"]', ["a,b", "c"]], [
    "[::1],x",
    ["[::1]", "x"],
  ]]);
});

Deno.test("readValue reads tables as JSON or as pairs", () => {
  check(table, [["a=1, b=2", { a: 1, b: 2 }], ['{"a": 1}', { a: 1 }], ["a=x", { a: "x" }]]);
});

Deno.test("readValue takes text as it is", () => {
  check({ type: "string" }, [["", ""], [" a,b ", " a,b "], ["true", "true"]]);
});
