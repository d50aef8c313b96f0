/** Counts of levels in generated logs of every usual format, compared with the generator's own. @module */
import assert from "node:assert/strict";
import { enrich } from "../../src/condense/enrich.ts";
import { levelOf } from "../../src/condense/log_level.ts";

const LOGS_PER_FORMAT = 1_000;
const LINES_PER_LOG = 40;

/** Messages that try to look like other levels. */
const MESSAGES = [
  "no error so far",
  "retry after ERROR from upstream",
  "0 errors, 3 warnings in last run",
  "error_count=0 warn=1 FATAL path skipped",
  'user said "ERROR: not really"',
  "Exception handler registered for WARN and ERROR",
  "GET /error/500 took 12ms",
  "[error] is a word in brackets",
  "panic button pressed - ERROR - ignored",
  "connection closed",
];

type Row = (level: string, message: string, n: number) => string;
const two = (n: number): string => String(n % 60).padStart(2, "0");
const clock = (n: number): string => `${two(Math.floor(n / 3600) % 24)}:${two(n / 60 | 0)}:${two(n)}`;
const KLOG: Record<string, string> = { DEBUG: "I", INFO: "I", WARN: "W", ERROR: "E", FATAL: "F" };
const PINO: Record<string, number> = { DEBUG: 20, INFO: 30, WARN: 40, ERROR: 50, FATAL: 60 };
const SYSLOG: Record<string, number> = { DEBUG: 7, INFO: 6, WARN: 4, ERROR: 3, FATAL: 0 };

/** One line of each format; the level is written as the format writes it. */
const FORMATS: Record<string, Row> = {
  "syslog with a tag": (level, text, n) => `Nov 28 ${clock(n)} host app[${n}]: ${level}: ${text}`,
  "syslog with a facility": (level, text, n) =>
    `Nov 28 ${clock(n)} host daemon.${
      { WARN: "warn", ERROR: "err", FATAL: "emerg" }[level] ?? level.toLowerCase()
    } app[${n}]: ${text}`,
  "journald as JSON": (level, text, n) =>
    JSON.stringify({ __REALTIME_TIMESTAMP: String(n), PRIORITY: String(SYSLOG[level]), MESSAGE: text }),
  "log4j": (level, text, n) => `2026-11-28 ${clock(n)},123 ${level.padEnd(5)} [main] com.x.App - ${text}`,
  "logback": (level, text, n) => `${clock(n)}.123 [http-nio-8080-exec-${n}] ${level.padEnd(5)} c.x.App - ${text}`,
  "Python": (level, text, n) =>
    `2026-11-28 ${clock(n)},123 - app.db - ${{ WARN: "WARNING", FATAL: "CRITICAL" }[level] ?? level} - ${text}`,
  "pino": (level, text, n) => JSON.stringify({ level: PINO[level], time: n, pid: 1, msg: text }),
  "zap": (level, text, n) => `2026-11-28T${clock(n)}.000Z\t${level.toLowerCase()}\tapp/main.go:${n}\t${text}`,
  "tracing": (level, text, n) => `2026-11-28T${clock(n)}.123456Z ${level.padStart(5)} app::db: ${text}`,
  "klog": (level, text, n) => `${KLOG[level]}1128 ${clock(n)}.123456       1 main.go:${n}] ${text}`,
  "nginx": (level, text, n) =>
    `2026/11/28 ${clock(n)} [${{ FATAL: "emerg" }[level] ?? level.toLowerCase()}] 12#${n}: *7 ${text}`,
  "winston": (level, text, n) => `2026-11-28T${clock(n)}.000Z [${level.toLowerCase()}]: ${text}`,
  "plain levels": (level, text) => `${level}: ${text}`,
};

/** The name under which a level counts in a format that has no word for it. */
const COUNTED: Record<string, Record<string, string>> = {
  "syslog with a facility": { FATAL: "EMERG" },
  "journald as JSON": { FATAL: "EMERG" },
  "Python": { FATAL: "CRITICAL" },
  "klog": { DEBUG: "INFO" },
  "nginx": { FATAL: "EMERG" },
};

function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

