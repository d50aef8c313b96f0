import assert from "node:assert/strict";
import { makeMetrics } from "../../src/obs/metrics.ts";
import { parseExposition } from "./exposition.ts";

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const file = new URL("../../deploy/grafana-dashboard.json", import.meta.url);
const { panels }: { panels: Panel[] } = JSON.parse(Deno.readTextFileSync(file));

/** Metric names to the labels of their samples, of a server that has done everything once. */
function knownLabels(): Map<string, Set<string>> {
  const metrics = makeMetrics({ enabled: true, now: () => 0 });
  const call = { tool: "t", durationMs: 1, errorCode: "TIMEOUT", tokensIn: 1, tokensOut: 1, truncated: true };
  metrics.toolCall(call);
  metrics.httpRequest({ route: "/", method: "GET", status: 200, durationMs: 1 });
  const gauges = [
    "children_running",
    "processes_running",
    "sessions_active",
    "http_requests_in_flight",
    "handles",
  ] as const;
  const others = ["handle_bytes", "index_files", "index_fresh", "memory_bytes"] as const;
  for (const name of [...gauges, ...others]) metrics.gauge(name, () => 1);
  const samples = parseExposition(metrics.exposition().text).flatMap((family) => family.samples);
  return new Map(samples.map(({ name, labels }) => [name, new Set(Object.keys(labels))]));
}

Deno.test("every metric and label that the dashboard asks for is there", () => {
  const known = knownLabels();
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const names = expr.match(/\b(?:llmc|process)_\w+/g) ?? [];
      assert.equal(names.length, 1, title);
      const labels = known.get(names[0] ?? "");
      assert.ok(labels, `${title}: ${names[0]}`);
      const [, grouped = ""] = expr.match(/ by \(([^)]*)\)/) ?? [];
      for (const label of grouped.split(", ").filter(Boolean)) assert.ok(labels.has(label), `${title}: ${label}`);
    }
  }
});

Deno.test("every counter and histogram has a panel, and no two panels overlap", () => {
  const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(" ");
  for (const name of knownLabels().keys()) {
    if (/_(total|bucket)$/.test(name)) assert.ok(asked.includes(name), name);
  }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + cell % w} ${y + Math.floor(cell / w)}`)
  );
  assert.equal(new Set(cells).size, cells.length);
});
