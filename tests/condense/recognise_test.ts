/** Recognition of the program that produced an output. @module */
import assert from "node:assert/strict";
import { recogniseCommand } from "../../src/condense/recognise.ts";

/** `kind program subcommand`, or null. */
function kindOf(...argv: string[]): string | null {
  const found = recogniseCommand(argv);
  return found === null ? null : `${found.kind} ${found.program} ${found.subcommand}`.trimEnd();
}

const shell = (line: string) => kindOf("bash", "-c", line);

Deno.test("recogniseCommand finds programs by name, wherever they lie", () => {
  assert.equal(kindOf("rg", "x"), "grep rg");
  assert.equal(kindOf("/usr/bin/grep", "-rn", "x", "."), "grep grep");
  assert.equal(kindOf("rg", "--files"), "listing rg");
  assert.equal(kindOf("git", "-C", "sub", "--no-pager", "log", "-3"), "git git log");
  assert.equal(kindOf("git", "grep", "x"), "grep git grep");
  assert.equal(kindOf("cargo", "test"), "tests cargo test");
  assert.equal(kindOf("cargo", "build"), "diagnostics cargo build");
});

Deno.test("recogniseCommand looks through wrappers", () => {
  assert.equal(
    kindOf("env", "-u", "X", "A=1", "timeout", "-k", "5", "10", "nice", "-n", "5", "pytest", "-q"),
    "tests pytest",
  );
  assert.equal(kindOf("python3", "-u", "-m", "pytest", "tests"), "tests pytest");
  assert.equal(kindOf("npx", "--yes", "jest"), "tests jest");
  assert.equal(kindOf("uv", "run", "ruff", "check"), "diagnostics ruff");
  assert.equal(shell("LANG=C PYTHONPATH=. python -m unittest -v"), "tests unittest");
});

Deno.test("recogniseCommand takes the producer of a pipeline when later stages only choose lines", () => {
  assert.equal(shell("rg -n foo | head -20"), "grep rg");
  assert.equal(shell("ps aux | grep node | grep -v grep"), "table ps");
  assert.equal(shell("cd x && pytest -q 2>&1 | tail -5"), "tests pytest");
  assert.equal(shell("find . -name '*.ts' | xargs grep -n foo"), "grep grep");
  assert.equal(shell("curl -s http://127.0.0.1/ | jq ."), "json jq");
  assert.deepEqual(recogniseCommand(["bash", "-lc", "du -a | sort -n | tail"])?.filters, ["sort", "tail"]);
});

Deno.test("recogniseCommand gives up when a later stage rewrote the lines or several programs printed", () => {
  assert.equal(shell("rg foo | awk '{print $1}'"), null);
  assert.equal(shell("ls | wc -l"), null);
  assert.equal(shell("sort x | uniq -c"), null);
  assert.equal(shell("git status; git diff"), null);
  assert.equal(shell("echo start; rg foo"), null);
});

Deno.test("recogniseCommand ignores commands that print nothing", () => {
  assert.equal(shell("cd a; export X=1; mkdir -p b; rg foo"), "grep rg");
  assert.equal(shell("make > build.log; tail -5 build.log"), "read tail");
  assert.equal(shell("pytest || true"), "tests pytest");
  assert.equal(shell("rg foo || echo none"), "grep rg");
});

Deno.test("recogniseCommand reads quotes, escapes and operators inside them", () => {
  const found = recogniseCommand(["sh", "-c", `rg -n "a | b; c" 'x && y' z\\ w`]);
  assert.deepEqual(found?.args, ["-n", "a | b; c", "x && y", "z w"]);
  assert.equal(shell(`rg "$(cat patterns | head -1)" src`), "grep rg");
  assert.equal(shell("rg foo 2>/dev/null"), "grep rg");
  assert.equal(shell('rg "unfinished'), null);
  assert.equal(shell(""), null);
});
