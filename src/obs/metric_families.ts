/** Describes the counters as Prometheus metrics: names, units and help texts. @module */
import { type Counts, type GaugeName, readGauges, type Tally } from "./counts.ts";
import type { Family, Sample } from "./prometheus.ts";

type Labels = Readonly<Record<string, string>>;

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const LEVELS = ["full", "landlock", "bwrap", "none"];

const GAUGES: Readonly<Record<GaugeName, readonly [name: string, help: string]>> = {
  children_running: ["llmc_children_running", "Programs that tools started and that still run."],
  processes_running: ["llmc_processes_running", "Of these, the long-lived ones of linux_proc_start."],
  sessions_active: ["llmc_sessions_active", "MCP sessions over HTTP."],
  http_requests_in_flight: ["llmc_http_requests_in_flight", "Requests that were not answered yet."],
  handles: ["llmc_handles", "Results kept behind handles."],
  handle_bytes: ["llmc_handle_bytes", "Bytes of these results."],
  index_files: ["llmc_index_files", "Files in the search index."],
  index_fresh: ["llmc_index_fresh", "1 when the search index is up to date, else 0."],
  memory_bytes: ["process_resident_memory_bytes", "Memory of the process."],
};

/** Every metric, in the order in which it is shown. */
export function collectFamilies(counts: Counts): Family[] {
  const { tools, routes } = counts;
  return [
    gauge("llmc_build_info", "The version that runs.", [{ labels: { version: counts.version }, value: 1 }]),
    gauge("process_start_time_seconds", "Start of the process since 1970.", [{ value: counts.startedMs / 1_000 }]),
    gauge("llmc_sandbox_level", "1 for the confinement in force.", sandboxSamples(counts.sandboxLevel)),
    histogram("llmc_tool_duration_seconds", "Duration of tool calls.", tools, "tool"),
    counter("llmc_tool_errors_total", "Tool calls that failed, by error code.", errorSamples(tools)),
    counter("llmc_tool_truncated_total", "Results that were cut.", perTool(tools, ({ truncated }) => truncated)),
    counter("llmc_tokens_in_total", "Estimated tokens of arguments.", perTool(tools, ({ tokensIn }) => tokensIn)),
    counter("llmc_tokens_out_total", "Estimated tokens of results.", perTool(tools, ({ tokensOut }) => tokensOut)),
    histogram("llmc_http_request_duration_seconds", "Duration of HTTP requests.", routes, "route"),
    counter("llmc_http_requests_total", "HTTP requests.", requestSamples(routes)),
    counter("llmc_auth_failures_total", "Requests refused for their token, Host or Origin.", [
      ...labelled(counts.authFailures, "reason", ["token", "host", "origin"]),
    ]),
    counter("llmc_rate_limited_total", "Requests turned away by a limit.", [
      ...labelled(counts.rateLimited, "limit", ["rate", "concurrency", "sessions"]),
    ]),
    counter("llmc_store_failures_total", "Results and records of calls that could not be stored.", [
      ...labelled(counts.storeFailures, "kind", ["result", "record"]),
    ]),
    ...readGauges(counts.gauges).map(([name, value]) => gauge(...GAUGES[name], [{ value }])),
  ];
}

const gauge = (name: string, help: string, samples: Sample[]): Family => ({ name, help, type: "gauge", samples });
const counter = (name: string, help: string, samples: Sample[]): Family => ({ name, help, type: "counter", samples });

function histogram(name: string, help: string, tallies: ReadonlyMap<string, Tally>, label: string): Family {
  const samples = [...tallies].flatMap(([value, { durations }]): Sample[] => {
    const labels: Labels = { [label]: value };
    const counts = durations.atMost(BUCKETS.map((seconds) => seconds * 1_000));
    return [
      ...BUCKETS.map((bound, index): Sample => bucket(labels, String(bound), counts[index] ?? 0)),
      bucket(labels, "+Inf", durations.count),
      { suffix: "_sum", labels, value: durations.sumMs / 1_000 },
      { suffix: "_count", labels, value: durations.count },
    ];
  });
  return { name, help, type: "histogram", samples };
}

function bucket(labels: Labels, le: string, value: number): Sample {
  return { suffix: "_bucket", labels: { ...labels, le }, value };
}

function perTool(tools: ReadonlyMap<string, Tally>, read: (tally: Tally) => number): Sample[] {
  return [...tools].map(([tool, tally]) => ({ labels: { tool }, value: read(tally) }));
}

function errorSamples(tools: ReadonlyMap<string, Tally>): Sample[] {
  return [...tools].flatMap(([tool, { outcomes }]) =>
    [...outcomes].map(([code, value]) => ({ labels: { tool, code }, value }))
  );
}

function requestSamples(routes: ReadonlyMap<string, Tally>): Sample[] {
  return [...routes].flatMap(([route, { outcomes }]) =>
    [...outcomes].map(([outcome, value]) => {
      const [method = "", status = ""] = outcome.split(" ");
      return { labels: { route, method, status }, value };
    })
  );
}

/** The known values are there from the start, at 0, so that an alert on a first failure sees an increase. */
function labelled(counts: ReadonlyMap<string, number>, label: string, known: readonly string[]): Sample[] {
  return known.map((value) => ({ labels: { [label]: value }, value: counts.get(value) ?? 0 }));
}

function sandboxSamples(level: string): Sample[] {
  return LEVELS.map((known) => ({ labels: { level: known }, value: Number(known === level) }));
}
