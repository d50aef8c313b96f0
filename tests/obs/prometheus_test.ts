import assert from "node:assert/strict";
import { expose } from "../../src/obs/prometheus.ts";
import { parseExposition } from "./exposition.ts";

Deno.test("label values and help texts survive quotes, backslashes and line ends", () => {
  const labels = { evil: 'a"b\\c\nd{e="f"},', plain: "é😀" };
  const text = expose([{
    name: "x_total",
    help: "two\nlines \\ here",
    type: "counter",
    samples: [{ labels, value: 1 }],
  }]);
  assert.ok(text.startsWith("# HELP x_total two\\nlines \\\\ here\n# TYPE x_total counter\n"));
  assert.deepEqual(parseExposition(text)[0]?.samples, [{ name: "x_total", labels, value: 1 }]);
});

Deno.test("values are written as the format spells them", () => {
  const samples = [1e21, 1.5e-7, -0.25, Infinity, -Infinity, NaN].map((value, index) => ({
    labels: { index: String(index) },
    value,
  }));
  const lines = expose([{ name: "x", help: "h", type: "gauge", samples }]).split("\n").slice(2, -1);
  assert.deepEqual(lines.map((line) => line.split(" ")[1]), ["1e+21", "1.5e-7", "-0.25", "+Inf", "-Inf", "NaN"]);
});

Deno.test("a metric without samples is not mentioned", () => {
  assert.equal(expose([{ name: "x", help: "h", type: "gauge", samples: [] }]), "");
});

Deno.test("the reader of these tests refuses broken expositions", () => {
  const good = "# HELP x_total h\n# TYPE x_total counter\nx_total 1\n";
  parseExposition(good);
  for (
    const bad of [
      good.trimEnd(),
      good.replace("counter", "gauge"),
      good.replace("x_total 1", "y_total 1"),
      good.replace("x_total 1", 'x_total{a="1} 1'),
      good + "x_total 2\n",
      good + good,
      "x_total 1\n",
      '# HELP h h\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
      '# HELP h h\n# TYPE h histogram\nh_bucket{le="1"} 1\nh_sum 1\nh_count 1\n',
    ]
  ) assert.throws(() => parseExposition(bad), assert.AssertionError, bad);
});
