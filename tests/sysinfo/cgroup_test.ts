import assert from "node:assert/strict";
import { cgroupCpu, cgroupCpuUsage, cgroupMemory, cgroupPlaces } from "../../src/sysinfo/cgroup.ts";
import { readMountInfo } from "../../src/sysinfo/mount_table.ts";

const UNIFIED = readMountInfo("30 23 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate");
const MIB = 1024 * 1024;

Deno.test("cgroupPlaces of version 2 go from the own group up to the mount", () => {
  assert.deepEqual(cgroupPlaces("0::/user.slice/user-1000.slice/session-2.scope\n", UNIFIED).memory, [
    "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope",
    "/sys/fs/cgroup/user.slice/user-1000.slice",
    "/sys/fs/cgroup/user.slice",
    "/sys/fs/cgroup",
  ]);
  assert.deepEqual(cgroupPlaces("0::/\n", UNIFIED).cpu, ["/sys/fs/cgroup"]);
});

Deno.test("cgroupPlaces of version 1 in a container leave out what is not mounted there", () => {
  const mounts = readMountInfo(
    "40 30 0:30 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n" +
      "41 30 0:31 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct",
  );
  const places = cgroupPlaces(
    "5:memory:/docker/abc/inner\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n",
    mounts,
  );
  assert.deepEqual(places, {
    memory: ["/sys/fs/cgroup/memory/inner", "/sys/fs/cgroup/memory"],
    cpu: ["/sys/fs/cgroup/cpu,cpuacct"],
    cpuacct: ["/sys/fs/cgroup/cpu,cpuacct"],
  });
});

Deno.test("cgroupPlaces prefer the version that has the controller where both are mounted", () => {
  const mounts = [
    ...readMountInfo("1 1 0:2 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"),
    ...readMountInfo("2 1 0:3 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"),
  ];
  const places = cgroupPlaces("4:memory:/a\n0::/b\n", mounts);
  assert.deepEqual(places.memory, ["/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory"]);
  assert.deepEqual(places.cpu, ["/sys/fs/cgroup/unified/b", "/sys/fs/cgroup/unified"]);
});

Deno.test("cgroupPlaces never leave the mounted tree", () => {
  assert.deepEqual(cgroupPlaces("0::/../../other\n", UNIFIED).memory, ["/sys/fs/cgroup"]);
  assert.deepEqual(cgroupPlaces("", UNIFIED).memory, []);
  assert.deepEqual(cgroupPlaces("0::/a\n", []).memory, []);
});

Deno.test("cgroupMemory of version 2 is the tightest bound, without cached files", () => {
  const own = {
    "memory.max": "max\n",
    "memory.current": `${900 * MIB}`,
    "memory.stat": `anon 1\nfile 2\ninactive_file ${300 * MIB}\n`,
  };
  const above = { ...own, "memory.max": `${2048 * MIB}\n`, "memory.swap.max": "0", "memory.swap.current": "0" };
  const top = { ...own, "memory.max": `${4096 * MIB}` };
  assert.deepEqual(cgroupMemory([own, above, top]), {
    limitBytes: 2048 * MIB,
    usedBytes: 600 * MIB,
    chargedBytes: 900 * MIB,
    swapLimitBytes: 0,
    swapUsedBytes: 0,
  });
  assert.equal(cgroupMemory([own, {}]), null);
});

Deno.test("cgroupMemory of version 1 takes the largest number for no limit, and sees limits above the container", () => {
  const files = {
    "memory.limit_in_bytes": "9223372036854771712\n",
    "memory.usage_in_bytes": `${500 * MIB}\n`,
    "memory.stat": `cache 1\nhierarchical_memory_limit 9223372036854771712\ntotal_inactive_file ${100 * MIB}\n`,
  };
  assert.equal(cgroupMemory([files]), null);
  const bounded = { ...files, "memory.stat": files["memory.stat"].replace("9223372036854771712", `${1024 * MIB}`) };
  assert.deepEqual(cgroupMemory([bounded]), {
    limitBytes: 1024 * MIB,
    usedBytes: 400 * MIB,
    chargedBytes: 500 * MIB,
    swapLimitBytes: null,
    swapUsedBytes: 0,
  });
  const swapping = {
    ...bounded,
    "memory.memsw.limit_in_bytes": `${1536 * MIB}`,
    "memory.memsw.usage_in_bytes": `${520 * MIB}`,
  };
  const found = cgroupMemory([swapping]);
  assert.deepEqual([found?.swapLimitBytes, found?.swapUsedBytes], [512 * MIB, 20 * MIB]);
});

Deno.test("cgroupCpu is the tightest quota of either version, with the group that has it", () => {
  assert.deepEqual(
    cgroupCpu([{ "cpu.max": "max 100000" }, { "cpu.max": "150000 100000\n" }, { "cpu.max": "400000 100000" }]),
    {
      processors: 1.5,
      group: 1,
    },
  );
  assert.deepEqual(cgroupCpu([{ "cpu.cfs_quota_us": "50000\n", "cpu.cfs_period_us": "100000\n" }]), {
    processors: 0.5,
    group: 0,
  });
  assert.equal(cgroupCpu([{ "cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000" }, {}]), null);
});

Deno.test("cgroupCpuUsage is in microseconds in both versions", () => {
  assert.equal(cgroupCpuUsage({ "cpu.stat": "usage_usec 1234\nuser_usec 1\n" }), 1234);
  assert.equal(cgroupCpuUsage({ "cpuacct.usage": "5000000\n" }), 5000);
  assert.equal(cgroupCpuUsage({ "cpu.stat": "nr_periods 0\n" }), null);
});
