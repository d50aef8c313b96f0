import assert from "node:assert/strict";
import {
  readAssignments,
  readCpuTicks,
  readField,
  readLoad,
  readMemory,
  unescapeOctal,
} from "../../src/sysinfo/proc_text.ts";

Deno.test("readMemory gives bytes, and takes caches for available where the kernel does not say", () => {
  const modern =
    "MemTotal:       16303428 kB\nMemFree:         1572864 kB\nMemAvailable:    8178892 kB\nBuffers: 1 kB\n" +
    "SwapTotal:       8388604 kB\nSwapFree:        7864316 kB\n";
  assert.deepEqual(readMemory(modern), {
    totalBytes: 16303428 * 1024,
    freeBytes: 1572864 * 1024,
    availableBytes: 8178892 * 1024,
    swapTotalBytes: 8388604 * 1024,
    swapFreeBytes: 7864316 * 1024,
  });
  const old = readMemory("MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 20 kB\nCached: 300 kB\nSwapCached: 7 kB\n");
  assert.equal(old.availableBytes, 420 * 1024);
  assert.equal(old.swapTotalBytes, 0);
  assert.deepEqual(Object.values(readMemory("")), [0, 0, 0, 0, 0]);
});

Deno.test("readCpuTicks counts waiting for disks as idle and guests once", () => {
  const stat = "cpu  100 20 30 800 50 1 2 3 90 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
  assert.deepEqual(readCpuTicks(stat), { busy: 156, total: 1006 });
  assert.deepEqual(readCpuTicks("cpu  1 2 3 4"), { busy: 6, total: 10 });
  assert.deepEqual(readCpuTicks(""), { busy: 0, total: 0 });
});

Deno.test("readLoad gives three numbers whatever it gets", () => {
  assert.deepEqual(readLoad("0.52 1.00 2.41 3/173 6637"), [0.52, 1, 2.41]);
  assert.deepEqual(readLoad(""), [0, 0, 0]);
});

Deno.test("readAssignments undoes the quoting of a shell", () => {
  const text = `NAME="Fedora Linux"\nVERSION_ID=40\nPRETTY_NAME='It''s'\nEMPTY=\n# X=1\nODD="a \\"b\\" \\$c"\n`;
  assert.deepEqual(readAssignments(text), {
    NAME: "Fedora Linux",
    VERSION_ID: "40",
    PRETTY_NAME: "It''s",
    EMPTY: "",
    ODD: 'a "b" $c',
  });
});

Deno.test("readField finds a line by its name", () => {
  assert.equal(readField("Name:\tx\nCpus_allowed_list:\t0-3\n", "Cpus_allowed_list"), "0-3");
  assert.equal(readField("Empty:\nNext: 1\n", "Empty"), "");
  assert.equal(readField("", "Name"), "");
});

Deno.test("unescapeOctal gives blanks back", () => {
  assert.equal(unescapeOctal("/mnt/my\\040disk\\011x\\134"), "/mnt/my disk\tx\\");
});
