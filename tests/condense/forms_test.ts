/** Condensed forms of real outputs. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/core/tokens.ts";
import { enrich, type Enriched } from "../../src/condense/enrich.ts";
import { shapeOf } from "../../src/condense/json.ts";
import { fixture } from "./fixture.ts";

function of(name: string, budgetTokens = 8_000): Enriched {
  const result = enrich(fixture(name, budgetTokens));
  assert.ok(result, name);
  return result;
}

function run(command: string, stdout: string, budgetTokens = 8_000): Enriched | null {
  return enrich({ argv: ["bash", "-c", command], stdout, stderr: "", exitCode: 0, budgetTokens });
}

Deno.test("diff: names every file and its counts before the hunks when not all fit", () => {
  const result = of("git_diff", 1_200);
  const [, summary = ""] = result.text.split("\n");
  assert.match(summary, /^\[… 36 files \+\d+ -\d+: docs\/note_06\.md \+1 -0, /);
  assert.match(result.text, /lines? of \S+ left out\]/);
});

Deno.test("diff: every hunk is there when they fit", () => {
  const { stdout } = fixture("git_diff");
  const hunks = (text: string) => text.split("\n").filter((line) => line.startsWith("@@")).length;
  const changed = (text: string) => text.split("\n").filter((line) => /^[+-](?![+-])/.test(line));
  const result = of("git_diff");
  assert.equal(hunks(result.text), hunks(stdout));
  assert.deepEqual(changed(result.text), changed(stdout));
  assert.equal(result.truncated, false);
});

Deno.test("diff: files that programs write give their room to the others", () => {
  const file = (path: string, n: number) =>
    `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,${n} +1,${n} @@\n` +
    Array.from({ length: n }, (_, i) => `+added line ${i} of ${path}`).join("\n");
  const result = run("git diff", [file("package-lock.json", 900), file("src/a.ts", 60)].join("\n"), 2_000);
  assert.doesNotMatch(result?.text ?? "", /added line \d+ of package-lock/);
  assert.equal(result?.text.match(/added line \d+ of src\/a\.ts/g)?.length, 60);
  assert.match(result?.text ?? "", /package-lock\.json \+900 -0/);
});

Deno.test("diff: a removed line that begins with two dashes is no file", () => {
  const stdout = "diff --git a/q.sql b/q.sql\nindex 1..2\n--- a/q.sql\n+++ b/q.sql\n@@ -1,40 +1,1 @@\n" +
    Array.from({ length: 40 }, (_, i) => `--- old comment ${i} about the query`).join("\n") + "\n+++ new\n";
  assert.equal(run("git diff", stdout)?.matchCount, 1);
});

Deno.test("git log: one line for each commit's hash and date, then subject and body", () => {
  const result = of("git_log");
  assert.equal(result.matchCount, 26);
  assert.match(result.text, /^\[… hashes cut to ten digits; author of all: Ada Example/);
  assert.match(result.text, /^[0-9a-f]{10} Thu Feb 26 15:00:00 2026 \+0000\n Raise the limit of shipment to 125\n/m);
});

Deno.test("git log: bodies go before commits do, and the oldest commits before the newest", () => {
  const result = of("git_log", 500);
  assert.match(result.text, /Raise the limit of shipment to 125/);
  assert.doesNotMatch(result.text, /Start the shop|The old limit was hit/);
  assert.match(result.omitted, /^the \d+ oldest of 26 commits, \d+ message bodies$/);
});

Deno.test("git status: the state without the advice", () => {
  const { text } = of("git_status_dirty");
  assert.match(text, /renamed: {4}README\.md -> READ\.md/);
  assert.match(text, /new\.txt/);
  assert.doesNotMatch(text, /use "git/);
});

Deno.test("git blame: the commit once for all its lines, every line of code", () => {
  const { text } = of("git_blame");
  const { stdout } = fixture("git_blame");
  assert.equal(text.match(/^\d+ /gm)?.length, stdout.trim().split("\n").length);
  assert.ok(estimateTokens(text) < estimateTokens(stdout) / 2);
});

Deno.test("ps: kernel threads are counted and every other process is there with its columns", () => {
  const { text, matchCount } = of("ps_aux");
  assert.equal(matchCount, 80);
  assert.match(text, /^USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\n/);
  assert.match(text, /postgres: shop shop 127\.0\.0\.1\(40122\) idle/);
  assert.doesNotMatch(text, /kthreadd/);
  assert.match(text, /58 kernel threads left out/);
});

Deno.test("ss: listening sockets come first when not all fit", () => {
  const row = (state: string, port: number) =>
    `tcp        0      0 127.0.0.1:${port}          0.0.0.0:*               ${state}`;
  const rows = [...Array.from({ length: 200 }, (_, i) => row("TIME_WAIT", 40_000 + i)), row("LISTEN", 8080)];
  const stdout =
    `Active Internet connections\nProto Recv-Q Send-Q Local Address           Foreign Address         State\n${
      rows.join("\n")
    }\n`;
  const result = run("netstat -tan", stdout);
  assert.match(result?.text ?? "", /127\.0\.0\.1:8080 0\.0\.0\.0:\* LISTEN/);
  assert.match(result?.text ?? "", /\[… \d+ of 201 rows left out: TIME_WAIT \d+\]/);
});

Deno.test("du: the largest when not all fit", () => {
  const stdout = Array.from({ length: 400 }, (_, i) => `${(i * 37) % 400}\t./some/folder/number_${i}`).join("\n");
  const first = run("du -a", stdout)?.text.split("\n")[0];
  assert.match(first ?? "", /^399 \.\/some\/folder/);
});

Deno.test("docker: rows stay aligned, because cells may be empty; what does not fit is counted by state", () => {
  const header = "CONTAINER ID   IMAGE         STATUS       PORTS     NAMES";
  const rows = Array.from(
    { length: 90 },
    (_, i) => `aabbccdd00${i + 10}   postgres:15   Up 3 hours             db_${i}`,
  );
  const result = run("docker ps", [header, ...rows].join("\n"));
  assert.ok(result?.text.startsWith(`${header}\n${rows[0]}\n`));
  assert.match(result?.text ?? "", /\[… \d+ of 90 rows left out: Up \d+\]$/);
});

Deno.test("ls -l: columns that say nothing go first, then times, and names last of all", () => {
  const all = of("ls_lr");
  assert.match(all.text, /^\[… size and name; folders end in \/\]/);
  assert.match(of("ls_l").text, /^\[… names; folders end in \/, links in @\]\n\.\/ \.\.\/ /);
  const few = fixture("ls_l").stdout.split("\n").slice(0, 30).join("\n");
  assert.match(run("ls -la", few)?.text ?? "", /^\[… without link counts; owner of all: root root\]\ndrwxr-xr-x \d+ /);
});

Deno.test("find: names under their folder; counts by folder when there are too many", () => {
  assert.match(of("find_all").text, /^\.\/src\/util\/ strings\.ts clock\.ts money\.ts$/m);
  const many = Array.from({ length: 3_000 }, (_, i) => `./pkg_${i % 30}/sub_${i % 90}/file_${i}.ts`).join("\n");
  const result = run("find . -type f", many);
  assert.equal(result?.matchCount, 3_000);
  assert.ok(estimateTokens(result?.text ?? "") <= 1_200);
  const counted = [...(result?.text ?? "").matchAll(/\[\+(\d+)\]/g)].reduce((sum, match) => sum + Number(match[1]), 0);
  assert.equal(counted, 3_000);
});

Deno.test("tree: indentation instead of lines, and whole levels", () => {
  const { text } = of("tree");
  assert.match(text, /^src\n cart\n {2}cart\.ts$/m);
  assert.match(of("tree", 150).text, /^ cart \[\+3\]$/m);
});

Deno.test("tsc: the same message once, with all its places", () => {
  const { text, matchCount } = of("tsc");
  assert.equal(matchCount, 56);
  assert.equal(text.match(/TS2322: Type 'number' is not assignable to type 'string'/g)?.length, 1);
  assert.match(text, /^src\/part1\.ts\(4,3\): error TS2322: .* \[×16\]\n\[… alike: \(6,14\) src\/part2\.ts\(4,3\) /m);
  assert.match(text, /^src\/part1\.ts\(1,25\): error TS2307: .* \[×8\]\n\[… also src\/part2\.ts\(1,25\) /m);
});

Deno.test("compilers: errors come before warnings", () => {
  for (const name of ["gcc", "make", "eslint"]) {
    const { text } = of(name);
    assert.ok(text.lastIndexOf("error") < text.length);
    const severities = text.split("\n").map((line) => /(?:: | )(error|warning)\b/.exec(line)?.[1]).filter(Boolean);
    assert.deepEqual(severities.slice(0, 1), ["error"], name);
    assert.ok(severities.lastIndexOf("error") < severities.indexOf("warning") || name === "eslint", name);
  }
});

Deno.test("gcc: a warning of a header is told once, however many files include it", () => {
  assert.equal(of("gcc").text.match(/unused variable ‘b’/g)?.length, 1);
});

Deno.test("json: loses only blanks while it fits", () => {
  const list = Array.from({ length: 80 }, (_, i) => i);
  const pretty = JSON.stringify({ name: 'shop "x"  y', n: 1.5, list, big: 0 }, null, 4).replace(
    '"big": 0',
    '"big": 12345678901234567890',
  );
  const compact = `{"name":"shop \\"x\\"  y","n":1.5,"list":${JSON.stringify(list)},"big":12345678901234567890}`;
  assert.equal(run("jq . x", `${pretty}\n`)?.text, compact);
});

Deno.test("json: shape and beginning when it does not fit", () => {
  const { text } = of("json_lock");
  assert.match(
    text,
    /^\[… shape: \{name: string, version: string, lockfileVersion: number, .*packages: \{60 keys × \{/,
  );
  assert.match(text, /\[… \d+ of \d+ characters left out\]$/);
});

Deno.test("shapeOf marks keys that some items lack", () => {
  assert.equal(shapeOf([{ a: 1, b: "x" }, { a: 2 }], 4), "[2 × {a: number, b?: string}]");
  assert.equal(shapeOf({ a: null, b: [], c: [1, 2] }, 4), "{a: null, b: [], c: [2 × number]}");
});

Deno.test("logs: errors with their traces first, repeated forms with counts, the last lines as they are", () => {
  const { text, matchCount } = of("log_worker");
  assert.equal(matchCount, 906);
  const error = text.indexOf("payment failed for order 88123"), folded = text.indexOf("[×29");
  assert.ok(error > 0 && folded > error);
  assert.match(text, /shop\.errors\.CardDeclined: code 51/);
  assert.ok(text.endsWith(fixture("log_worker").stdout.trimEnd().split("\n").at(-1) ?? "?"));
});

Deno.test("cat: a long source file gives its beginning and an outline with true line numbers", () => {
  const { text } = of("cat_source");
  const lines = fixture("cat_source").stdout.split("\n");
  const numbered = [...text.matchAll(/^(\d+): (.*)$/gm)];
  assert.ok(numbered.length > 50);
  for (const [, number, shown] of numbered) assert.equal(lines[Number(number) - 1]?.trim(), shown);
});

Deno.test("head and sed -n pass: whoever asks for a window wants its lines", () => {
  const { stdout } = fixture("cat_source");
  assert.equal(run("head -n 900 x.ts", stdout, 20_000), null);
});

Deno.test("cat: a file that fits is shown as it stands, so that it can be quoted in an edit", () => {
  const json = JSON.stringify({ name: "shop", list: Array.from({ length: 120 }, (_, i) => i) }, null, 2);
  assert.equal(run("cat package.json", json)?.text, json);
  const { stdout } = fixture("git_diff_small");
  assert.equal(run("cat change.patch", stdout)?.text, stdout);
});

Deno.test("commands that print what they like are left alone", () => {
  const stdout = Array.from({ length: 60 }, (_, i) => `src/a.ts:${i}:import x from "../util/money_${i}.ts";`).join(
    "\n",
  );
  assert.equal(run("find src -name a.ts -exec grep -Hn import {} +", stdout), null);
  assert.equal(run("git show HEAD~1:src/a.ts", fixture("cat_source").stdout), null);
});

/** Real failing runs of test runners and compilers. */
const FAILING =
  "cargo_build cargo_test deno_test eslint gcc go_build go_test go_test_v go_vet jest jest_verbose make mocha " +
  "eslint_names node_test node_test_kinds node_test_tap pytest pytest_collect pytest_q pytest_tbshort pytest_v tsc tsc_pretty unittest vitest";

for (const name of FAILING.split(" ")) {
  Deno.test(`${name}: a failing run costs at most 400 tokens`, () => {
    const { text, stderr } = of(name);
    assert.ok(estimateTokens(text) + estimateTokens(stderr) <= 400, text);
  });
}
