import assert from "node:assert/strict";
import { isFromUnit, readLog } from "../../src/sysinfo/log_text.ts";

const NOW = Date.UTC(2026, 4, 6, 12);

Deno.test("readLog reads the journal with messages of several lines, and skips its remarks", () => {
  const text = `-- Boot 0123 --
2026-05-06T11:00:01+0000 host sshd[12]: first
2026-05-06T11:00:02+0000 host app[13]: second
                                       and more
-- No entries --
`;
  assert.deepEqual(readLog(text, NOW), [
    { timeMs: Date.UTC(2026, 4, 6, 11, 0, 1), text: "sshd[12]: first" },
    { timeMs: Date.UTC(2026, 4, 6, 11, 0, 2), text: "app[13]: second\nand more" },
  ]);
});

Deno.test("readLog reads zones and fractions of newer syslog files", () => {
  const [entry] = readLog("2026-05-06T13:00:01.123456+02:00 host kernel: x\n", NOW);
  assert.deepEqual(entry, { timeMs: Date.UTC(2026, 4, 6, 11, 0, 1), text: "kernel: x" });
});

Deno.test("readLog guesses the year of older syslog files: never the future", () => {
  const now = new Date(2026, 0, 2, 0, 0, 0).getTime();
  const times = readLog("Jan  1 10:00:00 host a: x\nDec 31 23:59:59 host b: y\n", now).map(({ timeMs }) => timeMs);
  assert.deepEqual(times, [new Date(2026, 0, 1, 10).getTime(), new Date(2025, 11, 31, 23, 59, 59).getTime()]);
});

Deno.test("readLog keeps lines that it does not understand", () => {
  assert.deepEqual(readLog("what is this\nMay  6 x\n", NOW), [{ timeMs: null, text: "what is this\nMay  6 x" }]);
  assert.deepEqual(readLog("2026-99-99T99:99:99+0000 host a: x", NOW), [{ timeMs: null, text: "a: x" }]);
});

Deno.test("isFromUnit compares the name of the program", () => {
  const from = (text: string, unit: string) => isFromUnit({ timeMs: null, text }, unit);
  assert.ok(from("sshd[12]: x", "sshd.service"));
  assert.ok(from("CRON: x", "cron"));
  assert.ok(from("getty[1]: x", "getty@tty1.service"));
  assert.ok(from("sshd-session[12]: x", "ssh.service"));
  assert.ok(!from("sshguard: ssh: x", "ssh"));
  assert.ok(!from("no program", "no"));
});
