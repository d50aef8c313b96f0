import assert from "node:assert/strict";
import { makeTokenAudit, type TokenAuditEntry } from "../../src/obs/token_audit.ts";

const HEADER = "timestamp,correlation_id,agent_id,session_id,model,tool,tokens_in,tokens_out,tokens_total";
const entry: TokenAuditEntry = {
  timeMs: Date.UTC(2026, 4, 6, 7, 8, 30),
  correlationId: "c1",
  tool: "run_cmd",
  session: { agentId: "claude-desktop-mcp", sessionId: "s1", model: "unknown" },
  tokensIn: 12,
  tokensOut: 345,
};

function auditTest(test: (directory: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const directory = await Deno.makeTempDir({ prefix: "llmc-audit-" });
    try {
      await test(directory);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  };
}

/** RFC 4180, by hand: quoted fields may hold commas, quotes and line ends. */
function parseCsv(text: string): string[][] {
  assert.ok(text.endsWith("\r\n"));
  const rows: string[][] = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    assert.ok(match, "well-formed CSV");
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] !== ",") rows.push([]);
  }
  return rows.slice(0, -1);
}

Deno.test(
  "each call is a line under one header, also across restarts",
  auditTest((directory) => {
    const path = `${directory}/artifacts/token_audit.csv`;
    for (let start = 0; start < 3; start++) {
      const audit = makeTokenAudit({ path, now: Date.now, warn: assert.fail });
      audit.record(entry);
      audit.record({ ...entry, correlationId: "c2" });
    }
    const lines = Deno.readTextFileSync(path).split("\r\n");
    assert.deepEqual(lines.slice(0, 2), [
      HEADER,
      "2026-05-06T07:08:30.000Z,c1,claude-desktop-mcp,s1,unknown,run_cmd,12,345,357",
    ]);
    assert.deepEqual([lines.length, lines.filter((line) => line === HEADER).length, lines.at(-1)], [8, 1, ""]);
    assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  }),
);

Deno.test(
  "labels that a client chose stay in their fields and are no formulas",
  auditTest((directory) => {
    const path = `${directory}/audit.csv`;
    const audit = makeTokenAudit({ path, now: Date.now, warn: assert.fail });
    const labels = ['a,"b"', "two\r\nlines", "=HYPERLINK(1)", "@x", "plain é"];
    for (const agentId of labels) audit.record({ ...entry, session: { ...entry.session, agentId } });
    const rows = parseCsv(Deno.readTextFileSync(path));
    assert.ok(rows.every((row) => row.length === 9));
    assert.deepEqual(rows.slice(1).map((row) => row[2]), ['a,"b"', "two\r\nlines", "'=HYPERLINK(1)", "'@x", "plain é"]);
  }),
);

Deno.test(
  "a file that cannot be written is reported once in a minute and nothing fails",
  auditTest((directory) => {
    let now = 0;
    const warnings: string[] = [];
    const audit = makeTokenAudit({ path: directory, now: () => now, warn: (message) => void warnings.push(message) });
    for (const time of [0, 1, 59_999, 60_000]) {
      now = time;
      audit.record(entry);
    }
    assert.equal(warnings.length, 2);
  }),
);

Deno.test(
  "two processes write one header and whole lines",
  auditTest(async (directory) => {
    const path = `${directory}/audit.csv`;
    const module = new URL("../../src/obs/token_audit.ts", import.meta.url).href;
    const program = `import { makeTokenAudit } from ${JSON.stringify(module)};
    const audit = makeTokenAudit({ path: Deno.args[0], now: Date.now, warn: (m) => { throw new Error(m); } });
    for (let i = 0; i < 200; i++) audit.record(${JSON.stringify(entry)});`;
    const run = () =>
      new Deno.Command(Deno.execPath(), { args: ["eval", "--ext=js", "--no-check", program, "--", path] }).output();
    const outputs = await Promise.all([run(), run()]);
    for (const { success, stderr } of outputs) assert.ok(success, new TextDecoder().decode(stderr));
    const lines = (await Deno.readTextFile(path)).split("\r\n");
    assert.deepEqual([lines.length, lines[0], new Set(lines.slice(1, -1)).size], [402, HEADER, 1]);
  }),
);

Deno.test(
  "an audit that forgot begins again with its header",
  auditTest(async (directory) => {
    const path = `${directory}/audit.csv`;
    const audit = makeTokenAudit({ path, now: () => 0, warn: (message) => assert.fail(message) });
    audit.forget();
    audit.record(entry);
    audit.record(entry);
    audit.forget();
    audit.record(entry);
    const [header, ...rows] = parseCsv(await Deno.readTextFile(path)).filter((row) => row.length > 1);
    assert.equal(header?.join(","), HEADER);
    assert.equal(rows.length, 1);
  }),
);
