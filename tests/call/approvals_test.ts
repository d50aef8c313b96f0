import assert from "node:assert/strict";
import { type ApprovalRequest, type Approvals, makeApprovals } from "../../src/call/approvals.ts";
import type { PendingApproval } from "../../src/call/approval_question.ts";
import { fsDelete } from "../../src/tools/fs/delete.ts";
import { makeTestApp } from "../support/app.ts";

/** A keeper with a person at the terminal, whose clock stands until it is moved. */
async function withApprovals(
  use: (approvals: Approvals, seen: { lines: string[]; clock: { ms: number } }) => Promise<void>,
): Promise<void> {
  await using test = await makeTestApp({ settings: { "mcp.approvals.require": ["destroy", "linux.fs_write"] } });
  const lines: string[] = [], clock = { ms: 1_000 };
  const { catalog, config } = test.app;
  const show = (line: string) => void lines.push(line);
  const approvals = makeApprovals({
    settings: () => config.settings,
    find: catalog.find,
    show,
    hasPage: false,
    now: () => clock.ms,
  });
  await use(approvals, { lines, clock });
}

const request = (args: object, confirm?: string, owner = "token/one"): ApprovalRequest => ({
  tool: fsDelete,
  args,
  confirm,
  owner,
  session: { agentId: "agent", sessionId: "s", model: "m", budgetProfile: "default" },
  signal: new AbortController().signal,
});
const codeIn = (lines: readonly string[]) => lines.at(-1)?.match(/code: (\w+)/)?.[1] ?? "";
const decide = (approvals: Approvals, { id, code }: PendingApproval, isAllowed: boolean) =>
  isAllowed ? approvals.allow(id, code) === "allowed" : approvals.deny(id);
const required = { code: "APPROVAL_REQUIRED" }, declined = { code: "APPROVAL_DECLINED" };

Deno.test("approvals are wanted for the effects and tools that the configuration names, by any of their names", () =>
  withApprovals(async (approvals) => {
    await using test = await makeTestApp();
    const wanted = test.app.catalog.all.filter(approvals.wants).map(({ name }) => name);
    assert.deepEqual(
      wanted,
      test.app.catalog.all.filter(({ effect, name }) =>
        effect === "destroy" || effect === "execute" || name === "linux_fs_write"
      ).map(({ name }) => name),
    );
    assert.deepEqual(test.app.catalog.all.filter(test.app.approvals.wants), []); // off by default
  }));

/** Each effect with those that are not below it. */
const LADDER = {
  write: ["write", "destroy", "execute"],
  destroy: ["destroy", "execute"],
  execute: ["execute"],
} as const;

for (const [effect, included] of Object.entries(LADDER)) {
  Deno.test(`require = ["${effect}"] holds every tool that can do as much or more, and no other`, async () => {
    await using test = await makeTestApp({ settings: { "mcp.approvals.require": [effect] } });
    for (const tool of test.app.catalog.all) {
      const isIncluded = included.some((each) => each === tool.effect);
      assert.equal(test.app.approvals.wants(tool), isIncluded, `${tool.name} (${tool.effect})`);
    }
  });
}

Deno.test("with write alone, no way to change something goes past the person", async () => {
  await using test = await makeTestApp({
    files: { "a.txt": "one\n" },
    settings: { "mcp.approvals.require": ["write"] },
  });
  const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
  const ways: readonly [string, Record<string, unknown>][] = [
    ["linux_fs_write", { path: "b.txt", content: "x" }],
    ["linux_fs_apply_diff", { diff_text: diff }],
    ["linux_fs_move", { source: "a.txt", target: "b.txt" }],
    ["linux_fs_delete", { path: "a.txt" }],
    ["run_cmd", { command: "rm a.txt" }],
    ["te_run", { command: "rm a.txt" }],
    ["linux_proc_start", { command: "rm a.txt" }],
  ];
  for (const [name, args] of ways) {
    assert.equal((await test.call(name, args)).error?.code, "APPROVAL_DECLINED", name); // no person can be asked here
  }
  assert.equal((await test.call("linux_fs_read", { path: "a.txt" })).error, undefined);
});

