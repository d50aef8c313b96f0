/** The executable as an ordinary user: a process that hides its memory cannot read much of /proc. @module */
import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox } from "../support/binary.ts";
import { needing, ROOT_USER } from "../support/needs.ts";

/** "nobody", everywhere. */
const UID = 65534;

/** Runs the executable as another user, in a folder that this user owns. */
async function asNobody(
  dir: string,
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command("setpriv", {
    args: [`--reuid=${UID}`, `--regid=${UID}`, "--clear-groups", `${dir}/llmc-mcp`, ...args],
    clearEnv: true,
    env: { HOME: dir, PATH: "/usr/bin:/bin" },
    cwd: dir,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test({
  // Without root all other tests are this one.
  ...needing("a user who is not root gets the same sandbox, and only its own processes", ROOT_USER),
  async fn() {
    // The folder of the tests is closed to others.
    const dir = await Deno.makeTempDir({ dir: "/tmp", prefix: "llmc-nobody-" });
    try {
      await Deno.copyFile(BINARY, `${dir}/llmc-mcp`);
      await Deno.chmod(`${dir}/llmc-mcp`, 0o755);
      await Deno.mkdir(`${dir}/root`);
      for (const path of [dir, `${dir}/root`]) await Deno.chown(path, UID, UID);
      const doctor = await asNobody(dir, ["doctor", "--root", `${dir}/root`, "--json"]);
      assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr);
      assert.equal(JSON.parse(doctor.stdout).root, false);

      const tool = (...args: string[]) => asNobody(dir, ["tool", "--root", `${dir}/root`, ...args]);
      assert.equal((await tool("linux_fs_write", "path=a.txt", "content=hello")).code, 0);
      assert.match((await tool("run_cmd", "command=cat a.txt")).stdout, /hello/);
      const listed = JSON.parse((await tool("--json", "linux_proc_list")).stdout);
      const own = listed.processes.filter(({ command }: { command: string }) => command.includes("linux_proc_list"));
      assert.ok(own.length > 0, "the server itself is in the list of its user's processes");
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
});

Deno.test({
  ...needing("the superuser is told whose closed folder keeps programs from a root, and what helps", ROOT_USER),
  async fn() {
    await using sandbox = await Sandbox.make();
    const home = `${sandbox.dir}/nobody`, root = `${home}/project`;
    await Deno.mkdir(root, { recursive: true });
    await Deno.chown(home, UID, UID);
    await Deno.chmod(home, 0o700);
    const list = () => runBinary(["tool", "linux_fs_list", "path=.", "--root", root], { env: sandbox.env });
    const refused = await list();
    assert.equal(refused.code, 69);
    assert.ok(
      refused.stderr.includes(`programs cannot reach the root ${root}: ${home} is closed to all but user ${UID}`),
    );
    assert.doesNotMatch(refused.stderr, /does not hold/);
    const help = /chmod o\+x (\S+)/.exec(refused.stderr);
    await Deno.chmod(help?.[1] ?? "", 0o701);
    assert.equal((await list()).code, 0, "the advice helps");
  },
});
