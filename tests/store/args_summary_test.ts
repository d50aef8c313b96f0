import assert from "node:assert/strict";
import { summarizeArgs } from "../../src/store/args_summary.ts";

Deno.test("a summary names paths, numbers and patterns", () => {
  assert.equal(
    summarizeArgs({ path: "src/a b.ts", offset_lines: 10, recursive: true, file_glob: null, pattern: "foo.*" }),
    'path="src/a b.ts" offset_lines=10 recursive=true file_glob=null pattern=foo.*',
  );
  assert.equal(summarizeArgs({ budget_tokens: 600, limit: undefined }), "budget_tokens=600");
});

Deno.test("texts of the user are only counted, however short", () => {
  const args = {
    path: "a",
    content: "pin 1234",
    new_text: "x",
    old_text: "",
    diff: "--- a",
    stdin: "y\n",
    input: "6*7",
  };
  assert.equal(
    summarizeArgs(args),
    "path=a content=<8 chars> new_text=<1 chars> old_text=<0 chars> diff=<5 chars> stdin=<2 chars> input=<3 chars>",
  );
});

Deno.test("long and many-lined values are only counted", () => {
  assert.equal(summarizeArgs({ q: "x".repeat(1_234) }), "q=<1234 chars>");
  assert.equal(summarizeArgs({ q: "two\nlines" }), "q=<9 chars>");
  assert.equal(summarizeArgs({ q: "short" }), "q=<5 chars>");
  assert.equal(summarizeArgs({ pattern: "x".repeat(1_234) }), "pattern=<1234 chars>");
  assert.equal(summarizeArgs({ pattern: "two\nlines" }), "pattern=<9 chars>");
  assert.equal(summarizeArgs({ paths: ["a", "b"], options: { a: 1, b: 2, c: 3 } }), "paths=<2 items> options=<3 keys>");
});

for (
  const [args, secret] of [
    [{ password: "hunter2" }, "hunter2"],
    [{ api_key: "hunter2" }, "hunter2"],
    [{ Authorization: "Bearer hunter2hunter2" }, "hunter2"],
    [{ env: { TOKEN: "hunter2" } }, "hunter2"],
    [{ url: "https://bob:hunter2@example.org/x" }, "hunter2"],
    [{ command: "git clone https://bob:hunter2@example.org/x" }, "hunter2"],
    [{ command: "tool --password hunter2 --verbose" }, "hunter2"],
    [{ command: "tool --password=hunter2" }, "hunter2"],
    [{ command: "API_TOKEN=hunter2 make" }, "hunter2"],
    [{ command: "curl -u bob:hunter2 https://example.org" }, "hunter2"],
    [{ command: "curl -H 'Authorization: Bearer hunter2hunter2' x" }, "hunter2"],
    [{ argv: ["tool", "--token", "hunter2"] }, "hunter2"],
    [{ argv: ["python3", "-c", "print(1)\nhunter2"] }, "hunter2"],
    [{ command: "cat > .env <<EOF\nhunter2\nEOF" }, "hunter2"],
    [{ q: "token=hunter2" }, "hunter2"],
  ] as const
) {
  Deno.test(`a summary hides the secret in ${JSON.stringify(args)}`, () => {
    const summary = summarizeArgs(args);
    assert.ok(!summary.includes(secret), summary);
    assert.ok(summary.startsWith(`${Object.keys(args)[0]}=`), summary);
  });
}

Deno.test("a command shows enough to know it again", () => {
  assert.equal(
    summarizeArgs({ command: "git  log --oneline -5", cwd: "/src" }),
    'command="git log --oneline -5" cwd=/src',
  );
  assert.equal(summarizeArgs({ argv: ["rg", "-n", "foo bar"] }), 'argv="rg -n foo bar"');
});

Deno.test("a summary is one line of at most 200 characters, whatever is given", () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`argument_${index}`, "v".repeat(30)]));
  for (
    const args of [
      many,
      { command: "x ".repeat(5_000) },
      { ["k\n".repeat(500)]: "v\u2028w" },
      { a: "\u001b[31mred\u0007" },
      { list: [1, 2], nothing: null, big: 10n, when: Symbol("s") },
    ]
  ) {
    const summary = summarizeArgs(args);
    assert.ok(summary.length <= 200, `${summary.length}`);
    // deno-lint-ignore no-control-regex -- control characters are what must be absent
    assert.doesNotMatch(summary, /[\x00-\x1f\x7f\u2028]/);
  }
  for (const args of [undefined, null, "text", 5]) assert.equal(summarizeArgs(args), "");
});
