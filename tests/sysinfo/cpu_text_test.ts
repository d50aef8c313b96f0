import assert from "node:assert/strict";
import { countCpuList, readCpuModel } from "../../src/sysinfo/cpu_text.ts";

const block = (lines: Readonly<Record<string, string | number>>): string =>
  Object.entries(lines).map(([name, value]) => `${name}\t: ${value}`).join("\n");

Deno.test("readCpuModel tells cores from threads over two sockets", () => {
  const threads = [0, 1].flatMap((socket) =>
    [0, 1, 0, 1].map((core, index) =>
      block({
        processor: socket * 4 + index,
        "model name": "Intel(R)  Xeon(R) Gold 6130 CPU @ 2.10GHz",
        "physical id": socket,
        "core id": core,
        flags: "fpu vme",
      })
    )
  );
  assert.deepEqual(readCpuModel(threads.join("\n\n") + "\n\n"), {
    name: "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz",
    cores: 4,
    threads: 8,
    virtual: false,
  });
});

Deno.test("readCpuModel says when a hypervisor is below", () => {
  const cpu = block({ processor: 0, "model name": "AMD EPYC", "core id": 0, flags: "fpu hypervisor lahf_lm" });
  assert.equal(readCpuModel(cpu).virtual, true);
  assert.equal(readCpuModel(cpu.replace(" hypervisor", " hypervisors")).virtual, false);
});

Deno.test("readCpuModel names ARM designs, mixed ones too, and makers that it knows no designs of", () => {
  const arm = (processor: number, maker: string, part: string) =>
    block({ processor, BogoMIPS: "108.00", "CPU implementer": maker, "CPU part": part });
  const pi = [0, 1, 2, 3].map((index) => arm(index, "0x41", "0xd08")).join("\n\n");
  const board = "\n\nHardware\t: BCM2711\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n";
  assert.deepEqual(readCpuModel(pi + board), { name: "ARM Cortex-A72", cores: 4, threads: 4, virtual: false });
  assert.equal(
    readCpuModel(`${arm(0, "0x41", "0xd05")}\n\n${arm(1, "0x41", "0xd0b")}`).name,
    "ARM Cortex-A55 + ARM Cortex-A76",
  );
  assert.equal(readCpuModel(arm(0, "0x61", "0x022")).name, "Apple part 0x022");
});

Deno.test("readCpuModel reads other architectures and nothing at all", () => {
  assert.equal(
    readCpuModel(block({ processor: 0, cpu: "POWER9, altivec supported" })).name,
    "POWER9, altivec supported",
  );
  assert.equal(readCpuModel(block({ processor: 0, hart: 1, uarch: "sifive,u74-mc" })).name, "sifive,u74-mc");
  assert.deepEqual(readCpuModel(""), { name: "", cores: 1, threads: 1, virtual: false });
});

Deno.test("countCpuList counts ranges and refuses what is no list", () => {
  assert.equal(countCpuList("0-3,8,10-11"), 7);
  assert.equal(countCpuList("5"), 1);
  assert.equal(countCpuList(""), null);
  assert.equal(countCpuList("0-"), null);
});
