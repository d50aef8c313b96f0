/** What a program can do to the kernel when the server runs as root. @module */
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

/** Ways to leave a file with the rights of its owner; each that works is found afterwards by its mode. */
const SETUID = `
cp /bin/true a; chmod 4755 a; chmod u+s a; chmod 6755 a; chmod g+s a
install -m 4755 /bin/true b; mkdir -m 2755 c; mknod -m 4755 d p
cp -p /usr/bin/passwd e; cp --preserve=mode /bin/su f; tar -C /usr/bin -cf t.tar passwd && tar -pxf t.tar
cat > w.py <<'END'
import os
for number, call in enumerate([
    lambda: os.close(os.open("g", os.O_CREAT | os.O_WRONLY, 0o4755)),
    lambda: os.mkfifo("h", 0o6755),
    lambda: os.chmod("a", 0o4755, dir_fd=os.open(".", os.O_RDONLY)),
    lambda: os.fchmod(os.open("a", os.O_RDONLY), 0o4755),
    lambda: os.setxattr("a", "security.capability", bytes.fromhex("0100000200040000000000000000000000000000")),
    lambda: os.chown("a", 65534, 65534),
]):
    try: call(); print("call", number, "went through")
    except OSError: pass
END
python3 w.py | grep -v 'call [01] '; echo tried
`;

for (const level of ["full", "landlock", "bwrap"] as const) {
  Deno.test(
    needing(`a program of the superuser leaves no setuid file in a root at level ${level}`, ROOT_USER, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "setuid.sh": SETUID });
      const argv = JSON.stringify(["bash", "setuid.sh"]);
      const { stdout, stderr } = await runBinary(
        ["tool", "run_cmd", `argv=${argv}`, "--json", "--root", sandbox.root],
        {
          env: { ...sandbox.env, LLMC_TEST_LEVEL: level },
          binary: TEST_BINARY,
        },
      );
      assert.equal(JSON.parse(stdout).stdout, "tried\n", stdout + stderr);
      for await (const { name } of Deno.readDir(sandbox.root)) {
        const { mode } = await Deno.lstat(`${sandbox.root}/${name}`);
        assert.equal((mode ?? 0) & 0o6000, 0, name);
      }
    },
  );
}
