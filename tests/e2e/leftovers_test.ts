/** Leftovers of a killed server, and their removal. @module */
import assert from "node:assert/strict";
import { Sandbox } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

async function entries(sandbox: Sandbox): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(`${sandbox.dir}/run`), ({ name }) => name)).sort();
}

Deno.test("the directory of a killed server goes when a later one starts; nothing else does", async () => {
  await using sandbox = await Sandbox.make();
  const run = `${sandbox.dir}/run`;
  await using living = await StdioPeer.open(sandbox);
  await living.call("linux_fs_list", { path: "." });
  const ofLiving = await entries(sandbox);
  assert.equal(ofLiving.length, 1);

  const killed = await StdioPeer.open(sandbox);
  killed.kill("SIGKILL");
  await killed.status;
  const left = await entries(sandbox);
  assert.equal(left.length, 2, "a killed server cannot clean up");
  await killed[Symbol.asyncDispose]();

  // Somebody's folder with a file called like the lock, reached through a link; one that is only just being made; another program's.
  await Deno.mkdir(`${sandbox.dir}/home/precious`, { mode: 0o700 });
  await Deno.writeTextFile(`${sandbox.dir}/home/precious/lock`, "");
  await Deno.symlink(`${sandbox.dir}/home/precious`, `${run}/llmc-mcp-link`);
  await Deno.mkdir(`${run}/llmc-mcp-starting`, { mode: 0o700 });
  await Deno.mkdir(`${run}/other`, { mode: 0o700 });
  await Deno.writeTextFile(`${run}/other/lock`, "");
  const kept = [...ofLiving, "llmc-mcp-link", "llmc-mcp-starting", "other"];

  await using next = await StdioPeer.open(sandbox);
  await eventually(async () => {
    const now = await entries(sandbox);
    assert.deepEqual(left.filter((name) => !ofLiving.includes(name) && now.includes(name)), []);
  });
  const now = await entries(sandbox);
  assert.deepEqual(kept.filter((name) => !now.includes(name)), []);
  assert.equal(now.length, kept.length + 1, "its own");
  assert.equal(await Deno.readTextFile(`${sandbox.dir}/home/precious/lock`), "");
  assert.match(await living.call("run_cmd", { command: "echo alive" }), /alive/);
  await next.request("ping");
});

Deno.test("old links of killed servers go from the data directory", async () => {
  await using sandbox = await Sandbox.make();
  await (await StdioPeer.open(sandbox))[Symbol.asyncDispose]();
  const store = await sandbox.storeDir();
  const link = async (name: string, target: string, age: string) => {
    await Deno.symlink(target, `${store}/${name}`);
    await new Deno.Command("touch", { args: ["-h", "-d", age, `${store}/${name}`] }).output();
  };
  await link(".canary-old", "/nowhere/canary", "2 hours ago");
  await link(".canary-young", "/nowhere/canary", "1 minute ago");
  await link(".canary-living", sandbox.root, "2 hours ago");
  await using peer = await StdioPeer.open(sandbox);
  const names = async () =>
    (await Array.fromAsync(Deno.readDir(store), ({ name }) => name)).filter((name) => !/-.*-/.test(name));
  await eventually(async () => {
    const links = (await names()).filter((name) => name.startsWith(".canary")).sort();
    assert.deepEqual(links, [".canary-living", ".canary-young"]);
  });
  await peer.request("ping");
});
