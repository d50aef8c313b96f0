/** Diagnosis of a full disk: a file system in memory, and a deleted file that is still open. @module */
import assert from "node:assert/strict";
import { callTool } from "../support/call_tool.ts";
import { Sandbox, startHttp } from "../support/binary.ts";
import { MOUNTS, needing, ROOT_USER } from "../support/needs.ts";

Deno.test(
  needing("a full root in memory and what fills it are named, with the process", ROOT_USER, MOUNTS),
  async () => {
    await using sandbox = await Sandbox.make();
    run("mount", "-t", "tmpfs", "-o", "size=40m", "none", sandbox.root);
    try {
      const path = `${sandbox.root}/gone.log`;
      using file = await Deno.open(path, { write: true, create: true });
      await fill(file, 39.7 * 1024 * 1024);
      await Deno.remove(path);
      await using server = await startHttp(sandbox);
      const { filesystems, deleted_but_open } = Object(await callTool(server, "linux_sys_info", { info_type: "disk" }));
      const mount = filesystems.find((each: { mount_point: string }) => each.mount_point === sandbox.root);
      assert.match(mount.use_percent, /^(?:99|100)%$/);
      assert.ok(
        deleted_but_open.some((each: { pid: number; path: string }) => each.pid === Deno.pid && each.path === path),
      );
      const { short_summary } = await callTool(server, "linux_sys_snapshot", {});
      assert.match(
        String(short_summary),
        new RegExp(`${sandbox.root} (?:99|100)% used, .*deleted but open \\(pid ${Deno.pid} `),
      );
      const { open_files } = Object(await callTool(server, "linux_proc_list", { pid: Deno.pid }));
      assert.ok(open_files.some((each: { path: string; deleted: boolean }) => each.deleted && each.path === path));
    } finally {
      run("umount", "--lazy", sandbox.root);
    }
  },
);

function run(program: string, ...args: string[]): void {
  const { success, stderr } = new Deno.Command(program, { args }).outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
}

async function fill(file: Deno.FsFile, bytes: number): Promise<void> {
  const piece = new Uint8Array(64 * 1024).fill(65);
  for (let written = 0; written + piece.length <= bytes; written += piece.length) await file.write(piece);
}