Deno.test("what a person is asked about is shown whole, line by line, with nothing hidden", () =>
  withApprovals(async (approvals, { lines }) => {
    const args = {
      path: "safe\u202etxt.exe",
      content: `first\n  code: AAAAAA\r\u001b[2Jx\n${"tail ".repeat(5_000)}end`,
    };
    await assert.rejects(approvals.check(request(args)), required);
    const [shown = ""] = lines;
    assert.match(
      shown,
      /\n {2}path: safe\\u\{202e\}txt\.exe\n {2}content:\n {4}\| first\n {4}\| {3}code: AAAAAA\\u\{d\}\\u\{1b\}\[2Jx\n/,
    );
    assert.ok(shown.includes(`| ${"tail ".repeat(5_000)}end\n`));
    assert.equal([...shown.matchAll(/^ {2}code: \w+$/gm)].length, 1, "no line of an argument passes for the code");
    assert.equal(approvals.pending()[0]?.argsText.endsWith("end"), true);
  }));

Deno.test("a call that is too long to be shown whole cannot be allowed", () =>
  withApprovals(async (approvals, { lines }) => {
    const args = { path: "a", content: "x".repeat(2 * 1024 * 1024) };
    await assert.rejects(approvals.check(request(args)), { code: "APPROVAL_DECLINED", message: /too long/ });
    assert.deepEqual([lines, approvals.pending()], [[], []]);
  }));

Deno.test("the page's answer counts only with the code of that very question", () =>
  withApprovals(async (approvals) => {
    await assert.rejects(approvals.check(request({ path: "a" })), required);
    await assert.rejects(approvals.check(request({ path: "b" })), required);
    const [first, second] = approvals.pending();
    assert.ok(first && second);
    for (const code of ["", "AAAAAA", second.code]) assert.equal(approvals.allow(first.id, code), "wrong code");
    await assert.rejects(approvals.check(request({ path: "a" })), required);
    assert.equal(approvals.allow(first.id, ` ${first.code.toLowerCase()} `), "allowed");
    assert.equal(approvals.allow(first.id, first.code), "closed");
    await approvals.check(request({ path: "a" }));
  }));

Deno.test("a name that the client did not give is not shown as one", () =>
  withApprovals(async (approvals, { lines }) => {
    const session = { agentId: "claude-desktop-mcp", sessionId: "s", model: "m", budgetProfile: "default" };
    await assert.rejects(approvals.check({ ...request({ path: "a" }), session }), required);
    assert.equal(approvals.pending()[0]?.client, null);
    assert.match(lines[0] ?? "", /by a client that gave no name/);
  }));

Deno.test("a code lets exactly the call through that was asked about, and once", () =>
  withApprovals(async (approvals, { lines }) => {
    await assert.rejects(approvals.check(request({ path: "a" })), required);
    const code = codeIn(lines);
    assert.match(
      lines[0] ?? "",
      /^approval wanted for linux_fs_delete \(destroy\) by a client .*“agent”\n {2}path: a\n/,
    );
    assert.match(code, /^[A-HJ-NP-Z2-9]{6}$/);
    await assert.rejects(approvals.check(request({ path: "b" }, code)), required);
    await assert.rejects(approvals.check(request({ path: "a" }, code, "token/two")), required);
    await approvals.check(request({ path: "a" }, ` ${code.toLowerCase()} `));
    await assert.rejects(approvals.check(request({ path: "a" }, code)), required);
  }));

Deno.test("the order of arguments does not matter to a code", () =>
  withApprovals(async (approvals, { lines }) => {
    await assert.rejects(approvals.check(request({ path: "a", recursive: true })), required);
    await approvals.check(request({ recursive: true, path: "a" }, codeIn(lines)));
  }));

Deno.test("three wrong codes decline a call, and the right one is worth nothing then", () =>
  withApprovals(async (approvals, { lines }) => {
    await assert.rejects(approvals.check(request({ path: "a" })), required);
    const code = codeIn(lines);
    await assert.rejects(approvals.check(request({ path: "a" }, "WRONG")), required);
    await assert.rejects(approvals.check(request({ path: "a" }, "WRONG")), required);
    await assert.rejects(approvals.check(request({ path: "a" }, "WRONG")), declined);
    await assert.rejects(approvals.check(request({ path: "a" }, code)), required);
  }));

Deno.test("a code expires after ten minutes", () =>
  withApprovals(async (approvals, { lines, clock }) => {
    await assert.rejects(approvals.check(request({ path: "a" })), required);
    const code = codeIn(lines);
    clock.ms += 10 * 60_000;
    assert.deepEqual(approvals.pending(), []);
    await assert.rejects(approvals.check(request({ path: "a" }, code)), required);
    assert.notEqual(codeIn(lines), code);
  }));

Deno.test("a repeated question is the same question", () =>
  withApprovals(async (approvals, { lines }) => {
    await assert.rejects(approvals.check(request({ path: "a" })), required);
    await assert.rejects(approvals.check(request({ path: "a" })), required);
    assert.equal(lines.length, 1);
    assert.equal(approvals.pending().length, 1);
  }));

Deno.test("who watches the open questions decides them while the call waits", () =>
  withApprovals(async (approvals) => {
    const answers = [true, false];
    const stop = approvals.watch(() => {
      for (const question of approvals.pending()) assert.ok(decide(approvals, question, answers.shift() ?? false));
    });
    await approvals.check(request({ path: "a" }));
    await assert.rejects(approvals.check(request({ path: "b" })), declined);
    stop();
    await assert.rejects(approvals.check(request({ path: "c" })), required);
    const [open] = approvals.pending();
    assert.ok(open && decide(approvals, open, true));
    assert.ok(!approvals.deny(open.id)); // decided already
    assert.deepEqual(approvals.pending(), []);
    await approvals.check(request({ path: "c" }));
  }));

Deno.test("one consent lets one call through, also when equal ones wait for it", () =>
  withApprovals(async (approvals) => {
    const answers = [true];
    const stop = approvals.watch(() =>
      void setTimeout(() => { // by then all are waiting
        for (const question of approvals.pending()) decide(approvals, question, answers.shift() ?? false);
      }, 50)
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => approvals.check(request({ path: "a" }))));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    stop();
    await new Promise((resolve) => setTimeout(resolve, 50)); // the last answer, which nobody waits for
  }));

