import assert from "node:assert/strict";
import { type JsonLine, makeJsonLineReader } from "../../src/core/json_lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Feeds a text in pieces of every size, and expects the same lines each time. */
function readInPieces(text: string, maxBytes = 1_000): JsonLine[] {
  const whole = bytes(text), results: JsonLine[][] = [];
  for (const size of [1, 2, 3, 7, whole.length]) {
    const reader = makeJsonLineReader(maxBytes), lines: JsonLine[] = [];
    // One buffer for every piece: a reader must not keep what it was lent.
    const piece = new Uint8Array(size);
    for (let at = 0; at < whole.length; at += size) {
      const part = whole.subarray(at, at + size);
      piece.set(part);
      lines.push(...reader.push(piece.subarray(0, part.length)));
    }
    results.push(lines);
  }
  for (const lines of results) assert.deepEqual(lines, results[0]);
  return results[0] ?? [];
}

Deno.test("lines are read whole, however they arrive", () => {
  assert.deepEqual(readInPieces('{"a":"ä€😀"}\n[1,2]\r\n\n  \n"x"\n'), [
    { kind: "value", value: { a: "ä€😀" } },
    { kind: "value", value: [1, 2] },
    { kind: "value", value: "x" },
  ]);
});

Deno.test("a line without its end is none yet", () => {
  assert.deepEqual(readInPieces('{"a":1}'), []);
});

Deno.test("what is no JSON is said to be invalid, and the next line is read", () => {
  assert.deepEqual(readInPieces('{"a":\n{"b":2}\n'), [{ kind: "invalid" }, { kind: "value", value: { b: 2 } }]);
});

Deno.test("a line of just the bound is taken, one byte more is too long", () => {
  const line = JSON.stringify({ id: 1, pad: "x".repeat(80) });
  assert.deepEqual(readInPieces(`${line}\n`, line.length).map(({ kind }) => kind), ["value"]);
  assert.deepEqual(readInPieces(`${line}\n`, line.length - 1), [{ kind: "too-long", id: 1, sizeBytes: line.length }]);
});

Deno.test("the id of a line that is too long is found wherever it stands", () => {
  const pad = '"pad":"' + 'x\\"},{'.repeat(60) + '"';
  const nested = '"params":{"id":"wrong","list":[{"id":"wrong"}],"text":"\\"id\\":3"}';
  const cases: [string, string | number | null][] = [
    [`{"jsonrpc":"2.0","id":7,${nested},${pad}}`, 7],
    [`{${nested},${pad},"jsonrpc":"2.0","id":"last"}`, "last"],
    [`{ ${pad} , "id" : -12 , ${nested} }`, -12],
    [`{${pad},"id":{"no":"id"}}`, null],
    [`{${pad},"id":"${"i".repeat(300)}"}`, null],
    [`{${pad},${nested}}`, null],
    [`[{"id":1,${pad}}]`, null],
    [`"${"x".repeat(300)}`, null],
    [`}}}]]],,,"id":1${"x".repeat(300)}`, null],
  ];
  for (const [line, id] of cases) {
    const [found, ...rest] = readInPieces(`${line}\n{"next":true}\n`, 200);
    assert.equal(found?.kind === "too-long" ? found.id : "none", id, line.slice(0, 60));
    assert.deepEqual(rest, [{ kind: "value", value: { next: true } }]);
  }
});
