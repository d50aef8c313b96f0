import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { handleRead } from "../../../src/tools/handle/read.ts";
import { searchContent } from "../../../src/tools/search/content.ts";
import { whileReporting } from "../../../src/tools/search/scope.ts";
import { copyRealTree } from "../../support/real_tree.ts";
import { look } from "../look.ts";

Deno.test("linux_search_content groups hits by file, keeps indentation, and counts them", async () => {
  await using app = await look({ "src/a.ts": "const foo = 1;\n  foo();\n", "b.ts": "import foo\n", "c.md": "bar\n" });
  const { result, text } = await app.call(searchContent, { pattern: "FOO" });
  assert.equal(text, "b.ts\n1:import foo\nsrc/a.ts\n1:const foo = 1;\n2:  foo();\n[3 hits in 2 files]");
  assert.deepEqual([result.total_hits, result.truncated, result.handle, result.engine], [3, false, null, "rg"]);
});

Deno.test("linux_search_content has three lines of context in its structure and shows them when they are asked for", async () => {
  const lines = Array.from(
    { length: 20 },
    (_, index) => index === 9 || index === 11 ? `hit ${index}` : `line ${index}`,
  );
  await using app = await look({ "a.txt": lines.join("\n") });
  const plain = await app.call(searchContent, { pattern: "hit" });
  assert.equal(plain.text, "a.txt\n10:hit 9\n12:hit 11\n[2 hits in 1 file]");
  assert.deepEqual(plain.result.hits[0], {
    path: "a.txt",
    line: 10,
    first_line: 7,
    snippet: "line 6\nline 7\nline 8\nhit 9\nline 10\nhit 11\nline 12",
  });
  const wide = await app.call(searchContent, { pattern: "hit", context_lines: 1 });
  assert.equal(wide.text, "a.txt\n9-line 8\n10:hit 9\n11-line 10\n12:hit 11\n13-line 12\n[2 hits in 1 file]");
  const none = await app.call(searchContent, { pattern: "hit", context_lines: 0 });
  assert.deepEqual(none.result.hits.map(({ snippet }) => snippet), ["hit 9", "hit 11"]);
  const apart = await app.call(searchContent, { pattern: "line (1|15)$", context_lines: 1 });
  assert.match(apart.text, /^a\.txt\n1-line 0\n2:line 1\n3-line 2\n--\n15-line 14\n16:line 15\n/);
});

Deno.test("linux_search_content says what was searched when there are no hits, which is no failure", async () => {
  await using app = await look({ "src/a.ts": "x" });
  assert.equal(
    (await app.call(searchContent, { pattern: "nothing", root: "src", file_glob: "*.ts" })).text,
    "[no hits for 'nothing' (regex, any case) in src, only *.ts]",
  );
  const everywhere = { pattern: "a.b", literal: true, ignore_case: false, include_hidden: true, include_ignored: true };
  const { result, text } = await app.call(searchContent, everywhere);
  assert.equal(text, "[no hits for 'a.b' (text, case kept) in .]");
  assert.deepEqual([result.hits, result.total_hits, result.truncated], [[], 0, false]);
});

