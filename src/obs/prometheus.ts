/** Formats metrics for Prometheus. Source: "Exposition formats", version 0.0.4. @module */

/** One value; `suffix` as in `_bucket`. */
export interface Sample {
  readonly suffix?: "_bucket" | "_sum" | "_count";
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of one metric. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** What the answer to a scrape declares itself to be. */
export const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** All families that have samples, as text. */
export function expose(families: readonly Family[]): string {
  return families.filter(({ samples }) => samples.length > 0).map(exposeFamily).join("");
}

function exposeFamily({ name, help, type, samples }: Family): string {
  const lines = samples.map(({ suffix = "", labels = {}, value }) =>
    `${name}${suffix}${exposeLabels(labels)} ${number(value)}`
  );
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function exposeLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeHelp(value).replaceAll('"', '\\"')}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function number(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}
