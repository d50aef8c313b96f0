/** Programs that exhaust resources: each bound ends or refuses them, and the result names the bound. @module */
import assert from "node:assert/strict";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const MEMORY_ALONE = `
parts = []
while True: parts.append(bytearray(8_000_000))
`;
/** Each process stays below the bound, all together pass it. */
const MEMORY_TOGETHER = `
import os, time
for _ in range(12):
    if os.fork() == 0:
        part = bytearray(os.urandom(1000) * 60_000); time.sleep(60)
time.sleep(60)
`;
const PROCESSES = `
import os, time
for _ in range(400):
    try:
        if os.fork() == 0: time.sleep(60)
    except BlockingIOError as error:
        print("fork: Resource temporarily unavailable", file=__import__("sys").stderr); break
time.sleep(60)
`;
const FILL = (folder: string) => `
import os, time
with open("${folder}/fill", "wb") as file:
    for _ in range(200):
        file.write(os.urandom(1_000_000)); file.flush()
        if "${folder}" == "/tmp": time.sleep(0.02)
time.sleep(60)
`;
const LIMITS = ["memory_mb=400", "processes=60", "cpu_sec=1", "disk_mb=50"].flatMap((each) => [
  "--set",
  `mcp.linux_ops.program_limits.${each}`,
]);

for (const level of ["full", "bwrap", "landlock"] as const) {
  const cases: [name: string, script: string, expected: RegExp][] = [
    ["memory of one process", MEMORY_ALONE, /memory_mb/],
    ["memory of a tree", MEMORY_TOGETHER, /memory_mb/],
    ["processes", PROCESSES, /program_limits\.processes/],
    ["CPU time", "while True: pass", /cpu_sec/],
    [
      "the temporary folder",
      `import tempfile\n${FILL("/tmp").replaceAll('"/tmp/fill"', 'tempfile.gettempdir() + "/fill"')}`,
      /disk_mb/,
    ],
  ];
  // Only what is mounted for a program has a size of its own.
  if (level !== "landlock") {
    for (const folder of ["/dev/shm", "/run", "/var/tmp"]) cases.push([folder, FILL(folder), /disk_mb/]);
  }
  Deno.test(needing(`bounds hold, and the result names them, at level ${level}`, ...LEVEL[level]), async () => {
    await using sandbox = await Sandbox.make();
    await using peer = await StdioPeer.open(sandbox, {
      args: LIMITS,
      env: { LLMC_TEST_LEVEL: level },
      binary: TEST_BINARY,
    });
    for (const [name, script, expected] of cases) {
      const answer = await peer.call("run_cmd", { argv: ["python3", "-c", script], timeout: 40 });
      assert.match(answer, expected, `${name}: ${answer}`);
      assert.doesNotMatch(answer, /timed out/, name);
    }
    assert.equal(await peer.call("run_cmd", { argv: ["echo", "goes on"] }), "goes on");
  });
}

Deno.test(needing("nothing else of the private tree can be written or grows", ...LEVEL.full), async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox);
  const script = "for d in / /dev /etc /usr /var /proc; do touch $d/new 2>/dev/null && echo wrote $d; done; " +
    "for d in /tmp /run /var/tmp /dev/shm; do touch $d/new || echo not $d; done; echo x > /dev/null; echo done";
  assert.equal(await peer.call("run_cmd", { argv: ["bash", "-c", script] }), "done");
});
