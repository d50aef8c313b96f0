import assert from "node:assert/strict";
import { cpuPercent } from "../../src/sysinfo/machine_load.ts";
import { readMountInfo } from "../../src/sysinfo/mount_table.ts";
import { makeMountFacts } from "../../src/sysinfo/mounts.ts";
import { makeSystemFacts } from "../../src/sysinfo/system.ts";
import { stopClock } from "../support/clock.ts";

Deno.test("system shows memory, mounts and addresses of the machine that it runs on", async () => {
  const { files, mounts, interfaces, arch } = await makeSystemFacts({ roots: [], container: "" }).system();
  assert.match(files["/proc/meminfo"] ?? "", /^MemTotal:/);
  assert.match(files["/proc/loadavg"] ?? "", /^\d/);
  assert.equal(files["/proc/sys/kernel/hostname"], Deno.hostname());
  assert.equal(arch, Deno.build.arch);
  const root = mounts.find(({ mount }) => mount === "/");
  assert.ok(root && root.sizeBytes > 0 && root.usedBytes > 0 && root.usedBytes <= root.sizeBytes);
  const loopback = interfaces.find(({ name }) => name === "lo");
  assert.ok(loopback?.addresses.includes("127.0.0.1/8"));
  assert.equal(interfaces.at(-1)?.name, "lo");
});

Deno.test("system agrees with df on the root directory", async () => {
  const { mounts } = await makeSystemFacts({ roots: [], container: "" }).system();
  const { stdout } = await new Deno.Command("df", {
    args: ["-B1", "--output=size,used,avail", "/"],
    env: { LC_ALL: "C" },
  })
    .output();
  const [size, used, available] = (new TextDecoder().decode(stdout).split("\n")[1] ?? "").trim().split(/\s+/).map(
    Number,
  );
  const root = mounts.find(({ mount }) => mount === "/");
  assert.equal(root?.sizeBytes, size);
  // Others write meanwhile.
  assert.ok(Math.abs((root?.usedBytes ?? 0) - (used ?? 0)) < 2 ** 30);
  assert.ok(Math.abs((root?.availableBytes ?? 0) - (available ?? 0)) < 2 ** 30);
});

Deno.test("what was read a moment ago serves every caller", async () => {
  const facts = makeSystemFacts({ roots: [], container: "" });
  using _clock = stopClock();
  for (const ask of [facts.system, facts.cpu]) {
    const [first, second] = await Promise.all([ask(), ask()]);
    assert.equal(first, second);
    assert.equal(await ask(), first);
  }
});

Deno.test("a sample of the processors is long enough for many ticks of each", async () => {
  const { before, after } = await makeSystemFacts({ roots: [], container: "" }).cpu();
  assert.ok(after.atMs - before.atMs >= 100, `${after.atMs - before.atMs} ms`);
});

Deno.test("cpu sees a processor at work", async () => {
  const child = new Deno.Command("/bin/sh", { args: ["-c", "while :; do :; done"], stdin: "null" }).spawn();
  try {
    const sample = await makeSystemFacts({ roots: [], container: "" }).cpu();
    const percent = cpuPercent(sample, navigator.hardwareConcurrency);
    assert.ok(percent > 50 / navigator.hardwareConcurrency && percent <= 100, `${percent} %`);
    assert.ok(!sample.before.stat.includes("\n"), "only the first line of /proc/stat travels");
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
});

Deno.test("hardware names the processor and finds the disks that there are", async () => {
  const { cpuinfo, blocks } = await makeSystemFacts({ roots: [], container: "" }).hardware();
  assert.match(cpuinfo, /^processor\s*:/m);
  const names = blocks.map(({ name }) => name);
  assert.ok(names.every((name) => !/^(?:loop|ram|zram)/.test(name)), names.join());
  assert.ok(blocks.every(({ sizeBytes }) => sizeBytes > 0));
});

Deno.test("mounted files and mounts that are gone are left out", async () => {
  const rows = readMountInfo(
    "1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 8:2 /hosts /etc/hosts rw - ext4 /dev/b rw\n3 1 8:3 / /nowhere/at/all rw - ext4 /dev/c rw",
  );
  const found = await makeMountFacts()(rows);
  assert.deepEqual(found.map(({ mount }) => mount), ["/"]);
});

Deno.test("a volume on the disk below an overlay root is the same disk, shown once", async () => {
  const rows = readMountInfo("1 0 0:9 / / rw - overlay overlay rw\n2 1 8:2 /v /etc rw - ext4 /dev/b rw");
  // Here / and /etc are one file system, so their figures are equal, as in a container.
  const found = await makeMountFacts()(rows);
  assert.deepEqual(found.map(({ mount, type }) => `${mount} ${type}`), ["/ overlay"]);
});
