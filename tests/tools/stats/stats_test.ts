import assert from "node:assert/strict";
import { OpsError } from "../../../src/core/error.ts";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { getMetrics } from "../../../src/tools/stats/get_metrics.ts";
import { mcpRecentCalls } from "../../../src/tools/stats/recent_calls.ts";
import { mcpUsageStats } from "../../../src/tools/stats/usage_stats.ts";
import { callOf, withDirectory } from "../../store/support.ts";
import { NOW, openBench } from "./support.ts";

const code = (expected: string) => (error: unknown) => error instanceof OpsError && error.code === expected;
const LABELS = { agent_id: "claude-desktop-mcp", session_id: "s1", model: "unknown" };
const SECOND = 1_000, DAY = 86_400_000;

Deno.test(
  "linux.mcp_usage_stats gives count, errors, p50 and p95 by tool over the window",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    for (let index = 1; index <= 20; index++) {
      bench.calls.record(
        callOf({ timeMs: NOW - index * SECOND, durationMs: index, status: index === 3 ? "error" : "ok" }),
      );
    }
    bench.calls.record(callOf({ tool: "run_cmd", timeMs: NOW - 3_599 * SECOND, durationMs: 250.4 }));
    bench.calls.record(callOf({ tool: "run_cmd", timeMs: NOW - 3_601 * SECOND, durationMs: 9_999 }));
    const { result, text } = await bench.call(mcpUsageStats, {});
    assert.deepEqual(result, {
      tools: {
        linux_fs_read: { count: 20, p50_ms: 10, p95_ms: 19, errors: 1 },
        run_cmd: { count: 1, p50_ms: 250, p95_ms: 250, errors: 0 },
      },
      window_seconds: 3_600,
    });
    assert.equal(
      text,
      "calls errors p50_ms p95_ms tool (last 3600 s)\n20 1 10 19 linux_fs_read\n1 0 250 250 run_cmd",
    );
  }),
);

Deno.test(
  "linux.mcp_usage_stats takes a prefix in either form and bounds the window",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    for (const tool of ["linux_fs_read", "linux_proc_list", "run_cmd"]) {
      bench.calls.record(callOf({ tool, timeMs: NOW }));
    }
    for (const tool_prefix of ["linux.fs_", "linux_fs", "linux.fs_read"]) {
      const { result } = await bench.call(mcpUsageStats, { tool_prefix });
      assert.deepEqual(Object.keys(result.tools), ["linux_fs_read"], tool_prefix);
    }
    assert.equal((await bench.call(mcpUsageStats, { tool_prefix: "x" })).text, "No calls in the last 3600 s.");
    await assert.rejects(bench.call(mcpUsageStats, { window_seconds: 60.5 }), code("INVALID_ARGUMENT"));
    for (const [window_seconds, most] of [[59, 60], [86_401, 86_400]] as const) {
      assert.equal(
        (await bench.call(mcpUsageStats, { window_seconds, tool_prefix: "x" })).text,
        `No calls in the last ${most} s.`,
      );
    }
  }),
);

Deno.test(
  "linux.mcp_recent_calls gives redacted records, newest first",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    bench.calls.record(callOf({ timeMs: NOW - DAY, argsSummary: "" }));
    bench.calls.record(callOf({ timeMs: NOW - 5 * SECOND, durationMs: 1.26 }));
    bench.calls.record(
      callOf({ tool: "run_cmd", timeMs: NOW, status: "error", errorCode: "TIMEOUT", durationMs: 30_000 }),
    );
    const { result, text } = await bench.call(mcpRecentCalls, {});
    assert.deepEqual(result.records.slice(0, 2), [
      {
        tool: "run_cmd",
        args_summary: "path=a.ts",
        status: "error",
        error_code: "TIMEOUT",
        duration_ms: 30_000,
        timestamp_iso: "2026-05-06T12:00:30.000Z",
        ...LABELS,
      },
      {
        tool: "linux_fs_read",
        args_summary: "path=a.ts",
        status: "ok",
        duration_ms: 1,
        timestamp_iso: "2026-05-06T12:00:25.000Z",
        ...LABELS,
      },
    ]);
    assert.equal(
      text,
      [
        "2026-05-06 UTC",
        "12:00:30 TIMEOUT 30000ms run_cmd path=a.ts",
        "12:00:25 ok 1ms linux_fs_read path=a.ts",
        "2026-05-05 UTC",
        "12:00:30 ok 1ms linux_fs_read",
      ].join("\n"),
    );
  }),
);

