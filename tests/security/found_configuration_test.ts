/** A configuration file that comes with a repository, and one that a program leaves behind. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";

const CLOSED = "[mcp]\nread_only = true\n[mcp.tools]\nallow_outbound_network = false\n";

/** The operator's own file, which closes things. */
async function makeOperator(): Promise<Sandbox> {
  const sandbox = await Sandbox.make();
  await Deno.mkdir(`${sandbox.env.HOME}/.config/llmc`, { recursive: true });
  await Deno.writeTextFile(`${sandbox.env.HOME}/.config/llmc/llmc.toml`, CLOSED);
  return sandbox;
}

const write = (sandbox: Sandbox) =>
  runBinary(["tool", "linux_fs_write", "path=new.txt", "content=x", "--json", "--root", sandbox.root], {
    env: sandbox.env,
    cwd: sandbox.root,
  });

Deno.test("an llmc.toml of a repository, empty or with every default, lifts nothing of the operator's configuration", async () => {
  await using sandbox = await makeOperator();
  for (const text of ["", "[mcp]\nread_only = false\n", await Deno.readTextFile("llmc.toml")]) {
    await sandbox.write("llmc.toml", text);
    const { stdout } = await write(sandbox);
    assert.equal(JSON.parse(stdout).code, "FEATURE_DISABLED", stdout);
  }
});

Deno.test("a llmc.toml of a repository that opens something is refused with the name of the key", async () => {
  await using sandbox = await makeOperator();
  const opening = {
    "mcp.tools.confinement": "[mcp.tools]\nconfinement = 'off'\n",
    "mcp.tools.allowed_roots": "[mcp.tools]\nallowed_roots = ['/etc']\n",
    "mcp.linux_ops.commands.allowed_binaries": "[mcp.linux_ops.commands]\nallowed_binaries = ['perl']\n",
    "mcp.te.script_path": "[mcp.te]\nscript_path = './te'\n",
  };
  for (const [key, text] of Object.entries(opening)) {
    await sandbox.write("llmc.toml", text);
    const { code, stderr } = await write(sandbox);
    assert.equal(code, 78, stderr);
    assert.match(stderr, new RegExp(`${key.replaceAll(".", "\\.")}: would open more`));
  }
});

Deno.test("a llmc.toml that appears while the server runs is not read at a reload", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { cwd: sandbox.root });
  await sandbox.write("llmc.toml", "[mcp.tools]\nenable_run_cmd = false\n");
  Deno.kill(server.pid, "SIGHUP");
  await eventually(() => assert.match(server.stderr(), /no changes to apply/));
});
