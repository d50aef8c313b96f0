/** With `allowlist_scope = "tree"` the kernel holds the allowlist for grandchildren too. @module */
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
