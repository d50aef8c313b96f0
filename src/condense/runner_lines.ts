/** Recognises the lines that test runners print besides failures: headings, progress, passed tests, their own frames. @module */

/** One row for each runner; a line that none of them matches was printed by something else. */
const OWN: readonly RegExp[] = [
  /^\s*$|^\s*[-=_⎯─~*]{3,}\s*(?:\[\d+\/\d+\]⎯*)?$/,
  // pytest
  /^={3,} .* ={3,}$|^_{2,} .* _{2,}$|^(?:_ ){4,}|^-{3,} Captured .* -{3,}$/,
  /^(?:platform |rootdir: |plugins: |cachedir: |configfile: |testpaths: |collect(?:ed|ing) |hypothesis profile |benchmark: \d|asyncio: |timeout: |using --random|bringing up nodes|-- Docs: |created: \d|\d+ workers \[)/,
  /^(?:\S+\.py )?[.FEsxXR]+\s*(?:\[ *\d+%\])?$|^(?:\[gw\d+\] )?(?:\[ *\d+%\] )?(?:\S+::.* )?(?:PASSED|FAILED|SKIPPED|ERROR|XPASS|XFAIL)\b/,
  /^Hint: make sure your test modules|^!{3,} .* !{3,}$|^[\d.]+s (?:call|setup|teardown) |^\(\d+ durations? < /,
  // unittest
  /^\w+ \(.*\) \.\.\. |^Ran \d+ tests? in |^(?:OK|FAILED)(?: \(.*\))?$|^(?:FAIL|ERROR): /,
  // jest, vitest, mocha, node --test
  /^\s*[✓✔✕✖✗×○✎√▶﹣ℹ↓●❯] ?|^\s*→ |^(?:PASS|FAIL) |^(?:Test Suites|Tests|Snapshots|Time): |^Ran all test suites/,
  /^\s(?:RUN |FAIL |Test Files |\s+(?:Tests|Start at|Duration|Type Errors|Errors)\s{2})|^\s+Test Files /,
  /^\s+(?:Tests|Start at|Duration|Transform|Setup|Collect) {2}/,
  /^TAP version|^\s*# (?:Subtest: |tests |suites |pass |fail |cancelled |skipped |todo |duration_ms )|^\s*(?:not )?ok \d+\b|^\s*\d+\.\.\d+$/,
  /^\s*(?:---|\.\.\.)$|^\s*(?:duration_ms|type|location|failureType|error|code|name|expected|actual|operator|stack|generatedMessage|diff)\b:|^\s*[{}][,;]?$/,
  /^test at \S+:\d+:\d+$|^⎯+ Failed (?:Tests|Suites) \d+ ⎯+$/,
  /^\s+\d+ (?:passing \(.+\)|failing|pending)$|^\s+\d+\) \S|^\s+- \S/,
  // deno
  /^running \d+ tests? from |^.* \.\.\. (?:.*\b)?(?:ok|FAILED|ignored|cancelled)\b.*$|^.* \.\.\.$|^ (?:ERRORS|FAILURES) $| => \S+:\d+:\d+$|^Check \S+$/,
  /^-+ (?:pre-test output|output|pre-test output end|output end) -+$|^(?:ok|FAILED) \| \d+ passed|^error: Test failed$|^Stack backtrace:$/,
  // cargo
  /^running \d+ tests?$|^test .* \.\.\. |^failures:$|^test result: |^ {4}[\w:]+$|^note: |^stack backtrace:$|^\s+(?:Running|Doc-tests|Compiling|Finished|Blocking) /,
  /^error: (?:test failed|\d+ target failed)/,
  // go
  /^=== (?:RUN|PAUSE|CONT|NAME)|^\s*--- (?:PASS|FAIL|SKIP): |^(?:ok|FAIL|PASS|\?)(?:\s|$)|^coverage: /,
  // frames
  /^\s+at |^\s+\d+: \S|^\s+(?:new (?:Promise|SafePromise)|Array\.\w+|async Promise|node:\S+|[\w.]+ \(node:)/,
];
/** A longer line is not looked at: but for rows of progress marks no runner prints one. */
const LONGEST = 2_000;
const PROGRESS = /^[.FEsxXRu]+$/;

/** Lines that no runner prints and that no failure holds, in their order. */
export function unrecognisedLines(lines: readonly string[], known: Iterable<string>): string[] {
  const told = new Set(Array.from(known, (line) => line.trim()));
  return lines.filter((line, i) =>
    line.length > LONGEST && !PROGRESS.test(line) ||
    !told.has(line.trim()) && !PROGRESS.test(line) && !OWN.some((own) => own.test(line)) && !isHeading(lines, i)
  );
}

/** The name of a suite: the next line is a test of it, indented deeper. */
function isHeading(lines: readonly string[], at: number): boolean {
  const [line = "", next = ""] = [lines[at], lines[at + 1]];
  const depth = line.search(/\S/);
  return depth >= 0 && next.search(/\S/) > depth &&
    (/^\s+(?:[✓✔✕✖✗×○√]|\d+\) |- )/.test(next) || isHeading(lines, at + 1));
}
