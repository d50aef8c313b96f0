/** The recorder reads paths from programs, outside every domain: it must keep nothing from outside the roots. @module */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing, program } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** Names the secret in every way, and swaps a file for a link to it while it is opened. */
const ATTACK = `
import os, threading, time
secret, until = os.environ["SECRET"], time.time() + 2
os.symlink(secret, "direct"); os.symlink(os.path.dirname(secret), "folder")
def touch(path, *where):
  for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_CREAT):
    try: os.close(os.open(path, flags, *where))
    except OSError: pass
for path in (secret, "direct", "folder/" + os.path.basename(secret), "/proc/self/cwd/direct", "/proc/self/root" + secret, "../" + os.path.basename(secret)): touch(path)
for change in (os.unlink, os.rmdir, os.chmod, os.truncate):
  try: change("folder/" + os.path.basename(secret), *([0o600] if change is os.chmod else [0] if change is os.truncate else []))
  except OSError: pass
open("file", "w").write("harmless")
def swap():
  while time.time() < until:
    os.symlink(secret, "next"); os.replace("next", "racer"); open("next", "w").write("harmless"); os.replace("next", "racer")
threading.Thread(target=swap).start()
while time.time() < until: touch("racer")
`;

for (const level of ["full", "landlock", "bwrap"] as const) {
  Deno.test({
    ...needing(
      `the recorder keeps nothing from outside the roots, at level ${level}`,
      ...LEVEL[level],
      program("python3"),
    ),
    async fn() {
      await using sandbox = await Sandbox.make();
      const text = crypto.randomUUID(), secret = `${sandbox.dir}/secret`;
      await Deno.writeTextFile(secret, text);
      await using peer = await StdioPeer.open(sandbox, { binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: level } });
      const ran = await peer.call("run_cmd", { argv: ["python3", "-c", ATTACK], env: { SECRET: secret } });
      assert.match(ran, /changed \d+ files? · undo op_/, ran);
      const hash = createHash("sha256").update(text).digest("hex"), store = await sandbox.storeDir();
      using database = new DatabaseSync(`${store}/undo.db`, { readOnly: true });
      assert.equal(database.prepare("select count(*) as count from images where hash = ?").get(hash)?.count, 0);
      const paths = database.prepare("select path from entries").all().map(({ path }) => String(path));
      assert.deepEqual(paths.filter((path) => !path.startsWith(`${sandbox.root}/`)), []);
      assert.ok(paths.includes(`${sandbox.root}/file`)); // it has looked
      await peer.call("linux_fs_undo");
      assert.equal(await Deno.readTextFile(secret), text);
    },
  });
}
