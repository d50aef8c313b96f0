import assert from "node:assert/strict";
import { OpsError } from "../../../src/core/error.ts";
import { estimateTokens } from "../../../src/core/tokens.ts";
import type { HostText, LogQuery, MachineFacts } from "../../../src/sysinfo/machine_facts.ts";
import { sysLogs } from "../../../src/tools/sys/logs.ts";
import { makeTestApp } from "../../support/app.ts";
import { tempTree } from "../../support/temp_tree.ts";
import { DESKTOP, factsOf } from "./machines.ts";
import { withFacts } from "./support.ts";

const stamp = (index: number) => new Date(Date.UTC(2026, 4, 6, 10) + index * 1000).toISOString().slice(0, 19);
/** As the journal answers: newest first. */
const journal = (messages: readonly string[], more: Partial<HostText> = {}): HostText => ({
  source: "journal",
  text: messages.map((message, index) => `${stamp(index)}+0000 host ${message}\n`).reverse().join(""),
  reason: "",
  cut: false,
  ...more,
});
const readingLog = (logs: HostText) => withFacts(factsOf({ ...DESKTOP, logs }));
const refuses = (code: string) => (error: unknown) => error instanceof OpsError && error.code === code;

Deno.test("linux.sys_logs shows the newest entries last, the date once, without the host", async () => {
  const { text } = await readingLog(journal(["sshd[1]: one", "cron[2]: two"])).call(sysLogs);
  assert.equal(text, "2026-05-06 UTC\n10:00:00 sshd[1]: one\n10:00:01 cron[2]: two\n[journal · 2 entries]");
});

Deno.test("linux.sys_logs folds repetitions and keeps messages of several lines together", async () => {
  const logs = journal(["a: same", "a: same", "a: same", "b: first\n    second", "a: same"]);
  const { text, result } = await readingLog(logs).call(sysLogs);
  assert.equal(
    text,
    "2026-05-06 UTC\n10:00:00 a: same [×3]\n10:00:03 b: first\nsecond\n10:00:04 a: same\n[journal · 5 entries]",
  );
  assert.deepEqual(result.entries.map(({ count }) => count), [3, 1, 1]);
});

Deno.test("linux.sys_logs masks secrets, also in the handle, and a pattern cannot feel its way to one", async () => {
  await using tree = await tempTree({ "data/": "" });
  const lines = Array.from({ length: 30 }, (_, index) => `app[${index}]: login with password=Hunter2-${index}-zz`);
  using machine = withFacts(factsOf({ ...DESKTOP, logs: journal(lines) }), { dataDir: tree.path("data") });
  const { text, result } = await machine.call(sysLogs, { lines: 3, since: "2026-05-06" });
  assert.ok(!text.includes("Hunter2"), text);
  assert.ok(result.handle !== null);
  const kept = await machine.handles?.read(result.handle, "test", { unit: "lines", offset: 0, limit: 100 });
  assert.equal(kept?.total, 31);
  assert.ok(!kept.content.includes("Hunter2"), kept.content);
  assert.equal((await machine.call(sysLogs, { grep: "Hunter" })).result.total, 0);
});

Deno.test("linux.sys_logs removes terminal sequences", async () => {
  const { text } = await readingLog(journal(["a: \x1b[31mred\x1b[0m\x07 alert"])).call(sysLogs);
  assert.match(text, /^10:00:00 a: +red +alert$/m);
});

Deno.test("linux.sys_logs greps without regard to case unless the pattern has capitals", async () => {
  const machine = readingLog(journal(["a: Disk FULL", "a: disk ok", "b: x"]));
  assert.deepEqual((await machine.call(sysLogs, { grep: "full|b:" })).result.entries.map(({ text }) => text), [
    "a: Disk FULL",
    "b: x",
  ]);
  assert.equal((await machine.call(sysLogs, { grep: "Full" })).result.total, 0);
  await assert.rejects(machine.call(sysLogs, { grep: "((" }), refuses("INVALID_ARGUMENT"));
});

Deno.test("linux.sys_logs with a hostile pattern and hostile lines ends at once", async () => {
  const machine = readingLog(journal(Array.from({ length: 200 }, () => `a: ${"a".repeat(900)}`)));
  // An engine that tries every way would not end.
  assert.equal((await machine.call(sysLogs, { grep: "^a: (a+)+b$" })).result.total, 0);
});

