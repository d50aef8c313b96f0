import assert from "node:assert/strict";
import { boundJson } from "../../src/call/bound_json.ts";
import { estimateTokens } from "../../src/core/tokens.ts";
import { makeTestApp } from "../support/app.ts";
import { makeRandom, type Random } from "../support/random.ts";

const BYTES = 1024 * 1024;
const WORDS = ["path", 'a "quoted" one', "\\back\\slash", "é€😀", "line\nend", "\u0007"];

function randomResult({ below, pick, chance }: Random): Record<string, unknown> {
  const words = () => Array.from({ length: below(8) }, () => pick(WORDS)).join(" ");
  const items = Array.from(
    { length: below(400) },
    (_, id) => ({ id, words: words(), deep: chance(0.2) ? [1, [2]] : 0 }),
  );
  const text = Array.from({ length: below(300) }, words).join(chance(0.2) ? " " : "\n");
  return { count: below(9), items, meta: { text, none: null, list: Array.from({ length: below(200) }, words) } };
}

/** The value at a dotted path. */
function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((inner, key) => Object(inner)[key], value);
}

Deno.test("boundJson gives valid JSON within the bound, and the parts that it names make up the whole", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = makeRandom(seed), result = randomResult(random), tokens = 400 + random.below(3_000);
    const kept: string[] = [];
    const bounds = { tokens, bytes: BYTES, keep: (text: string) => `H${kept.push(text) - 1}` };
    const { text, truncated } = boundJson(result, bounds);
    assert.ok(estimateTokens(text) <= tokens, `seed ${seed}`);
    const { truncated: _, rest = [], ...shown } = JSON.parse(text);
    assert.equal(truncated, rest.length > 0);
    if (!truncated) assert.deepEqual(shown, result);
    for (const { field, shown: count, total, unit, next } of rest) {
      const [, index = "", offset] = next.match(/^linux_handle_read H(\d+) offset (\d+)(?: unit bytes)?$/) ?? [];
      const whole = kept[Number(index)] ?? "", full = at(result, field), part = at(shown, field);
      if (unit === "items") {
        const all = whole.split("\n").map((line) => JSON.parse(line));
        assert.deepEqual(all, full);
        assert.deepEqual([part, total, Number(offset)], [all.slice(0, count), all.length, count]);
      } else {
        assert.ok(typeof part === "string" && whole === full, `seed ${seed}`);
        assert.ok(whole.startsWith(part));
        if (unit === "lines") assert.deepEqual([part.split("\n").length, total], [count, whole.split("\n").length]);
        else assert.deepEqual([part.length, new TextEncoder().encode(part).length], [count, Number(offset)]);
      }
    }
  }
});

Deno.test("boundJson refuses what has no list or text to shorten", () => {
  const result = Object.fromEntries(Array.from({ length: 2_000 }, (_, number) => [`key ${number}`, number]));
  assert.throws(() => boundJson(result, { tokens: 500, bytes: BYTES, keep: () => "H" }), { code: "OUTPUT_TOO_LARGE" });
});

Deno.test("result_format json answers valid JSON whatever a tool returns, and its rest pages by item", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, number) => [`f${number}.txt`, `needle "${number}"\n`]),
  );
  await using test = await makeTestApp({
    files: { ...files, "long.txt": '"quoted" line\n'.repeat(5_000) },
    settings: { "mcp.tools.result_format": "json", "mcp.tools.result_tokens": 1_500 },
  });
  const calls: [string, Record<string, unknown>][] = [
    ["linux_fs_list", {}],
    ["linux_fs_read", { path: "long.txt" }],
    ["linux_search_content", { pattern: "needle", max_results: 300 }],
    ["linux_search_files", { pattern: "*.txt" }],
    ["run_cmd", { command: "cat long.txt" }],
    ["linux_proc_list", {}],
  ];
  for (const [name, args] of calls) {
    const { text, error } = await test.call(name, args);
    assert.equal(error, undefined, name);
    JSON.parse(text);
  }
  const { text } = await test.call("linux_search_content", { pattern: "needle", max_results: 300 });
  const { hits, rest: [{ next, total }] } = JSON.parse(text);
  assert.equal(total, 300);
  const [, handle = "", offset] = next.match(/(H_\w+) offset (\d+)/) ?? [];
  const seen = [...hits];
  while (seen.length < total) {
    const page = JSON.parse((await test.call("linux_handle_read", { handle, offset: seen.length })).text);
    for (const line of page.content.split("\n")) seen.push(JSON.parse(line));
  }
  assert.equal(Number(offset), hits.length);
  assert.equal(new Set(seen.map(({ path }) => path)).size, 300);
});