Deno.test("linux_search_content stops at max_results over all files, and is honest about the total", async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}.txt`, "word\n".repeat(30)]));
  await using app = await look(files);
  const { result, text } = await app.call(searchContent, { pattern: "word", max_results: 5 });
  assert.deepEqual([result.hits.length, result.total_hits, result.truncated], [5, 270, true]);
  assert.match(
    text,
    /^f0\.txt\n[^]*\[270 hits in 9 files · the first 5 shown · rest: linux_handle_read H_\w+ offset \d+\]$/,
  );
});

Deno.test("linux_search_content shows what fits its budget and keeps the other hits behind a handle", async () => {
  const line = (n: number) => `needle ${n} with a good many words around it so that it costs something`;
  await using app = await look({ "a.txt": Array.from({ length: 95 }, (_, i) => line(i + 1)).join("\n") });
  const { result, text } = await app.call(searchContent, { pattern: "needle" });
  assert.equal(result.total_hits, 95);
  const [, shown, offset] = text.match(/\[95 hits in 1 file · the first (\d+) shown · rest: .* offset (\d+)\]$/) ?? [];
  assert.equal(Number(offset), Number(shown) + 1);
  assert.ok(estimateTokens(text) < 1_500, String(estimateTokens(text)));
  const rest = await app.call(handleRead, { handle: result.handle ?? "", offset: Number(offset) });
  assert.equal(rest.result.content.split("\n")[0], `${Number(shown) + 1}:${line(Number(shown) + 1)}`);
  assert.equal(rest.result.returned, 95 - Number(shown));
});

for (const withoutRipgrep of [false, true]) {
  Deno.test(`linux_search_content lists files or counts, exactly${withoutRipgrep ? " (without ripgrep)" : ""}`, async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`d/${i + 10}.txt`, "word\n".repeat(100 + i)]),
    );
    await using app = await look({ ...many, "one.txt": "a word\nno\n", ".gitignore": "x\n", x: "word\n" }, {
      withoutRipgrep,
    });
    const total = 30 * 100 + 29 * 15 + 1, engine = withoutRipgrep ? " · built-in search, no ripgrep" : "";
    const left = "not searched: 1 ignored (x), 1 hidden (.gitignore)";
    const files = await app.call(searchContent, { pattern: "word", output: "files", max_results: 2 });
    assert.match(
      files.text,
      new RegExp(`^d/10\\.txt\nd/11\\.txt\n\\[${total} hits in 31 files · the first 2 files shown`),
    );
    const counts = await app.call(searchContent, { pattern: "word", output: "count" });
    assert.match(counts.text, /^129 d\/39\.txt\n128 d\/38\.txt\n[^]*\n1 one\.txt\n\[/);
    assert.ok(counts.text.endsWith(`[${total} hits in 31 files · ${left}${engine}]`), counts.text);
    const handle = files.result.handle ?? assert.fail("no handle");
    assert.equal((await app.call(handleRead, { handle, offset: 2, limit: 1 })).result.content, "d/12.txt");
    const none = await app.call(searchContent, { pattern: "nothing", output: "count" });
    assert.match(none.text, /^\[no hits for 'nothing'/);
  });
}

Deno.test("linux_search_content lets lines of a file with the same text share a row", async () => {
  await using app = await look({ "a.txt": "  needle\nother\nneedle\nneedle too\nneedle\n", "b.txt": "needle\n" });
  const { text, result } = await app.call(searchContent, { pattern: "needle" });
  assert.equal(result.hits.length, 5);
  assert.deepEqual(text.split("\n").slice(0, 5), ["a.txt", "1:  needle", "3,5:needle", "4:needle too", "b.txt"]);
});

Deno.test("linux_search_content writes odd paths so that they can be told from hits", async () => {
  await using app = await look({ "12:x": "needle", "a\nb": "needle", "[x]": "needle" });
  const { text, result } = await app.call(searchContent, { pattern: "needle" });
  assert.deepEqual(text.split("\n").slice(0, 6), ['"12:x"', "1:needle", '"[x]"', "1:needle", '"a\\nb"', "1:needle"]);
  assert.ok(result.hits.some(({ path }) => path === "a\nb"));
});

Deno.test("linux_search_content names the stand-in when there is no ripgrep", async () => {
  await using app = await look({ "a.txt": "needle" }, { withoutRipgrep: true });
  const { result, text } = await app.call(searchContent, { pattern: "needle" });
  assert.equal(result.engine, "builtin");
  assert.equal(text, "a.txt\n1:needle\n[1 hit in 1 file · built-in search, no ripgrep]");
});

Deno.test("linux_search_content refuses a bad expression, roots outside, and what belongs to the server", async () => {
  await using app = await look({ "data/x": "secret", "a.txt": "secret" }, { dataInRoot: true });
  await assert.rejects(app.call(searchContent, { pattern: "a(b" }), {
    code: "INVALID_ARGUMENT",
    message: /unclosed group/,
  });
  await assert.rejects(app.call(searchContent, { pattern: "x", root: "/etc" }), { code: "INVALID_PATH" });
  await assert.rejects(app.call(searchContent, { pattern: "x", root: "data" }), { code: "INVALID_PATH" });
  assert.equal((await app.call(searchContent, { pattern: "secret", include_hidden: true })).result.total_hits, 1);
});

Deno.test("linux_search_content in a real tree: a rare word within 300 tokens, a common one within 1,500", async () => {
  await using app = await look();
  await copyRealTree(app.root);
  const rare = await app.call(searchContent, { pattern: "createFlow\\b", file_glob: "*.js" });
  assert.ok(rare.result.hits.length >= 3 && estimateTokens(rare.text) <= 300, rare.text);
  const common = await app.call(searchContent, { pattern: "function" });
  assert.equal(common.result.hits.length, 100);
  assert.ok(estimateTokens(common.text) <= 1_500, String(estimateTokens(common.text)));
});

Deno.test("a search that takes its time gives a sign of life to who asked for it", async () => {
  const reports: (string | undefined)[] = [];
  const slow = Promise.withResolvers<string>();
  const searching = whileReporting(slow.promise, (_done, _total, message) => {
    reports.push(message);
    slow.resolve("found");
  });
  assert.equal(await searching, "found");
  assert.deepEqual(reports, ["searching for 1 s"]);
});
