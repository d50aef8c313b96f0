/** Edits preserve a file's attributes, through the executable. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox } from "../support/binary.ts";

/** Runs a line of Python, the one program here that knows extended attributes. */
async function python(code: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("python3", { args: ["-c", code] }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("an edit keeps mode, owner, extended attributes and the number of names of a file", async () => {
  await using sandbox = await Sandbox.make({ "a.sh": "echo old\n" });
  const path = `${sandbox.root}/a.sh`;
  await Deno.chmod(path, 0o751);
  await python(`import os; os.setxattr(${JSON.stringify(path)}, "user.note", b"kept")`);
  const before = await Deno.stat(path);
  const args = ["tool", "linux_fs_patch_block", "path=a.sh", "old_text=old", "new_text=new", "--root", sandbox.root];
  const { code, stderr } = await runBinary(args, { env: sandbox.env });
  assert.equal(code, 0, stderr);
  const after = await Deno.stat(path);
  assert.equal(await Deno.readTextFile(path), "echo new\n");
  assert.notEqual(after.ino, before.ino, "it was replaced, not written in place");
  assert.deepEqual([after.mode, after.uid, after.gid, after.nlink], [
    before.mode,
    before.uid,
    before.gid,
    before.nlink,
  ]);
  assert.equal(await python(`import os; print(os.getxattr(${JSON.stringify(path)}, "user.note").decode())`), "kept");
});
