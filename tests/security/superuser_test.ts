/** What a program can do to the kernel when the server runs as the superuser. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing, ROOT_USER } from "../support/needs.ts";

/** Opens for writing; that alone must not work, so nothing is changed. Directories are searched for files to open. */
const SCRIPT = `
import os
def writable(path):
    try: os.close(os.open(path, os.O_WRONLY)); return True
    except OSError: return False
for start in ["/proc/sys", "/sys"]:
    for folder, _, names in os.walk(start):
        for name in names:
            path = f"{folder}/{name}"
            if writable(path): print("writable", path)
for path in ["/proc/sysrq-trigger", "/proc/kcore", "/dev/mem", "/dev/kmsg", "/proc/irq/default_smp_affinity", "/proc/timer_list"]:
    if writable(path): print("writable", path)
print("done")
`;

for (const level of ["full", "landlock", "bwrap"] as const) {
  Deno.test(
    needing(`no program writes the kernel's settings at level ${level}`, ROOT_USER, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "kernel.py": SCRIPT });
      const argv = JSON.stringify(["python3", "kernel.py"]);
      const { stdout, stderr } = await runBinary(
        ["tool", "run_cmd", `argv=${argv}`, "--json", "--root", sandbox.root],
        {
          env: { ...sandbox.env, LLMC_TEST_LEVEL: level },
          binary: TEST_BINARY,
        },
      );
      assert.equal(JSON.parse(stdout).stdout, "done\n", stdout + stderr);
    },
  );
}