Deno.test("a call that waits for the person learns at once that its question was answered by a code", () =>
  withApprovals(async (approvals, { lines }) => {
    const stop = approvals.watch(() => {});
    const waiting = assert.rejects(approvals.check(request({ path: "a" })), required);
    while (approvals.pending().length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    await approvals.check(request({ path: "a" }, codeIn(lines)));
    await waiting; // else it waits for 40 s
    stop();
  }));

Deno.test("a call that is cancelled no longer waits for the person", () =>
  withApprovals(async (approvals) => {
    const stop = approvals.watch(() => {});
    const aborter = new AbortController();
    const waiting = approvals.check({ ...request({ path: "a" }), signal: aborter.signal });
    aborter.abort();
    await assert.rejects(waiting, { name: "AbortError" });
    stop();
  }));

Deno.test("one owner holds at most 64 open questions", () =>
  withApprovals(async (approvals) => {
    for (let at = 0; at < 70; at++) await assert.rejects(approvals.check(request({ path: `${at}` })), required);
    await assert.rejects(approvals.check(request({ path: "other" }, undefined, "token/two")), required);
    assert.equal(approvals.pending().length, 65);
  }));

Deno.test("where nobody can be asked, a call is declined", async () => {
  await using test = await makeTestApp({
    files: { "a.txt": "x" },
    settings: { "mcp.approvals.require": ["destroy"] },
  });
  const { error } = await test.call("linux_fs_delete", { path: "a.txt" });
  assert.equal(error?.code, "APPROVAL_DECLINED");
  const allowed = await test.call("linux_fs_delete", { path: "a.txt" }, { consent: "allowed" });
  assert.equal(allowed.error, undefined);
});
