import assert from "node:assert/strict";
import { type LogFields, type Logger, type LoggerOptions, makeLogger } from "../../src/obs/log.ts";

const NOW = Date.UTC(2026, 4, 6, 7, 8, 30, 5);

function logged(options: Partial<LoggerOptions>, use: (log: Logger) => void): string[] {
  const lines: string[] = [];
  use(
    makeLogger({
      level: "info",
      format: "json",
      stacks: true,
      sink: (line) => void lines.push(line),
      now: () => NOW,
      ...options,
    }),
  );
  return lines;
}

function only(options: Partial<LoggerOptions>, message: string, fields?: LogFields): string {
  const lines = logged(options, (log) => log.info(message, fields));
  assert.equal(lines.length, 1);
  return lines[0] ?? "";
}

Deno.test("a JSON line has time, level, message and the fields, in this order", () => {
  const fields = {
    cid: "c1",
    tool: "run_cmd",
    latency_ms: 1.5,
    status: "error",
    error_code: "TIMEOUT",
    truncated: false,
  };
  assert.equal(
    only({}, "call", fields),
    '{"ts":"2026-05-06T07:08:30.005Z","level":"info","msg":"call","cid":"c1","tool":"run_cmd","latency_ms":1.5,' +
      '"status":"error","error_code":"TIMEOUT","truncated":false}',
  );
});

Deno.test("an absent field leaves no trace", () => {
  assert.deepEqual(Object.keys(JSON.parse(only({}, "call", { cid: undefined, tool: "a" }))), [
    "ts",
    "level",
    "msg",
    "tool",
  ]);
});

Deno.test("lines below the level are not written", () => {
  const all = (log: Logger) => (["debug", "info", "warn", "error"] as const).forEach((level) => log[level]("x"));
  const levels = (level: LoggerOptions["level"]) => logged({ level }, all).map((line) => JSON.parse(line).level);
  assert.deepEqual(levels("debug"), ["debug", "info", "warn", "error"]);
  assert.deepEqual(levels("warn"), ["warn", "error"]);
  assert.deepEqual(levels("error"), ["error"]);
});

Deno.test("a text line is for people", () => {
  assert.equal(
    only({ format: "text" }, 'said "hi"', { tool: "run_cmd", latency_ms: 2, detail: "two words", none: null }),
    '2026-05-06T07:08:30.005Z INFO  said "hi" tool=run_cmd latency_ms=2 detail="two words" none=null',
  );
});

for (const format of ["json", "text"] as const) {
  Deno.test(`nothing that is logged as ${format} starts a line of its own or moves the cursor`, () => {
    const evil = 'x\n{"level":"error"}\r\u001b[2J\u009b1A\u2028\u0007\ud800';
    const line = only({ format }, evil, { detail: evil, ["key\n"]: "v" });
    // deno-lint-ignore no-control-regex -- control characters are what must be absent
    assert.doesNotMatch(line, format === "json" ? /[\x00-\x1f]/ : /[\x00-\x1f\x7f-\x9f\u2028]/);
  });

  Deno.test(`secrets do not reach the log as ${format}`, () => {
    const line = only({ format }, "Authorization: Bearer hunter2hunter2", {
      token: "hunter2",
      api_key: "hunter2",
      url: "https://bob:hunter2@example.org",
      detail: "run with --password=hunter2",
    });
    assert.ok(!line.includes("hunter2"), line);
    assert.ok(line.includes("example.org") && line.includes("***"));
  });

  Deno.test(`what is far too long for a log as ${format} is cut`, () => {
    assert.ok(only({ format }, "x", { stack: "y".repeat(1_000_000) }).length < 5_000);
  });
}

Deno.test("a log for a person has the message of an error, not its stack", () => {
  const stack = "Error: it broke\n    at run (file:///a.ts:1:2)\n    at main (file:///b.ts:3:4)";
  assert.ok(only({ format: "text" }, "unexpected error", { stack }).includes("b.ts:3:4"));
  const line = only({ format: "text", stacks: false }, "unexpected error", { stack });
  assert.ok(line.endsWith('stack="Error: it broke"'), line);
});
