/** Undo through the executable: what is restored, what is left alone, and what a killed server leaves behind. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { overHttp, overStdio, type TestClient } from "../support/clients.ts";
import { SDK_TIMERS } from "../support/faces.ts";
import { snapshot } from "../support/tree_snapshot.ts";

async function decorate(root: string): Promise<void> {
  const code = `
import os
root = ${JSON.stringify(root)}
os.makedirs(root + "/dir/empty", 0o700)
os.chmod(root + "/dir/a.sh", 0o4751)
os.setxattr(root + "/dir/a.sh", "user.note", b"kept\\0bytes")
os.setxattr(root + "/dir", "user.folder", b"too")
os.symlink("a.sh", root + "/dir/link")
os.symlink("/nowhere", root + "/dir/dangling")
open(root + "/dir/bytes", "wb").write(os.urandom(700_000))
`;
  const { success, stderr } = await new Deno.Command("python3", { args: ["-c", code] }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

Deno.test("llmc-mcp undo restores contents, modes, links, attributes and empty folders; llmc-mcp changes lists them", async () => {
  await using sandbox = await Sandbox.make({ "dir/a.sh": "echo old\n" });
  await decorate(sandbox.root);
  const run = async (...args: string[]) => await runBinary([...args, "--root", sandbox.root], { env: sandbox.env });
  const before = await snapshot(sandbox.root);
  const calls = [
    ["linux_fs_delete", "path=dir", "recursive=true"],
    ["linux_fs_patch_block", "path=dir/a.sh", "old_text=old", "new_text=new"],
    ["linux_fs_move", "source=dir", "target=moved"],
    ["linux_fs_write", "path=x/y/z", "content=text"],
  ];
  for (const call of calls) {
    const done = await run("tool", ...call);
    assert.equal(done.code, 0, done.stderr);
    assert.notEqual(await snapshot(sandbox.root), before);
    const undone = await run("undo");
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    assert.equal(await snapshot(sandbox.root), before, call.join(" "));
  }
  const listed = await run("changes");
  assert.match(listed.stdout, /^op_8 \S+Z linux_fs_undo 3 paths operator\/cli, undoes op_7 /);
  const op = await run("changes", "op_3", "--diff");
  assert.match(op.stdout, /op_3 .* undone by op_4\n {2}modified dir\/a\.sh\n--- a\/dir\/a\.sh\n/);
  assert.match((await run("undo", "op_zz")).stderr, /NOT_FOUND: operation 'op_zz' does not exist/);
  await Deno.writeTextFile(`${sandbox.root}/dir/a.sh`, "by hand");
  const conflict = await run("undo", "op_4");
  assert.deepEqual([conflict.code, /dir\/a\.sh: changed since by another program/.test(conflict.stdout)], [1, true]);
  assert.equal(await Deno.readTextFile(`${sandbox.root}/dir/a.sh`), "by hand");
});

Deno.test({
  name: "what a server recorded before kill -9 can be undone by another server",
  ...SDK_TIMERS,
  async fn() {
    await using sandbox = await Sandbox.make({});
    for (let at = 0; at < 40; at++) await sandbox.write(`f${at}`, `old ${at}\n`);
    const before = await snapshot(sandbox.root);
    const server = await startHttp(sandbox, { args: ["--set", "mcp.limits.rate_limit_burst=1000"] });
    await using client = await overHttp(server)[1]!.connect();
    const calls = Array.from(
      { length: 40 },
      (_, at) => client.call("linux_fs_write", { path: `f${at}`, content: `new ${at}` }).catch(() => null),
    );
    await calls[5]; // some are done, others under way
    await server.stop("SIGKILL");
    await Promise.all(calls);
    assert.notEqual(await snapshot(sandbox.root), before);
    const undone = await runBinary(["undo", "--since", "1h", "--root", sandbox.root], { env: sandbox.env });
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    assert.equal(await snapshot(sandbox.root), before);
  },
});

Deno.test({
  name: "two servers and an editor at once: an undo never loses what another has written",
  ...SDK_TIMERS,
  async fn() {
    await using sandbox = await Sandbox.make({ shared: "start\n" });
    const [first, second] = overStdio(sandbox);
    await using one: TestClient = await first!.connect();
    await using two: TestClient = await second!.connect();
    const path = `${sandbox.root}/shared`, read = () => Deno.readTextFile(path);
    const write = async (client: TestClient, content: string) => {
      const { isError, text } = await client.call("linux_fs_write", { path: "shared", content });
      assert.equal(isError, false, text);
    };
    for (let round = 0; round < 60; round++) {
      const before = await read();
      await write(one, `one ${round}\n`);
      if (round % 3 === 0) await write(two, `two ${round}\n`);
      if (round % 3 === 1) await Deno.writeTextFile(path, `editor ${round}\n`);
      const expected = [`two ${round}\n`, `editor ${round}\n`, before][round % 3];
      const undone = await one.call("linux_fs_undo");
      assert.equal(await read(), expected, undone.text);
      if (round % 3 === 0) assert.match(undone.text, /shared: changed since by .*\(op_/);
    }
    // Beside each other, on files of their own: each takes back its own.
    const own = async (client: TestClient, name: string) => {
      for (let at = 0; at < 10; at++) await client.call("linux_fs_write", { path: `${name}/${at}`, content: name });
      return await client.call("linux_fs_undo", { since: "1h", path: name });
    };
    await Promise.all([own(one, "a"), own(two, "b")]);
    assert.deepEqual((await Array.fromAsync(Deno.readDir(sandbox.root))).map(({ name }) => name), ["shared"]);
  },
});
