import assert from "node:assert/strict";
import { makeMetrics, type Metrics } from "../../src/obs/metrics.ts";
import { type ParsedFamily, parseExposition } from "./exposition.ts";

const START = Date.UTC(2026, 4, 6);

function counted(use: (metrics: Metrics) => void, enabled = true): Metrics {
  let now = START;
  const metrics = makeMetrics({ enabled, now: () => now });
  now += 90_000;
  use(metrics);
  return metrics;
}

const call = { tool: "linux_fs_read", durationMs: 3, errorCode: null, tokensIn: 10, tokensOut: 100, truncated: false };
const request = { route: "/tool", method: "POST", status: 200, durationMs: 12 };

function use(metrics: Metrics): void {
  for (let durationMs = 1; durationMs <= 100; durationMs++) metrics.toolCall({ ...call, durationMs });
  metrics.toolCall({ ...call, tool: "run_cmd", durationMs: 70_000, errorCode: "TIMEOUT", truncated: true });
  metrics.toolCall({ ...call, tool: "run_cmd", durationMs: 0.2, errorCode: "COMMAND_NOT_ALLOWED" });
  metrics.httpRequest(request);
  metrics.httpRequest({ ...request, method: 'BREW\n"x"', status: 405, durationMs: 0 });
  metrics.httpRequest({ ...request, route: "/health", method: "GET", durationMs: 1 });
  metrics.authFailed("token");
  metrics.authFailed("host");
  metrics.rateLimited("rate");
  metrics.sandboxLevel("landlock");
  metrics.gauge("children_running", () => 3);
  metrics.gauge("index_fresh", () => 1);
  metrics.gauge("handle_bytes", () => {
    throw new Error("the store is away");
  });
}

function families(metrics: Metrics): Map<string, ParsedFamily> {
  return new Map(parseExposition(metrics.exposition().text).map((family) => [family.name, family]));
}

function valueOf(metrics: Metrics, name: string, labels: Record<string, string> = {}): number | undefined {
  const samples = [...families(metrics).values()].flatMap((family) => family.samples);
  return samples.find((sample) =>
    sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  )?.value;
}

Deno.test("the exposition follows the text format to the letter", () => {
  const { text, contentType } = counted(use).exposition();
  assert.equal(contentType, "text/plain; version=0.0.4; charset=utf-8");
  assert.ok(parseExposition(text).length > 10);
});

Deno.test("the exposition of a server that did nothing yet is valid and has the failures at 0", () => {
  const metrics = counted(() => {});
  assert.equal(valueOf(metrics, "llmc_auth_failures_total", { reason: "token" }), 0);
  assert.equal(valueOf(metrics, "llmc_rate_limited_total", { limit: "rate" }), 0);
  assert.equal(valueOf(metrics, "process_start_time_seconds"), START / 1_000);
});

Deno.test("tool calls are counted by tool: durations, errors by code, tokens, cut results", () => {
  const metrics = counted(use);
  const read = { tool: "linux_fs_read" }, run = { tool: "run_cmd" };
  const buckets = (tool: string, ...bounds: string[]) =>
    bounds.map((le) => valueOf(metrics, "llmc_tool_duration_seconds_bucket", { tool, le }));
  assert.deepEqual(buckets("linux_fs_read", "0.001", "0.01", "0.05", "0.1", "60", "+Inf"), [1, 10, 50, 100, 100, 100]);
  assert.deepEqual(buckets("run_cmd", "0.001", "60", "+Inf"), [1, 1, 2]);
  assert.equal(valueOf(metrics, "llmc_tool_duration_seconds_sum", read), 5.05);
  assert.equal(valueOf(metrics, "llmc_tool_duration_seconds_count", read), 100);
  assert.equal(valueOf(metrics, "llmc_tool_errors_total", { ...run, code: "TIMEOUT" }), 1);
  assert.equal(valueOf(metrics, "llmc_tool_errors_total", read), undefined);
  assert.equal(valueOf(metrics, "llmc_tokens_in_total", read), 1_000);
  assert.equal(valueOf(metrics, "llmc_tokens_out_total", read), 10_000);
  assert.equal(valueOf(metrics, "llmc_tool_truncated_total", run), 1);
});

Deno.test("requests are counted by route, and a client cannot invent label values", () => {
  const metrics = counted(use);
  assert.equal(valueOf(metrics, "llmc_http_requests_total", { route: "/tool", method: "POST", status: "200" }), 1);
  assert.equal(valueOf(metrics, "llmc_http_requests_total", { route: "/tool", method: "other", status: "405" }), 1);
  assert.equal(valueOf(metrics, "llmc_http_request_duration_seconds_count", { route: "/tool" }), 2);
});

Deno.test("the sandbox level is one of four, the others are 0", () => {
  const metrics = counted(use);
  const levels = ["full", "landlock", "bwrap", "none"];
  assert.deepEqual(levels.map((level) => valueOf(metrics, "llmc_sandbox_level", { level })), [0, 1, 0, 0]);
});

Deno.test("gauges are read when somebody looks, and one that cannot be read is absent", () => {
  let running = 1;
  const metrics = counted((metrics) => {
    use(metrics);
    metrics.gauge("children_running", () => running);
  });
  assert.equal(valueOf(metrics, "llmc_children_running"), 1);
  running = 7;
  assert.equal(valueOf(metrics, "llmc_children_running"), 7);
  assert.equal(valueOf(metrics, "llmc_handle_bytes"), undefined);
  assert.deepEqual(metrics.snapshot().gauges, { children_running: 7, index_fresh: 1 });
});

Deno.test("the snapshot sums up for people", () => {
  const snapshot = counted(use).snapshot();
  assert.deepEqual(snapshot.tools, {
    linux_fs_read: { count: 100, errors: 0, p50_ms: 50, p95_ms: 95, p99_ms: 99 },
    run_cmd: { count: 2, errors: 2, p50_ms: 0.2, p95_ms: 70_000, p99_ms: 70_000 },
  });
  assert.deepEqual(snapshot.errors, { TIMEOUT: 1, COMMAND_NOT_ALLOWED: 1 });
  assert.deepEqual(snapshot.tokens, { in: 1_020, out: 10_200 });
  assert.deepEqual(snapshot.http, {
    requests: 3,
    auth_failures: 2,
    rate_limited: 1,
    p50_ms: 1,
    p95_ms: 12,
    p99_ms: 12,
  });
  assert.deepEqual([snapshot.uptime_s, snapshot.truncated, snapshot.sandbox_level], [90, 1, "landlock"]);
});

Deno.test("switched off, nothing is counted", () => {
  const metrics = counted(use, false);
  assert.deepEqual([metrics.snapshot().tools, metrics.snapshot().http.requests], [{}, 0]);
  assert.equal(valueOf(metrics, "llmc_tool_duration_seconds_count"), undefined);
});