Deno.test("linux.sys_logs puts what does not fit behind a handle, oldest first", async () => {
  await using tree = await tempTree({ "data/": "" });
  const logs = journal(
    Array.from({ length: 500 }, (_, index) => `app[7]: message number ${index} of this long test run`),
  );
  using machine = withFacts(factsOf({ ...DESKTOP, logs }), { dataDir: tree.path("data"), resultTokens: 1_000 });
  const { text, result } = await machine.call(sysLogs, { since: "1d", lines: 500 });
  assert.ok(estimateTokens(text) <= 1_000, `${estimateTokens(text)} tokens`);
  assert.ok(result.truncated && result.handle !== null && result.total === 500);
  assert.match(
    text,
    /message number 499 [^\n]*\n\[journal · newest \d+ of 500 · rest: linux_handle_read H_logs_\S+\]$/,
  );
  const kept = await machine.handles?.read(result.handle, "test", { unit: "lines", offset: 0, limit: 2 });
  assert.equal(kept?.content, "2026-05-06 UTC\n10:00:00 app[7]: message number 0 of this long test run");
});

Deno.test("linux.sys_logs asks the broker for checked values only", async () => {
  const asked: LogQuery[] = [];
  const facts: MachineFacts = {
    ...factsOf(DESKTOP),
    logs(query) {
      asked.push(query);
      return Promise.resolve(journal([]));
    },
  };
  const { call } = withFacts(facts);
  await call(sysLogs, { unit: "ssh.service", since: "2026-05-06T10:00:00Z", priority: "err", lines: 20 });
  await call(sysLogs, { lines: 20 });
  assert.deepEqual(asked, [
    { unit: "ssh.service", sinceSeconds: Date.UTC(2026, 4, 6, 10) / 1000, maxPriority: 3, maxEntries: 10_000 },
    { unit: null, sinceSeconds: null, maxPriority: null, maxEntries: 20 },
  ]);
  for (
    const bad of [{ unit: "--file=/etc/shadow" }, { unit: "a;b" }, { since: "$(id)" }, { priority: "7" }, {
      lines: 1.5,
    }, { grep: "" }]
  ) {
    await assert.rejects(call(sysLogs, bad), refuses("INVALID_ARGUMENT"), JSON.stringify(bad));
  }
  assert.equal(asked.length, 2);
});

Deno.test("linux.sys_logs asks a log file's lines for unit and time itself, and says what the file does not know", async () => {
  const text = "2026-05-06T09:00:00.5+00:00 host sshd[1]: early\n2026-05-06T10:00:00.5+00:00 host sshd[1]: late\n" +
    "2026-05-06T10:00:01+00:00 host cron[2]: other\n";
  const machine = readingLog({ source: "/var/log/syslog", text, reason: "", cut: true });
  const { result, text: shown } = await machine.call(sysLogs, {
    unit: "ssh",
    since: "2026-05-06T09:30",
    priority: "err",
  });
  assert.deepEqual(result.entries.map((entry) => entry.text), ["sshd[1]: late"]);
  assert.equal(result.note, "this file does not record priorities; older entries were not read");
  assert.match(shown, /\[\/var\/log\/syslog · newest 1 of 1 · this file/);
});

Deno.test("linux.sys_logs says when there is no log, and when nothing fits", async () => {
  const none = await withFacts(factsOf(DESKTOP)).call(sysLogs);
  assert.equal(none.result.available, false);
  assert.match(none.text, /^No system log: systemd does not run here/);
  const nothing = await readingLog(journal([], { reason: "only messages of this server's own user are visible" })).call(
    sysLogs,
  );
  assert.equal(nothing.text, "[journal · no entries · only messages of this server's own user are visible]");
});

Deno.test("linux.sys_logs is off until the operator switches it on", async () => {
  await using off = await makeTestApp();
  const { error } = await off.call("linux_sys_logs");
  assert.equal(error?.code, "FEATURE_DISABLED");
  assert.match(error.hint, /logs_enabled/);
  await using on = await makeTestApp({ settings: { "mcp.linux_ops.features.logs_enabled": true } });
  const answer = await on.call("linux.sys_logs", { lines: 5, since: "1h" });
  assert.equal(answer.error, undefined, answer.text);
});
