/** An allowed program in a root that programs can write: it must not be replaced. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const ROOT = "/usr/local", LISTED = `${ROOT}/bin/listed`;
const TO_MOUNT = [ROOT_USER, MOUNTS];
const SETTINGS = ["--root", ROOT, "--set", "mcp.linux_ops.commands.allowed_binaries=listed"];

/** Starts the executable where /usr/local/bin is a folder of the test's own, with a copy of `cat` as a program. */
async function mounted(): Promise<{ sandbox: Sandbox; binary: string }> {
  const sandbox = await Sandbox.make({ "note.txt": "hello\n", "overwrite.py": OVERWRITE });
  const binary = `${sandbox.dir}/mounted.sh`;
  const prepare = `mount -t tmpfs none ${ROOT}/bin && cp /usr/bin/cat ${LISTED} && exec ${TEST_BINARY} "$@"`;
  await Deno.writeTextFile(binary, `#!/bin/sh\nexec unshare --mount /bin/sh -c '${prepare}' mounted "$@"\n`, {
    mode: 0o755,
  });
  return { sandbox, binary };
}

/** Every way to make one file another. */
const OVERWRITE = `
import os, shutil
path, folder = "${LISTED}", "${ROOT}/bin"
def attempt(name, act):
    try:
        act()
        print(name, "done")
    except OSError:
        print(name, "refused")
attempt("write", lambda: shutil.copyfile("/usr/bin/id", path))
attempt("remove", lambda: os.remove(path))
attempt("rename", lambda: os.rename(path, path + ".old"))
open(folder + "/other", "w").write("#!/bin/sh\\necho other\\n")
os.chmod(folder + "/other", 0o755)
attempt("replace", lambda: os.replace(folder + "/other", path))
attempt("move folder", lambda: os.rename(folder, folder + ".old"))
`;
import { LANDLOCK, LEVEL, MOUNTS, needing, ROOT_USER } from "../support/needs.ts";

const REFUSED = ["write", "remove", "rename", "replace", "move folder"].map((name) => `${name} refused`);

for (const level of ["full", "bwrap", "landlock"] as const) {
  Deno.test(
    needing(`no tool changes an allowed program in a root (${level})`, ...TO_MOUNT, ...LEVEL[level]),
    async () => {
      const { sandbox, binary } = await mounted();
      await using _ = sandbox;
      await using peer = await StdioPeer.open(sandbox, { binary, args: SETTINGS, env: { LLMC_TEST_LEVEL: level } });
      const note = `${sandbox.root}/note.txt`;
      const attempts: [string, Record<string, unknown>][] = [
        ["linux_fs_write", { path: LISTED, content: "#!/bin/sh\necho other\n" }],
        ["linux_fs_delete", { path: LISTED }],
        ["linux_fs_move", { source: LISTED, target: `${ROOT}/bin/old` }],
        ["linux_fs_move", { source: note, target: LISTED, overwrite: true }],
      ];
      for (const [name, args] of attempts) {
        assert.match(await peer.call(name, args), /INVALID_PATH/, `${name} ${JSON.stringify(args)}`);
      }
      assert.match(await peer.call("run_cmd", { argv: ["listed", note] }), /^hello/);
    },
  );
}

for (const level of ["full", "bwrap"] as const) {
  Deno.test(
    needing(`no program changes an allowed program in a root (${level})`, ...TO_MOUNT, ...LEVEL[level]),
    async () => {
      const { sandbox, binary } = await mounted();
      await using _ = sandbox;
      await using peer = await StdioPeer.open(sandbox, { binary, args: SETTINGS, env: { LLMC_TEST_LEVEL: level } });
      const script = `${sandbox.root}/overwrite.py`;
      const answer = await peer.call("run_cmd", { argv: ["python3", script] });
      const [note, ...attempts] = answer.trim().split("\n").toReversed();
      assert.deepEqual(attempts.toReversed(), REFUSED, answer);
      assert.match(note ?? "", /^\[changed 1 file · undo op_\w+\]$/); // the other program, which it was allowed to make
      assert.match(await peer.call("run_cmd", { argv: ["listed", `${sandbox.root}/note.txt`] }), /^hello/);
    },
  );
}

Deno.test(needing("doctor names an allowed program in a root", ...TO_MOUNT, LANDLOCK), async () => {
  const { sandbox, binary } = await mounted();
  await using _ = sandbox;
  for (
    const [scope, advice] of [["command", "keep it from being changed there"], ["tree", "so it cannot be started"]]
  ) {
    const args = ["doctor", "--json", ...SETTINGS, "--set", `mcp.tools.allowlist_scope=${scope}`];
    const { stdout } = await runBinary(args, { env: { ...sandbox.env, LLMC_TEST_LEVEL: "landlock" }, binary });
    assert.ok(stdout.includes(`listed is ${LISTED}, inside the root ${ROOT}: ${advice}`), stdout);
  }
});

const treeName = "with allowlist_scope tree an allowed program in a root does not start";
Deno.test(needing(treeName, ...TO_MOUNT, LANDLOCK), async () => {
  const { sandbox, binary } = await mounted();
  await using _ = sandbox;
  const args = [...SETTINGS, "--set", "mcp.tools.allowlist_scope=tree"];
  await using peer = await StdioPeer.open(sandbox, { binary, args });
  const note = `${sandbox.root}/note.txt`;
  assert.match(await peer.call("run_cmd", { argv: ["cat", note] }), /^hello/);
  const answer = await peer.call("run_cmd", { argv: ["listed", note] });
  assert.match(answer, /exit 126/);
  assert.doesNotMatch(answer, /hello/);
});