Deno.test(
  "linux.mcp_recent_calls says who called, where there are several, and gives no whole session id away",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    const sessionId = crypto.randomUUID();
    bench.calls.record(callOf({ timeMs: NOW - SECOND, agentId: "smith", sessionId, model: "m-1", argsSummary: "" }));
    bench.calls.record(callOf({ timeMs: NOW, agentId: "jones" }));
    const { result, text } = await bench.call(mcpRecentCalls, {});
    const [, first] = result.records;
    assert.deepEqual([first?.agent_id, first?.model, first?.session_id], ["smith", "m-1", `${sessionId.slice(0, 8)}…`]);
    assert.match(text, /linux_fs_read path=a\.ts @jones\n.* linux_fs_read @smith$/);
  }),
);

Deno.test(
  "linux.mcp_recent_calls picks by name, prefix, number and age",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    const names = ["linux_fs_read", "linux_fs_list", "run_cmd"];
    for (let index = 0; index < 300; index++) {
      bench.calls.record(callOf({ tool: names[index % 3] ?? "", timeMs: NOW - index * SECOND }));
    }
    const ask = async (args: object) => (await bench.call(mcpRecentCalls, args)).result.records;
    assert.equal((await ask({})).length, 50);
    assert.equal((await ask({ max_results: 200 })).length, 200);
    assert.deepEqual(
      new Set((await ask({ tool_name: "linux.fs_*" })).map(({ tool }) => tool)),
      new Set(names.slice(0, 2)),
    );
    assert.deepEqual((await ask({ tool_name: "run_cmd", max_results: 2 })).map(({ tool }) => tool), [
      "run_cmd",
      "run_cmd",
    ]);
    assert.equal((await ask({ tool_name: "run_cmd", window_seconds: 30 })).length, 10);
    for (
      const args of [{ max_results: 1.5 }, { tool_name: "" }, { window_seconds: "x" }, { window_seconds: {} }]
    ) {
      await assert.rejects(ask(args), code("INVALID_ARGUMENT"));
    }
  }),
);

Deno.test(
  "no record is an answer, not an error",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    assert.deepEqual((await bench.call(mcpRecentCalls, {})).result, { records: [] });
    assert.equal((await bench.call(mcpRecentCalls, {})).text, "No calls.");
    assert.deepEqual((await bench.call(mcpUsageStats, {})).result, { tools: {}, window_seconds: 3_600 });
  }),
);

Deno.test(
  "records that cannot be read are STATS_BACKEND_UNAVAILABLE",
  withDirectory(async (directory) => {
    await Deno.writeTextFile(`${directory}/data`, "a file where the directory should be");
    using bench = openBench(`${directory}/data`);
    await assert.rejects(bench.call(mcpRecentCalls, {}), code("STATS_BACKEND_UNAVAILABLE"));
    await assert.rejects(bench.call(mcpUsageStats, {}), code("STATS_BACKEND_UNAVAILABLE"));
  }),
);

Deno.test(
  "statistics cost a model half of what their JSON costs",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    for (let index = 0; index < 600; index++) {
      bench.calls.record(callOf({ tool: `linux_tool_${index % 30}`, timeMs: NOW - index, durationMs: index % 200 }));
    }
    for (const answer of [await bench.call(mcpUsageStats, {}), await bench.call(mcpRecentCalls, { max_results: 20 })]) {
      const lean = estimateTokens(answer.text), full = estimateTokens(JSON.stringify(answer.result));
      assert.ok(lean <= full / 2, `${lean} of ${full}`);
    }
  }),
);

Deno.test(
  "get_metrics gives what was counted since the start",
  withDirectory(async (dataDir) => {
    using bench = openBench(dataDir);
    bench.metrics.toolCall({
      tool: "run_cmd",
      durationMs: 12,
      errorCode: "TIMEOUT",
      tokensIn: 5,
      tokensOut: 50,
      truncated: true,
    });
    bench.metrics.gauge("children_running", () => 2);
    const { result } = await bench.call(getMetrics, {});
    assert.deepEqual(result.tools, { run_cmd: { count: 1, errors: 1, p50_ms: 12, p95_ms: 12, p99_ms: 12 } });
    assert.deepEqual([result.errors, result.tokens], [{ TIMEOUT: 1 }, { in: 5, out: 50 }]);
    assert.deepEqual([result.truncated, result.gauges], [1, { children_running: 2 }]);
  }),
);

for (const key of ["enabled", "metrics_enabled"] as const) {
  Deno.test(
    `get_metrics names the setting when ${key} is false`,
    withDirectory(async (dataDir) => {
      using bench = openBench(dataDir, { [key]: false });
      await assert.rejects(bench.call(getMetrics, {}), (error) => {
        assert.ok(code("FEATURE_DISABLED")(error) && error instanceof OpsError);
        assert.match(error.hint, new RegExp(`mcp\\.observability\\.${key} = false`));
        return true;
      });
    }),
  );
}
