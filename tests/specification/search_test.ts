/** Phase L1 (search), row by row. @module */
import assert from "node:assert/strict";
import { specification } from "./table.ts";

const FILES = {
  "src/a.py": "def a():\n    return 1  # TODO\n",
  "src/b.txt": "zero\none\ntwo\nTODO later\nfour\nfive\nsix\nseven\n",
  ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/f${at}.txt`, `needle ${at}\n`])),
};
type Hit = { readonly path: string };

/** Why a number beyond its bound is not refused. */
const CLAMPED = "the bound is used and the answer says so, which saves the second call";

specification("Phase L1: search", { files: FILES }, [
  ["001-R12", "search_files counts all", async ({ ok }) => {
    assert.equal((await ok("linux.search_files", { root: "many", pattern: "*.txt" })).total_hits, 600);
  }],
  ["001-R14", "search_content by pattern and glob", async ({ ok }) => {
    const { hits } = await ok("linux.search_content", { root: ".", pattern: "TODO", file_glob: "*.py" });
    assert.deepEqual(hits.map(({ path }: Hit) => path), ["src/a.py"]);
  }],
  ["001-R15", "literal text", async ({ ok }) => {
    assert.equal((await ok("linux.search_content", { root: "src", pattern: "a()", literal: true })).hits.length, 1);
  }],
  ["001-R16", "a truncated search has a handle to all hits, also those past its maximum", async ({ ok }) => {
    const { handle } = await ok("linux.search_content", { root: "many", pattern: "needle", max_results: 5 });
    const { total } = await ok("linux.handle_read", { handle, limit: 1 });
    assert.ok(total >= 600, `${total}`);
  }],
  ["001-R16b", "a truncated search is the same each time", async ({ ok }) => {
    const look = async () =>
      JSON.stringify((await ok("linux.search_content", { root: "many", pattern: "needle", max_results: 5 })).hits);
    assert.deepEqual(new Set([await look(), await look(), await look()]).size, 1);
  }],
  ["001-R16c", "total_hits is there", async ({ ok }) => {
    assert.equal(
      (await ok("linux.search_content", { root: "many", pattern: "needle", max_results: 5 })).total_hits,
      600,
    );
  }],
  ["001-R12a", "search_files: max_results is 1 to 2000, else INVALID_ARGUMENT", async ({ ok }) => {
    const { warnings } = await ok("linux.search_files", { pattern: "a.py", max_results: 2_001 });
    assert.deepEqual(warnings, ["max_results: 2000 in place of 2001, its bound"]);
  }, CLAMPED],
  ["001-R12b", "search_files: a handle to all when truncated", async ({ ok }) => {
    const { handle } = await ok("linux.search_files", { root: "many", pattern: "*.txt", max_results: 5 });
    assert.equal((await ok("linux.handle_read", { handle, limit: 1 })).total, 600);
  }],
  ["001-R12c", "root is required", async ({ ok }) => {
    assert.equal((await ok("linux.search_files", { pattern: "a.py" })).total_hits, 1);
  }, "without one the whole root is searched, which is what is meant"],
  ["001-R13", "a search stays in the roots", async ({ refused }) => {
    const codes = ["linux.search_files", "linux.search_content"]
      .map((name) => refused(name, { root: "/etc", pattern: "x" }));
    assert.deepEqual(await Promise.all(codes), ["INVALID_PATH", "INVALID_PATH"]);
  }],
  ["001-R14a", "search_content: max_results is 1 to 1000, else INVALID_ARGUMENT", async ({ ok }) => {
    const { warnings } = await ok("linux.search_content", { root: "src", pattern: "x", max_results: 1_001 });
    assert.deepEqual(warnings, ["max_results: 1000 in place of 1001, its bound"]);
  }, CLAMPED],
  ["001-R15a", "ignore_case is the default", async ({ ok }) => {
    const count = async (args: object) =>
      (await ok("linux.search_content", { root: "src", pattern: "todo", ...args })).total_hits;
    assert.deepEqual([await count({}), await count({ ignore_case: false })], [2, 0]);
  }],
  ["001-R15b", "three lines of context by default", async ({ ok }) => {
    const { hits: [{ snippet }] } = await ok("linux.search_content", { root: "src", pattern: "TODO later" });
    assert.equal(snippet, "zero\none\ntwo\nTODO later\nfour\nfive\nsix");
  }],
  ["001-R15d", "ten lines of context at most, else INVALID_ARGUMENT", async ({ ok }) => {
    const { warnings } = await ok("linux.search_content", { root: "src", pattern: "later", context_lines: 11 });
    assert.deepEqual(warnings, ["context_lines: 10 in place of 11, its bound"]);
  }, CLAMPED],
  ["001-R15c", "over MCP the same context", async ({ text }) => {
    assert.match(
      await text("linux.search_content", { root: "src", pattern: "TODO later" }),
      /^src\/b\.txt\n4:TODO later\n\[1 hit/,
    );
  }, "a hit alone answers most questions at a seventh of the tokens; context_lines gives more"],
  ["001-R16d", "a hit has path, line and snippet", async ({ ok }) => {
    const { hits: [{ path, line, snippet }] } = await ok("linux.search_content", { root: "src", pattern: "return" });
    assert.deepEqual([path, line, snippet], ["src/a.py", 2, "def a():\n    return 1  # TODO"]);
  }],
  ["001-NFR-lat", "searches answer within half a second", async ({ ok }) => {
    const { tools } = await ok("linux.mcp_usage_stats");
    const slow = ["linux_search_files", "linux_search_content"].filter((name) => !(tools[name].p50_ms < 500));
    assert.deepEqual(slow, []);
  }],
  ["001-R1", "ripgrep searches, not a slower engine", async ({ ok }) => {
    assert.equal((await ok("linux.search_content", { root: "src", pattern: "TODO" })).engine, "rg");
  }],
]);
