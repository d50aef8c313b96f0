import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { INFO_TYPES } from "../../../src/tools/sys/describe_machine.ts";
import { sysInfo } from "../../../src/tools/sys/info.ts";
import { makeTestApp } from "../../support/app.ts";
import { BOARD, CONTAINER_V1, CONTAINER_V2, DESKTOP, factsOf, type Machine } from "./machines.ts";
import { withFacts } from "./support.ts";

const ask = (machine: Machine, info_type: string) => withFacts(factsOf(machine)).call(sysInfo, { info_type });
const dataOf = async (machine: Machine, info_type: string) => (await ask(machine, info_type)).result.data;

Deno.test("linux.sys_info memory has sizes with units, and the limit in a container", async () => {
  assert.deepEqual(await dataOf(DESKTOP, "memory"), {
    total: "16GB",
    used: "8.2GB",
    free: "1.5GB",
    available: "7.8GB",
    swap_total: "8GB",
    swap_used: "512MB",
  });
  assert.deepEqual(await dataOf(CONTAINER_V2, "memory"), {
    total: "2GB",
    used: "1GB",
    free: "512MB",
    available: "1GB",
    swap_total: "0B",
    swap_used: "0B",
    limited_by: "cgroup",
    machine_total: "16GB",
  });
  assert.equal((await dataOf(BOARD, "memory")).swap_total, "0B");
});

Deno.test("linux.sys_info disk lists file systems as df does", async () => {
  const { filesystems } = await dataOf(DESKTOP, "disk");
  assert.deepEqual(filesystems, [
    { device: "/dev/nvme0n1p2", mount_point: "/", size: "100GB", used: "50GB", available: "46GB", use_percent: "53%" },
    { device: "/dev/sda1", mount_point: "/data", size: "500GB", used: "200GB", available: "276GB", use_percent: "42%" },
  ]);
  assert.deepEqual(await dataOf(CONTAINER_V1, "disk"), { filesystems: [] });
});

Deno.test("linux.sys_info cpu tells cores, threads and use, and what a container may use", async () => {
  assert.deepEqual(await dataOf(DESKTOP, "cpu"), {
    model: "Intel(R) Core(TM) i7-10700K",
    cores: 8,
    threads: 16,
    architecture: "x86_64",
    current_usage: "25%",
    load_average: [1.5, 1.3, 1.1],
  });
  const limited = await dataOf(CONTAINER_V2, "cpu");
  assert.deepEqual([limited.current_usage, limited.usable_processors], ["60%", 1.5]);
  const board = await dataOf(BOARD, "cpu");
  assert.deepEqual([board.model, board.architecture, board.usable_processors], [
    "ARM Cortex-A72",
    "aarch64",
    undefined,
  ]);
});

Deno.test("linux.sys_info network has addresses, state, gateway and name servers", async () => {
  assert.deepEqual(await dataOf(DESKTOP, "network"), {
    hostname: "workstation",
    default_gateway: "192.168.1.1",
    dns: ["127.0.0.53"],
    interfaces: [
      {
        name: "enp3s0",
        status: "up",
        addresses: ["192.168.1.20/24", "fe80::1/64"],
        mac: "00:11:22:33:44:55",
        mtu: 1500,
        speed: "1000Mb/s",
        received: "3GB",
        sent: "200MB",
      },
      {
        name: "lo",
        status: "up",
        addresses: ["127.0.0.1/8"],
        mac: "00:00:00:00:00:00",
        mtu: 65536,
        received: "0B",
        sent: "0B",
      },
    ],
  });
});

Deno.test("linux.sys_info network tells who listens, as far as this user may see", async () => {
  const listeners = [
    { protocol: "tcp" as const, address: "0.0.0.0", port: 22, pid: 0, program: "" },
    { protocol: "tcp" as const, address: "::1", port: 8080, pid: 4242, program: "node" },
  ];
  const { result, text } = await ask({ ...BOARD, listeners }, "network");
  assert.deepEqual(result.data.listening, [
    { protocol: "tcp", address: "0.0.0.0:22" },
    { protocol: "tcp", address: "[::1]:8080", pid: 4242, program: "node" },
  ]);
  assert.match(text, /^listening: protocol address\ntcp 0\.0\.0\.0:22\ntcp \[::1\]:8080 pid 4242 program node$/m);
});

Deno.test("linux.sys_info hardware names board, disks and controllers, equal ones counted", async () => {
  assert.deepEqual(await dataOf(DESKTOP, "hardware"), {
    system: "Gigabyte Technology Co., Ltd. Z490",
    cpu: "Intel(R) Core(TM) i7-10700K, 8 cores, 16 threads",
    memory: "16GB",
    disks: [
      { name: "nvme0n1", size: "512GB", type: "nvme", model: "Samsung SSD 970" },
      { name: "sda", size: "500GB", type: "hdd", model: "ATA WDC WD5000" },
      { name: "sdb", size: "16GB", type: "removable" },
    ],
    controllers: [
      { type: "SATA", driver: "ahci", id: "8086:06d2" },
      { type: "NVMe", driver: "nvme", id: "144d:a808" },
      { type: "display", driver: "none", id: "10de:1f08" },
      { type: "Ethernet", driver: "igc", id: "8086:15f3", count: 2 },
    ],
  });
  assert.equal((await dataOf(BOARD, "hardware")).system, "Raspberry Pi 4 Model B Rev 1.4");
});

Deno.test("linux.sys_info os names distribution, kernel, architecture and container", async () => {
  assert.deepEqual(await dataOf(CONTAINER_V2, "os"), {
    distribution: "Ubuntu 24.04.1 LTS",
    kernel: "6.8.0-45-generic",
    architecture: "x86_64",
    hostname: "workstation",
    uptime: "3d 4h",
    container: "docker",
  });
  assert.deepEqual(await dataOf(BOARD, "os"), {
    distribution: "unknown",
    kernel: "5.10.103-v8+",
    architecture: "aarch64",
    hostname: "unknown",
    uptime: "42s",
  });
});

Deno.test("linux.sys_info is lean text: names once, one line for each row", async () => {
  const { text } = await ask(DESKTOP, "disk");
  assert.equal(
    text,
    "filesystems: device mount_point size used available use_percent\n" +
      "/dev/nvme0n1p2 / 100GB 50GB 46GB 53%\n/dev/sda1 /data 500GB 200GB 276GB 42%",
  );
  assert.match((await ask(DESKTOP, "network")).text, /^enp3s0 up \S+ \S+ 1500 3GB 200MB speed 1000Mb\/s$/m);
  assert.equal((await ask(CONTAINER_V1, "disk")).text, "filesystems: none");
  for (const type of INFO_TYPES) {
    const { result, text } = await ask(DESKTOP, type);
    assert.ok(estimateTokens(text) < 200, `${type}: ${estimateTokens(text)} tokens`);
    assert.ok(!Number.isNaN(Date.parse(result.timestamp)));
  }
});

Deno.test("linux.sys_info answers every kind on this machine, and names the kinds when asked for another", async () => {
  await using app = await makeTestApp();
  for (const info_type of INFO_TYPES) {
    const answer = await app.call("linux_sys_info", { info_type });
    assert.equal(answer.error, undefined, answer.text);
  }
  const { error } = await app.call("linux_sys_info", { info_type: "gpu" });
  assert.equal(error?.code, "INVALID_ARGUMENT");
  for (const info_type of INFO_TYPES) assert.ok(error.message.includes(info_type), error.message);
});
