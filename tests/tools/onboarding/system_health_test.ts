import assert from "node:assert/strict";
import type { ProcessFact } from "../../../src/sysinfo/processes.ts";
import { CONTAINER_V2, DESKTOP, factsOf, type Machine } from "../sys/machines.ts";
import { flowBench } from "./support.ts";

const GIB = 1024 ** 3;
const process = (pid: number, more: Partial<ProcessFact> = {}): ProcessFact => ({
  pid,
  ppid: 1,
  uid: 1000,
  user: "u",
  name: `p${pid}`,
  command: `/usr/bin/p${pid} --serve`,
  state: "S",
  threads: 1,
  kernel: false,
  server: pid === 1,
  ownUser: true,
  sampleMs: 120,
  cpuSeconds: 1,
  cpuPercent: 0,
  memoryPercent: 0,
  rssBytes: 0,
  startedMs: 0,
  startTicks: 0,
  ...more,
});
const PROCESSES = [
  process(1),
  process(20, { cpuPercent: 180, rssBytes: GIB }),
  process(21, { rssBytes: 3 * GIB }),
  process(22, { user: "other", uid: 1001, cpuPercent: 900 }),
];
const health = async (machine: Machine, settings: Readonly<Record<string, unknown>> = {}) => {
  const facts = { ...factsOf(machine), processes: () => Promise.resolve(PROCESSES) };
  await using bench = await flowBench({ facts, settings });
  return await bench.run("system_health");
};

Deno.test("system_health of a machine at ease", async () => {
  const report = await health(DESKTOP);
  assert.equal(report.step("Measured CPU"), "25% of 16 processors, load 1.5/1.3/1.1");
  assert.equal(report.step("Measured memory"), "8.2GB of 16GB used, 7.8GB available, swap 512MB of 8GB");
  assert.equal(report.step("Checked disks"), "/ 52.1%, /data 42%");
  assert.match(report.step("Checked services"), /^systemd does not run here/);
  assert.match(report.summary, /^Healthy\. CPU 25%/);
});

Deno.test("system_health shows own processes only, by processor and by memory", async () => {
  const report = await health(DESKTOP);
  assert.match(report.step("Found the busiest"), /^20 \/usr\/bin\/p20 --serve 180%; /);
  assert.match(report.step("Found the largest"), /^21 \/usr\/bin\/p21 --serve 3GB; 20 \/usr\/bin\/p20 --serve 1GB; /);
  assert.ok(!report.text.includes("p22"));
  const all = await health(DESKTOP, { "mcp.linux_ops.process_limits.allow_kill_other_users": true });
  assert.match(all.step("Found the busiest"), /^22 /);
});

Deno.test("system_health names every reason to worry", async () => {
  const { system } = DESKTOP;
  const [root, data] = system.mounts;
  assert.ok(root && data);
  const report = await health({
    ...DESKTOP,
    system: {
      ...system,
      files: {
        ...system.files,
        "/proc/loadavg": "40.00 40.00 30.00 9/999 1",
        "/proc/meminfo": `MemTotal: ${
          16 * 1024 * 1024
        } kB\nMemFree: 1024 kB\nMemAvailable: 524288 kB\nSwapTotal: 1048576 kB\nSwapFree: 104857 kB`,
      },
      mounts: [{ ...root, usedBytes: 97 * GIB, availableBytes: 3 * GIB }, data],
    },
    services: {
      source: "systemd",
      text: "nginx.service loaded failed failed Web\nssh.service loaded active running SSH\n",
      reason: "",
      cut: false,
    },
  });
  assert.equal(
    report.summary,
    "Attention: load 40 over 5 minutes is too much for 16 processors; only 512MB of memory are available; " +
      "swap 922MB of 1GB is used; / is 97% full; failed services: nginx.",
  );
  assert.equal(report.step("Checked services"), "1 running, 1 failed: nginx");
});

Deno.test("system_health in a container measures against its limits", async () => {
  const report = await health(CONTAINER_V2);
  assert.equal(report.step("Measured CPU"), "60% of 1.5 processors, load 1.5/1.3/1.1");
  assert.equal(report.step("Measured memory"), "1GB of 2GB used, 1GB available, no swap");
});

Deno.test("system_health does without processes where the operator closed them", async () => {
  const report = await health(DESKTOP, { "mcp.linux_ops.features.proc_enabled": false });
  assert.deepEqual(report.steps.map(({ description }) => description), [
    "Measured CPU and load",
    "Measured memory",
    "Checked disks",
    "Checked services",
  ]);
});

Deno.test("system_health of this machine says how it is", async () => {
  await using bench = await flowBench();
  assert.match((await bench.run("system_health")).summary, /^(?:Healthy|Attention)/);
});
