import assert from "node:assert/strict";
import { makeTestApp } from "../support/app.ts";

const FILES = { "a.txt": "hello\n" };

Deno.test("more shows the arguments of a tool under each of its names, and calls nothing", async () => {
  await using test = await makeTestApp({ files: FILES });
  const asked = [
    { tool: "linux_fs_move" },
    { tool: "linux.fs_move" },
    { tool: "fs.move" },
    { tool: "fs_move" },
    { tool: "move", group: "fs" },
  ];
  for (const args of asked) {
    const { text, error } = await test.call("more", args);
    assert.equal(error, undefined, text);
    assert.equal(text.split("\n")[0], "linux_fs_move {source: string, target: string, overwrite?: boolean}");
  }
  const { text } = await test.call("more", { tool: "linux_sys_info" });
  assert.match(text, /info_type: "memory"\|"disk"\|/);
});

Deno.test("more shows every tool of a group that the short list leaves out, and names the groups otherwise", async () => {
  await using test = await makeTestApp({ files: FILES });
  const { catalog } = test.app;
  const hidden = catalog.reachable().filter(({ core }) => !core);
  for (const [group, tools] of Map.groupBy(hidden, ({ toolset }) => toolset)) {
    const { tools: shown } = await test.result("more", { group });
    assert.deepEqual(Object(shown).map(({ name }: { name: string }) => name), tools.map(({ name }) => name));
  }
  const all = await test.result("more");
  assert.equal(Object(all.tools).length, hidden.length);
  const wrong = await test.call("more", { group: "files" });
  assert.match(wrong.text, /INVALID_ARGUMENT: unknown group 'files'.*Groups: fs, search/);
  assert.match(
    (await test.call("more", { tool: "linux_fs_mov" })).text,
    /unknown tool.*Did you mean 'linux_fs_move'/,
  );
});

Deno.test("the description of more has the name of every tool that the short list leaves out", async () => {
  await using test = await makeTestApp();
  const short = test.app.catalog.shortList(new Set()), { summary = "" } = short.at(-1) ?? {};
  for (const { name, toolset } of test.app.catalog.reachable().filter((tool) => !short.includes(tool))) {
    const own = new RegExp(`\\b${toolset}: [^;]*\\b${name.replace(/^linux_/, "").replace(`${toolset}_`, "")}\\b`);
    assert.match(summary, own, name);
  }
});

Deno.test("a call through more is the call of that tool: recorded, bounded and answered as itself", async () => {
  await using test = await makeTestApp({ files: FILES });
  const direct = await test.call("linux_fs_stat", { path: "a.txt" });
  const forms = [
    { tool: "linux_fs_stat", arguments: { path: "a.txt" } },
    { tool: "fs.stat", arguments: '{"path": "a.txt"}' },
    { name: "fs_stat", args: { path: "a.txt" } },
    { tool: "stat", group: "fs", path: "a.txt" },
  ];
  for (const form of forms) {
    const answer = await test.call("more", form);
    assert.equal(answer.tool, "linux_fs_stat");
    assert.deepEqual(answer.result, direct.result);
  }
  const { records } = await test.result("linux_mcp_recent_calls", {});
  const names = Object(records).map(({ tool }: { tool: string }) => tool);
  assert.deepEqual(names, Array(forms.length + 1).fill("linux_fs_stat"));
});

Deno.test("errors of a call through more are those of the tool itself", async () => {
  await using test = await makeTestApp({ files: FILES, settings: { "mcp.read_only": true } });
  const cases: [string, unknown][] = [
    ["linux_fs_stat", { path: "/etc/passwd" }],
    ["linux_fs_stat", { path: 7 }],
    ["linux_fs_stat", []],
    ["linux_fs_delete", { path: "a.txt" }],
    ["no_such_tool", {}],
  ];
  for (const [tool, args] of cases) {
    const [direct, through] = [
      await test.app.envelope.call(tool, args, CALLER),
      await test.app.envelope.call("more", { tool, arguments: args }, CALLER),
    ];
    assert.ok(direct.error && through.error);
    assert.equal(through.text, direct.text);
    assert.equal(through.tool, direct.tool);
  }
});

Deno.test("more does not call itself, however deep a call is wrapped", async () => {
  await using test = await makeTestApp({ files: FILES });
  let args: Record<string, unknown> = { tool: "linux_fs_delete", arguments: { path: "a.txt" } };
  for (let depth = 0; depth < 3; depth++) args = { tool: "more", arguments: args };
  const { tool, text } = await test.call("more", args);
  assert.equal(tool, "more");
  assert.match(text, /^more \{tool\?: string/);
  assert.equal(await Deno.readTextFile(`${test.root}/a.txt`), "hello\n");
});

Deno.test("a tool that needs a person's approval needs it through more too, for the same arguments", async () => {
  await using test = await makeTestApp({ files: FILES, settings: { "mcp.approvals.require": ["destroy"] } });
  const { error } = await test.call("more", { tool: "linux_fs_delete", arguments: { path: "a.txt" } });
  assert.match(error?.code ?? "", /^APPROVAL_/);
  assert.equal(await Deno.readTextFile(`${test.root}/a.txt`), "hello\n");
});

const CALLER = {
  owner: "test/session",
  session: { agentId: "tester", sessionId: "session", model: "none", budgetProfile: "default" },
  signal: new AbortController().signal,
};
