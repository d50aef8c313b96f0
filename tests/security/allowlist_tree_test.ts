/** With `allowlist_scope = "tree"` the kernel enforces the allowlist for grandchildren too. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";

const PROGRAMS = "bash,python3,ls,cat";

async function run(sandbox: Sandbox, level: string, scope: string, argv: readonly string[]) {
  const settings = [`mcp.tools.allowlist_scope=${scope}`, `mcp.tools.run_cmd_allowlist=${PROGRAMS}`];
  const args = ["tool", "run_cmd", `argv=${JSON.stringify(argv)}`, "--json", "--root", sandbox.root];
  const { stdout } = await runBinary([...args, ...settings.flatMap((setting) => ["--set", setting])], {
    env: { ...sandbox.env, LLMC_TEST_LEVEL: level },
    binary: TEST_BINARY,
  });
  return JSON.parse(stdout);
}

/** Starts programs from a program, where no gate looks: one listed, one not, and one that it made itself. */
const SNEAKY = `
import os, shutil, subprocess
def attempt(name, argv):
    try:
        print(name, subprocess.run(argv, capture_output=True, text=True).stdout.strip())
    except PermissionError:
        print(name, "refused")
attempt("listed", ["/usr/bin/cat", "note.txt"])
attempt("unlisted", ["/usr/bin/id", "-u"])
shutil.copyfile("/usr/bin/id", "mine")
os.chmod("mine", 0o755)
attempt("own", ["./mine", "-u"])
`;
import { LEVEL, needing } from "../support/needs.ts";

for (const level of ["full", "landlock"] as const) {
  const name = `allowlist_scope tree lets a program start only listed programs at level ${level}`;
  Deno.test(needing(name, ...LEVEL[level]), async () => {
    await using sandbox = await Sandbox.make({ "note.txt": "hello\n", "sneaky.py": SNEAKY });
    const tree = await run(sandbox, level, "tree", ["python3", "sneaky.py"]);
    assert.equal(tree.stdout, "listed hello\nunlisted refused\nown refused\n", tree.stderr);
    assert.equal(tree.confinement, "landlock");
    const command = await run(sandbox, level, "command", ["python3", "sneaky.py"]);
    assert.match(command.stdout, /^listed hello\nunlisted \d+\nown \d+\n$/, command.stderr);
  });
}

Deno.test("allowlist_scope tree starts nothing where no kernel can hold it", async () => {
  await using sandbox = await Sandbox.make();
  for (const level of ["bwrap", "none"]) {
    const answer = await run(sandbox, level, "tree", ["ls"]);
    assert.equal(answer.code, "SANDBOX_UNAVAILABLE", JSON.stringify(answer));
  }
});

/** Programs that are in no file. Each line says what ran. */
const FROM_MEMORY = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, start):
    child = os.fork()
    if child == 0:
        try: start()
        except Exception: pass
        os._exit(77)
    print(name, "refused" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 77 else "ran", flush=True)
def in_memory(flags):
    file = os.memfd_create("program", flags)
    os.write(file, open("/usr/bin/id", "rb").read())
    return file
def empty_path(file):
    argv = (ctypes.c_char_p * 2)(b"id", None)
    libc.execveat(file, b"", argv, None, 0x1000)
for flags in [0, 1, 2, 3, 4, 16, 17]:
    attempt(f"memfd {flags} by path", lambda: os.execv(f"/proc/self/fd/{in_memory(flags & ~1)}", ["id"]))
    attempt(f"memfd {flags} by descriptor", lambda: empty_path(in_memory(flags)))
attempt("opened file", lambda: empty_path(os.open("/usr/bin/id", os.O_PATH)))
def unnamed():
    file = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o755)
    os.write(file, open("/usr/bin/id", "rb").read())
    again = os.open(f"/proc/self/fd/{file}", os.O_RDONLY)
    os.close(file)
    os.execv(f"/proc/self/fd/{again}", ["id"])
attempt("unnamed file", unnamed)
`;

for (const level of ["full", "landlock"] as const) {
  Deno.test(
    needing(`allowlist_scope tree starts no program from memory at level ${level}`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "memory.py": FROM_MEMORY });
      const tree = await run(sandbox, level, "tree", ["python3", "memory.py"]);
      const lines = `${tree.stdout}`.trim().split("\n");
      assert.equal(lines.length, 16, tree.stderr);
      assert.deepEqual(lines.filter((line) => !line.endsWith(" refused")), []);
      const command = await run(sandbox, level, "command", ["python3", "memory.py"]);
      assert.match(command.stdout, /^memfd 0 by path ran$/m, "else nothing was proved");
    },
  );
}
