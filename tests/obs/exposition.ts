/** A strict parser of the Prometheus text format, which refuses what promtool's `check metrics` refuses. @module */
import assert from "node:assert/strict";

/** One line. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric. */
export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly samples: ParsedSample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;

/** Reads an exposition. @throws AssertionError where it breaks a rule. */
export function parseExposition(text: string): ParsedFamily[] {
  assert.ok(text === "" || text.endsWith("\n"), "the last line ends");
  const families: ParsedFamily[] = [];
  let help: string | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const [, helpName] = line.match(new RegExp(`^# HELP (${NAME}) \\S.*$`)) ?? [];
    const [, typeName, type] = line.match(new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`)) ?? [];
    if (helpName !== undefined) help = helpName;
    else if (typeName !== undefined && type !== undefined) {
      assert.equal(help, typeName, "HELP stands before TYPE");
      assert.ok(!families.some(({ name }) => name === typeName), `${typeName} is one block`);
      families.push({ name: typeName, type, samples: [] });
    } else addSample(families.at(-1), line);
  }
  families.forEach(checkFamily);
  return families;
}

function addSample(family: ParsedFamily | undefined, line: string): void {
  const match = line.match(new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\+Inf|-Inf|NaN|-?[0-9.]+(?:e[+-]?[0-9]+)?)$`));
  assert.ok(family && match, `a sample: ${line}`);
  const [, name = "", labels = "", value = ""] = match;
  const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  assert.ok(suffixes.some((suffix) => name === family.name + suffix), `${name} belongs to ${family.name}`);
  family.samples.push({ name, labels: parseLabels(labels), value: value === "+Inf" ? Infinity : Number(value) });
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let read = 0;
  while (read < text.length) {
    const match = LABEL.exec(text);
    assert.ok(match, `labels: ${text}`);
    const [whole, name = "", value = ""] = match;
    assert.ok(!(name in labels), `${name} once`);
    labels[name] = value.replace(/\\(.)/g, (_, character) => character === "n" ? "\n" : character);
    read += whole.length;
  }
  return labels;
}

function checkFamily({ name, type, samples }: ParsedFamily): void {
  assert.equal(name.endsWith("_total"), type === "counter", `${name}: counters and only they end in _total`);
  const keys = samples.map((sample) => sample.name + JSON.stringify(Object.entries(sample.labels).sort()));
  assert.equal(new Set(keys).size, keys.length, `${name} has each series once`);
  if (type === "counter") { for (const { value } of samples) assert.ok(value >= 0); }
  if (type === "histogram") checkHistogram(name, samples);
}

function checkHistogram(name: string, samples: readonly ParsedSample[]): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...rest } }) => JSON.stringify(rest));
  for (const [labels, own] of series) {
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
    const count = own.find((sample) => sample.name === `${name}_count`)?.value;
    assert.ok(own.some((sample) => sample.name === `${name}_sum`), `${name}${labels} has a sum`);
    assert.equal(buckets.at(-1)?.labels.le, "+Inf", `${name}${labels} ends with +Inf`);
    assert.equal(buckets.at(-1)?.value, count, `${name}${labels}: +Inf is the count`);
    const bounds = buckets.map(({ labels: { le = "" } }) => le === "+Inf" ? Infinity : Number(le));
    assert.deepEqual(bounds, bounds.toSorted((left, right) => left - right));
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(counts, counts.toSorted((left, right) => left - right), `${name}${labels} does not decrease`);
  }
}
