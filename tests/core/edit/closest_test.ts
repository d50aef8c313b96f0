import assert from "node:assert/strict";
import { findClosest } from "../../../src/core/edit/closest_block.ts";
import { compareLines, reportClosest } from "../../../src/core/edit/closest_report.ts";
import { runSliced, type SlicedWork } from "../../../src/core/edit/sliced.ts";

/** Two megabytes of similar lines with one block in the middle. */
function largeText(block: string): string {
  const lines = Array.from(
    { length: 45_000 },
    (_, n) => `  const value${n} = compute(${n * 7 % 1000}, "item ${n % 97}");`,
  );
  lines.splice(30_000, 0, ...block.split("\n"));
  return lines.join("\n");
}

/** On a machine that stands still for a moment the usual time would be up. */
const UNHURRIED = { budgetMs: Infinity };

Deno.test("findClosest finds a block with other white space in two megabytes, and timers go on meanwhile", async () => {
  const text = largeText("function add(a, b) {\n\treturn a + b;\n}");
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const work = findClosest(text, "function add(a,b) {\n    return a+b\n}\n");
  const closest = await runSliced(work, UNHURRIED);
  clearInterval(timer);
  assert(closest !== null);
  assert.equal(text.slice(closest.start, closest.end), "function add(a, b) {\n\treturn a + b;\n}");
  assert(ticks >= 2, `${ticks} ticks`);
});

Deno.test("findClosest finds its block whatever line it begins with, and also within one very long line", async () => {
  const cases = [
    ["one\ntwo words here\nthree\nfour", "two word here\n three", "two words here\nthree"],
    ["a();\n\n\nif (x) {\n  y();\n}\n", "if (x) {\n y()\n}", "if (x) {\n  y();\n}"],
  ] as const;
  for (const [text, wanted, found] of cases) {
    const closest = await runSliced(findClosest(text, wanted), UNHURRIED);
    assert.equal(closest && text.slice(closest.start, closest.end), found);
  }
  const long = `${"x=1;".repeat(5_000)}function foo(){return bar(1,2,3)}${"x=1;".repeat(5_000)}`;
  const closest = await runSliced(findClosest(long, "function foo() { return baz(1,2,3); }"), UNHURRIED);
  assert(
    closest !== null && closest.end - closest.start <= 160 &&
      long.slice(closest.start, closest.end).includes("return bar"),
  );
  assert.equal(await runSliced(findClosest("abc", " \n")), null);
});

Deno.test("runSliced ends work at its budget and at its signal, with the best so far", async () => {
  function* endless(): SlicedWork<number> {
    let count = 0;
    while (!(yield)) count++;
    return count;
  }
  const startMs = performance.now();
  assert(await runSliced(endless(), { budgetMs: 30, sliceMs: 3 }) > 0);
  assert(await runSliced(endless(), { budgetMs: 60_000, signal: AbortSignal.timeout(20) }) > 0);
  assert(performance.now() - startMs < 5_000);
});

Deno.test("compareLines marks what differs within a line and shows white space there", () => {
  const wanted = ["function add(a,b) {", "    return a", "}"];
  assert.equal(
    compareLines(wanted, ["function add(a, b) {", "\treturn a", "}"], 40),
    "40: function add(a,{+ +}b) {\n41: {-    -}{+\\t+}return a",
  );
  assert.equal(compareLines(["a", "gone", "c"], ["a", "c", "come"], 7), "- gone\n+9 come");
  assert.equal(compareLines(["return a + b;"], ["// sum", "return a + c;"], 1), "+1 // sum\n2: return a + {-b-}{+c+};");
});

Deno.test("compareLines stays short for long lines and many of them", () => {
  const long = compareLines([`${"x".repeat(4_000)}1${"y".repeat(4_000)}`], [
    `${"x".repeat(4_000)}2${"y".repeat(4_000)}`,
  ], 1);
  assert.equal(long, `1: …${"x".repeat(30)}{-1-}{+2+}${"y".repeat(30)}…`);
  const many = compareLines(Array.from({ length: 500 }, (_, n) => `old ${n} ${"o".repeat(50)}`), ["new"], 1);
  assert(many.length < 1_000 && /more lines differ\)$/.test(many), many);
});

Deno.test("reportClosest names the lines and never claims that they are the same", () => {
  const report = reportClosest("a\nb\nc\n", { start: 2, end: 5, alike: 1 }, "b\nc");
  assert.deepEqual([report.lines, report.alikePercent], ["2-3", 99]);
});