for (const [format, row] of Object.entries(FORMATS)) {
  Deno.test(`log digest: the counts of ${LOGS_PER_FORMAT} generated logs are exact, ${format}`, () => {
    const random = makeRandom(format.length);
    const levels = ["DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR", "FATAL"];
    for (let log = 0; log < LOGS_PER_FORMAT; log++) {
      const expected = new Map<string, number>();
      const lines = Array.from({ length: LINES_PER_LOG }, (_, i) => {
        const level = levels[random(levels.length)] ?? "INFO";
        const name = COUNTED[format]?.[level] ?? level;
        expected.set(name, (expected.get(name) ?? 0) + 1);
        return row(level, MESSAGES[random(MESSAGES.length)] ?? "", log * LINES_PER_LOG + i);
      });
      const stdout = `${lines.join("\n")}\n`;
      const result = enrich({ argv: ["journalctl"], stdout, stderr: "", exitCode: 0, budgetTokens: 250 });
      const said = /^\[… \d+ lines: ([^;]*);/.exec(result?.text ?? "")?.[1]?.split(", ").map((part) => part.split(" "));
      const counts = new Map(said?.map(([n, name]) => [name ?? "", Number(n)]));
      assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(expected), `${stdout}\n${result?.text}`);
    }
  });
}

Deno.test("log digest: of 3000 lines the 44 errors are counted and shown, whatever words the others have", () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => {
    const level = i % 68 === 5 ? "ERROR" : i % 17 === 3 ? "WARN" : "INFO";
    const text = level === "ERROR" ? `database ${i} unreachable` : `error budget ok, no errors in request ${i}`;
    return { level, line: `2026-11-28 ${clock(i)},001 ${level} [worker] app - ${text}` };
  });
  const errors = rows.filter(({ level }) => level === "ERROR").length;
  const warnings = rows.filter(({ level }) => level === "WARN").length;
  const stdout = rows.map(({ line }) => line).join("\n");
  const text = enrich({ argv: ["cat", "app.log"], stdout, stderr: "", exitCode: 0, budgetTokens: 8_000 })?.text ?? "";
  assert.match(text, new RegExp(`3000 lines: ${errors} ERROR, ${warnings} WARN, ${3_000 - errors - warnings} INFO;`));
  assert.match(text, /database \d+ unreachable \[×\d+\]/);
});

Deno.test("levelOf reads the formats of servers, and no word of a message", () => {
  const cases: [line: string, level: string | undefined][] = [
    ["2026-11-28 10:00:00.123 UTC [812] ERROR:  relation does not exist", "ERROR"],
    ["2026-11-28T10:00:00.123456Z 0 [Warning] [MY-010068] [Server] CA certificate is self signed", "WARN"],
    ["1:M 28 Nov 2026 10:00:00.123 # Out of memory", "WARN"],
    ["[Wed Nov 28 10:00:00.123456 2026] [core:error] [pid 12] File does not exist", "ERROR"],
    ['time="2026-11-28T10:00:00Z" level=fatal msg="level=info inside"', "FATAL"],
    ["E, [2026-11-28T10:00:00.123456 #12] ERROR -- : boom", "ERROR"],
    ["<11>Nov 28 10:00:00 host app: text", "ERROR"],
    ["2026-11-28 10:00:00.123 | WARNING  | app.main:run:12 - slow", "WARN"],
    ["[2026-11-28 10:00:00 +0000] [12] [INFO] Listening at: error.example", "INFO"],
    ["web-1  | 2026-11-28 10:00:00,123 ERROR boom", "ERROR"],
    ["2026-11-28 10:00:00.123  WARN 1 --- [main] c.e.App : slow", "WARN"],
    ['127.0.0.1 - - [28/Nov/2026:10:00:00 +0000] "GET /error HTTP/1.1" 503 12', "5xx"],
    ['127.0.0.1 - - [28/Nov/2026:10:00:00 +0000] "GET /error HTTP/1.1" 200 500', undefined],
    ["Nov 28 10:00:00 host sshd[12]: error: kex_exchange_identification", "ERROR"],
    ["Nov 28 10:00:00 host sshd[12]: Failed password, error count 3", undefined],
    ["Nov 28 10:00:00 host app[12]: retry ERROR later", undefined],
    ["2026-11-28 10:00:00 error budget is fine", undefined],
    ["2026-11-28 10:00:00 Exception in thread", undefined],
    ["[   12.345678] usb 1-1: device descriptor read/64, error -71", undefined],
  ];
  for (const [line, level] of cases) assert.equal(levelOf(line), level, line);
});
