import assert from "node:assert/strict";
import { sysSnapshot } from "../../../src/tools/sys/snapshot.ts";
import { makeTestApp } from "../../support/app.ts";
import { BOARD, CONTAINER_V1, CONTAINER_V2, DESKTOP, factsOf, type Machine } from "./machines.ts";
import { withFacts } from "./support.ts";

const snapshotOf = async (machine: Machine) => (await withFacts(factsOf(machine)).call(sysSnapshot)).result;

Deno.test("linux.sys_snapshot shows CPU, load, memory and every disk of a machine", async () => {
  assert.deepEqual(await snapshotOf(DESKTOP), {
    cpu_percent: 25,
    load_avg: [1.5, 1.3, 1.1],
    mem_used_mb: 8397,
    mem_total_mb: 16384,
    disks: [{ mount: "/", used_percent: 52.1 }, { mount: "/data", used_percent: 42 }],
    short_summary: "CPU 25%, Load 1.50/1.30/1.10, RAM 8397/16384 MB, / 52% used",
  });
});

Deno.test("linux.sys_snapshot in a container measures against its limits and shows its overlay root", async () => {
  const { cpu_percent, mem_used_mb, mem_total_mb, disks, short_summary } = await snapshotOf(CONTAINER_V2);
  assert.equal(cpu_percent, 60); // 90 ms of the 150 ms that the quota gives in 100 ms
  assert.deepEqual([mem_used_mb, mem_total_mb], [1024, 2048]);
  assert.deepEqual(disks, [{ mount: "/", used_percent: 52.1 }]);
  assert.match(short_summary, /RAM 1024\/2048 MB \(cgroup limit\), \/ 52% used$/);
});

Deno.test("linux.sys_snapshot under control groups of version 1 does the same, and lives without any disk", async () => {
  const { cpu_percent, mem_used_mb, mem_total_mb, disks, short_summary } = await snapshotOf(CONTAINER_V1);
  assert.equal(cpu_percent, 25);
  assert.deepEqual([mem_used_mb, mem_total_mb], [500, 1024]);
  assert.deepEqual(disks, []);
  assert.match(short_summary, /MB \(cgroup limit\)$/);
});

Deno.test("linux.sys_snapshot of an idle board without swap", async () => {
  const { cpu_percent, load_avg, disks } = await snapshotOf(BOARD);
  assert.deepEqual([cpu_percent, load_avg, disks], [0, [0, 0.01, 0.05], [{ mount: "/", used_percent: 96.4 }]]);
});

Deno.test("linux.sys_snapshot keeps the root and the fullest of many disks", async () => {
  const [root] = DESKTOP.system.mounts;
  assert.ok(root);
  const many = Array.from({ length: 30 }, (_, index) => ({
    ...root,
    mount: `/disk${index}`,
    usedBytes: index * 1e9,
    availableBytes: (29 - index) * 1e9,
  }));
  const { disks } = await snapshotOf({ ...DESKTOP, system: { ...DESKTOP.system, mounts: [root, ...many] } });
  assert.equal(disks.length, 12);
  assert.deepEqual(disks.slice(0, 3).map(({ mount }) => mount), ["/", "/disk29", "/disk28"]);
});

Deno.test("linux.sys_snapshot of this machine is plausible and small", async () => {
  await using app = await makeTestApp();
  const answer = await app.call("linux.sys_snapshot");
  assert.equal(answer.error, undefined, answer.text);
  assert.ok(answer.tokens < 250, `${answer.tokens} tokens`);
  const { load_avg, mem_used_mb, mem_total_mb, disks } = await app.result("linux_sys_snapshot");
  assert.ok(Array.isArray(load_avg) && load_avg.length === 3);
  assert.ok(Number(mem_used_mb) > 0 && Number(mem_used_mb) < Number(mem_total_mb));
  assert.ok(Array.isArray(disks) && disks.length > 0);
});

Deno.test("linux.sys_snapshot is refused when the operator closed every look at the machine", async () => {
  await using app = await makeTestApp({ settings: { "mcp.linux_ops.features.system_enabled": false } });
  for (const name of ["linux_sys_snapshot", "linux_sys_info", "SYS_INFO", "linux_sys_services", "linux_sys_logs"]) {
    assert.equal(
      (await app.call(name, name.endsWith("o") ? { info_type: "os" } : {})).error?.code,
      "FEATURE_DISABLED",
      name,
    );
  }
});

Deno.test("linux.sys_snapshot names the fullest disk, and a large file that is deleted but open", async () => {
  const [root] = DESKTOP.system.mounts;
  assert.ok(root);
  const full = { ...root, mount: "/ram", type: "tmpfs", usedBytes: 99e6, availableBytes: 1e6, sizeBytes: 100e6 };
  const deleted = [{
    pid: 4242,
    program: "logger",
    descriptor: 3,
    path: "/ram/old.log",
    sizeBytes: 90e6,
    deleted: true,
  }];
  const { short_summary } = await snapshotOf({
    ...DESKTOP,
    deleted,
    system: { ...DESKTOP.system, mounts: [root, full] },
  });
  assert.match(short_summary, /, \/ 52% used, \/ram 99% used, 85.8MB deleted but open \(pid 4242 logger\)$/);
});
