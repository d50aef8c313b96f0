/** Commands without a configured root work on the current folder, and say so once. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox } from "../support/binary.ts";

const NOTE = /^llmc-mcp: no root is configured; using the current folder, (.*)$/gm;

Deno.test("without a root, tool, te, index and rag search use the current folder and say so once", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n", "src/oven.py": "def preheat():\n    pass\n" });
  const cases: readonly (readonly [words: readonly string[], printed: RegExp])[] = [
    [["tool", "linux_fs_read", "path=a.txt"], /^one\n$/],
    [["te", "cat", "a.txt"], /^one\n$/],
    [["te", "--", "cat", "a.txt"], /^one\n$/],
    [["index"], /ready {2}2 files/],
    [["index", "--status"], /ready {2}2 files/],
    [["rag", "search", "preheat"], /src\/oven\.py/],
  ];
  for (const [words, printed] of cases) {
    await t.step(words.join(" "), async () => {
      const { code, stdout, stderr } = await runBinary(words, { env: sandbox.env, cwd: sandbox.root });
      assert.match(stdout, printed, stderr);
      assert.deepEqual([...stderr.matchAll(NOTE)].map(([, folder]) => folder), [sandbox.root]);
      assert.equal(code, 0);
    });
  }
});

Deno.test("a configured root is used in silence, and the root of the machine is never taken by itself", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  const words = ["tool", "linux_fs_read", "path=a.txt"], env = sandbox.env;
  const given = await runBinary([...words, "--root", sandbox.root], { env, cwd: "/" });
  assert.deepEqual([given.stdout, given.stderr], ["one\n", ""]);
  const named = await runBinary(words, { env: { ...env, LLMC_ROOT: sandbox.root }, cwd: "/" });
  assert.deepEqual([named.stdout, named.stderr], ["one\n", ""]);
  const none = await runBinary(words, { env, cwd: "/" });
  assert.equal(none.code, 78);
  assert.match(none.stderr, /the current folder is \/.*name a folder/);
});

Deno.test("config init creates a valid configuration once and never changes one that exists", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  const run = (...words: string[]) => runBinary(words, { env: sandbox.env, cwd: sandbox.dir });
  const path = `${sandbox.dir}/home/.config/llmc/llmc.toml`;
  const made = await run("config", "init", "--root", sandbox.root);
  assert.deepEqual([made.code, made.stdout], [0, `created ${path}\n`]);
  assert.match((await run("config", "check")).stdout, /^ok /m);
  assert.equal((await run("tool", "linux_fs_read", "path=a.txt")).stdout, "one\n");
  const before = await Deno.readTextFile(path);
  const again = await run("config", "init", "--root", sandbox.dir);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /exists and was not changed/);
  assert.equal(await Deno.readTextFile(path), before);
  await Deno.symlink("/nowhere/else", `${sandbox.dir}/link.toml`);
  assert.equal((await run("config", "init", "--config", "link.toml")).code, 1);
});

Deno.test("tool NAME --help shows the arguments of that tool, by any of its names", async () => {
  await using sandbox = await Sandbox.make();
  const help = async (...words: string[]) => await runBinary(["tool", ...words], { env: sandbox.env });
  const { code, stdout } = await help("linux_fs_read", "--help");
  assert.equal(code, 0);
  assert.match(stdout, /^ {2}path= +string, required$/m);
  assert.match(stdout, /^ {2}max_lines= +integer 1 to 2000, default 200$/m);
  assert.equal((await help("linux.fs_read", "-h")).stdout, stdout);
  const list = (await help()).stdout.split("\n").map((line) => line.split(" ")[0] ?? "").filter((name) => name !== "");
  for (const name of list) assert.match((await help(name, "--help")).stdout, /^Arguments:$/m, name);
});
