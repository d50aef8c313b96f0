import assert from "node:assert/strict";
import { cpuPercent, type CpuReading, memoryLoad, usableProcessors } from "../../src/sysinfo/machine_load.ts";

const GIB = 1024 ** 3;
const MEMINFO = `MemTotal: ${16 * 1024 * 1024} kB\nMemFree: 1048576 kB\nMemAvailable: ${
  8 * 1024 * 1024
} kB\nSwapTotal: 4194304 kB\nSwapFree: 3145728 kB\n`;

const reading = (atMs: number, stat: string, groups: CpuReading["groups"] = []): CpuReading => ({ atMs, stat, groups });

Deno.test("memoryLoad of a machine counts as used what is not available", () => {
  assert.deepEqual(memoryLoad(MEMINFO, []), {
    totalBytes: 16 * GIB,
    usedBytes: 8 * GIB,
    freeBytes: GIB,
    availableBytes: 8 * GIB,
    swapTotalBytes: 4 * GIB,
    swapUsedBytes: GIB,
    machineBytes: null,
  });
});

Deno.test("memoryLoad in a limited group is that of the group, and a limit above the machine is none", () => {
  const group = {
    "memory.max": `${2 * GIB}`,
    "memory.current": `${GIB}`,
    "memory.stat": `inactive_file ${GIB / 2}\n`,
    "memory.swap.max": "0",
  };
  assert.deepEqual(memoryLoad(MEMINFO, [group]), {
    totalBytes: 2 * GIB,
    usedBytes: GIB / 2,
    freeBytes: GIB,
    availableBytes: 1.5 * GIB,
    swapTotalBytes: 0,
    swapUsedBytes: 0,
    machineBytes: 16 * GIB,
  });
  assert.equal(memoryLoad(MEMINFO, [{ ...group, "memory.max": `${32 * GIB}` }]).machineBytes, null);
});

Deno.test("memoryLoad in a group promises no more than the machine has left", () => {
  const group = { "memory.max": `${12 * GIB}`, "memory.current": "0" };
  assert.equal(memoryLoad(MEMINFO, [group]).availableBytes, 8 * GIB);
});

Deno.test("cpuPercent is the busy share of the sample", () => {
  const before = reading(0, "cpu  100 0 100 800 0 0 0 0"), after = reading(120, "cpu  110 0 105 825 0 0 0 0");
  assert.equal(cpuPercent({ before, after }, 4), 37.5);
  assert.equal(cpuPercent({ before, after: before }, 4), 0);
});

Deno.test("cpuPercent in a limited group is the share of its quota, also in version 1 and beyond it in a burst", () => {
  const group = (usage: number) => ({ "cpu.max": "50000 100000", "cpu.stat": `usage_usec ${usage}\n` });
  const sample = (used: number) => ({
    before: reading(0, "cpu  0 0 0 0", [{}, group(1_000_000)]),
    after: reading(100, "cpu  0 0 0 100", [{}, group(1_000_000 + used)]),
  });
  assert.equal(cpuPercent(sample(25_000), 8), 50);
  assert.equal(cpuPercent(sample(90_000), 8), 100);
  const first = { "cpu.cfs_quota_us": "200000", "cpu.cfs_period_us": "100000", "cpuacct.usage": "0" };
  const second = { ...first, "cpuacct.usage": "100000000" };
  assert.equal(cpuPercent({ before: reading(0, "", [first]), after: reading(100, "", [second]) }, 8), 50);
});

Deno.test("cpuPercent falls back to the machine where a group does not count", () => {
  const group = { "cpu.max": "50000 100000" };
  const before = reading(0, "cpu  0 0 0 0", [group]), after = reading(100, "cpu  25 0 0 75", [group]);
  assert.equal(cpuPercent({ before, after }, 8), 25);
});

Deno.test("usableProcessors is what is allowed or what the quota buys", () => {
  assert.equal(usableProcessors(16, []), 16);
  assert.equal(usableProcessors(16, [{ "cpu.max": "150000 100000" }]), 1.5);
  assert.equal(usableProcessors(2, [{ "cpu.max": "800000 100000" }]), 2);
});
