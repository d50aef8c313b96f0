import assert from "node:assert/strict";
import { foreignTables, tokenTasks } from "../../bench/measure/others.ts";
import type { Report } from "../../scripts/reports/performance.ts";
import { renderPerformance } from "../../scripts/generate_performance_docs.ts";
import { tempTree } from "../support/temp_tree.ts";

const REPORT: Report = {
  at: "2026-01-02",
  quick: false,
  machine: { cores: 2, memoryGb: 8, kernel: "6.1", node: "v20.1.0", load: [0.2, 0.4], priority: false },
  contestants: [
    { key: "ours", title: "llmc-mcp", version: "1.0.0" },
    { key: "desktop_commander", title: "Desktop Commander", version: "0.2.52" },
  ],
  missing: ["other@1"],
  rows: [
    {
      key: "start",
      what: "start",
      unit: "ms",
      floor: "echo",
      cells: {
        ours: { min: 200, median: 250, p95: 300 },
        desktop_commander: { min: 1_900, median: 2_000, p95: 2_100 },
        floor: { min: 30, median: 40, p95: 50 },
      },
    },
    {
      key: "repl",
      what: "evaluate",
      unit: "ms",
      cells: { ours: { min: 4, median: 5, p95: 6, tokens: 12, calls: 1 }, desktop_commander: { fault: "no answer" } },
    },
    { key: "parallel_edits", what: "edits kept", unit: "count", cells: { ours: { count: 20 } } },
  ],
  faults: [{
    key: "fifo",
    title: "a pipe",
    verdicts: { ours: { verdict: "ok", note: "refused" }, desktop_commander: { verdict: "BAD", note: "hangs" } },
  }],
  tokenTasks: [{ task: "fix", ours: { calls: 1, tokens: 100 }, peer: { calls: 2, tokens: 1_000 } }],
  others: {
    http: { ownRun: null, rows: [{ what: "/health", figure: "9 ms", target: "<= 2 ms", holds: false }] },
    rag: { ownRun: "2025-12-24", rows: [{ what: "finding", figure: ".6", target: "reported", holds: true }] },
  },
};

Deno.test("the page shows figures, what is reached and what is not, in every table", () => {
  const lines = renderPerformance(REPORT).split("\n");
  const line = (start: string) => lines.find((line) => line.startsWith(start)) ?? "";
  assert.equal(
    line("| start "),
    "| start | 200 / 250 / 300 | 1,900 / 2,000 / 2,100 | 30.0 / 40.0 / 50.0 (echo) | " +
      "≤ 200 ms; ≤ 0.2 × Desktop Commander; ≤ 0.8 × server-filesystem | **no**: ≤ 200 ms |",
  );
  assert.equal(line("| evaluate | 4.00"), "| evaluate | 4.00 / 5.00 / 6.00 | failed | – | ≤ 10 ms | yes |");
  assert.equal(line("| edits kept "), "| edits kept | 20 | 20 | yes |");
  assert.equal(line("| a pipe "), "| a pipe | ok, refused | **BAD**, hangs |");
  assert.equal(line("| **rows wrong** "), "| **rows wrong** | **0** | **1** |");
  assert.equal(line("| fix "), "| fix | 100 (1) | 1,000 (2) | 10.0 % |");
  assert.equal(line("| /health "), "| /health | 9 ms | <= 2 ms | **no** |");
  assert.deepEqual(lines.filter((line) => line.startsWith("Of a run")), ["Of a run of its own, on 2025-12-24."]);
  const missed = lines.slice(lines.findIndex((line) => line.startsWith("## Not reached"))).join("\n");
  assert.match(missed, /- start: ≤ 200 ms\n- \/health: <= 2 ms/);
});

Deno.test("the page says when the machine was busy, and which peers are missing", () => {
  assert.doesNotMatch(renderPerformance(REPORT), /busy/);
  const machine: Report["machine"] = { ...REPORT.machine, load: [1, 7] };
  const busy = renderPerformance({ ...REPORT, machine });
  assert.match(busy, /busy \(load 1 before, 7 after\).*Times are high for everyone/);
  assert.match(busy, /Could not be had: other@1/);
  assert.match(renderPerformance({ ...REPORT, machine: { ...machine, priority: true } }), /servers went before them/);
});

Deno.test("results of other benchmarks are taken in as they stand, and what is no row is left out", async () => {
  const outcome = (server: string, tokens: number) => ({
    task: "fix",
    server,
    cost: { listTokens: tokens, callTokens: 1, resultTokens: 2, calls: 3 },
  });
  await using tree = await tempTree({
    "http.json": JSON.stringify({
      at: "2026-01-02T03:04:05.678Z",
      rows: [{ what: "a", figure: "1", target: "2", holds: true, values: {} }, { what: 3 }],
    }),
    "bench.json": JSON.stringify({ rows: [{ what: "own", figure: "", target: "", holds: true }] }),
    "tokens.json": JSON.stringify({ outcomes: [outcome("desktopCommander", 100), outcome("ours", 10)] }),
  });
  const folder = new URL(`file://${tree.root}/`);
  const rows = [{ what: "a", figure: "1", target: "2", holds: true }];
  assert.deepEqual(await foreignTables(folder, new Set()), { http: { ownRun: "2026-01-02", rows } });
  assert.deepEqual(await foreignTables(folder, new Set(["http.json"])), { http: { ownRun: null, rows } });
  assert.deepEqual(await tokenTasks(folder), [{
    task: "fix",
    ours: { calls: 3, tokens: 13 },
    peer: { calls: 3, tokens: 103 },
  }]);
  assert.deepEqual(await foreignTables(new URL("missing/", folder), new Set()), {});
});
