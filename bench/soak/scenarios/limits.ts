/** Scenario: many clients with few descriptors, little memory, and files that exceed it. @module */
import { badLines, makeFolders, pause, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { speakHttp } from "../speakers.ts";
import { sample } from "../watch.ts";

const DESCRIPTORS = 128, CONNECTIONS = 400;
const LARGE_BYTES = 1_000_000_000, MAX_MEMORY_BYTES = 450e6;
/**
 * Of data, for each process: the engine reserves most of it without using it. A start reserves 1.13 GB, and the thread that
 * starts programs 0.53 GB more with the first of them.
 */
const DATA_BYTES = 2_150_000_000;
/** A program that wants more memory than it may have. */
const GREEDY = `try:\n    bytearray(${2 * DATA_BYTES})\nexcept MemoryError:\n    print("no memory")`;

export const limits: Scenario = {
  name: "few descriptors, little memory, large files",
  share: 0.05,
  async run({ program, dir, scale }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    await Deno.writeTextFile(`${root}/a.txt`, "one\n");
    await sparse(`${root}/large.bin`, LARGE_BYTES);
    const wrap = ["prlimit", `--nofile=${DESCRIPTORS}`, `--data=${DATA_BYTES}`, "--"];
    const speaker = await speakHttp({ program, root, env, wrap });
    const faults: string[] = [];
    const { hostname, port } = new URL(speaker.url);
    const connections: Deno.TcpConn[] = [];
    for (let count = 0; count < Math.ceil(CONNECTIONS * scale); count++) {
      connections.push(await Deno.connect({ hostname, port: Number(port) }));
    }
    await pause(500);
    const during = await speaker.call("linux_fs_read", { path: "a.txt" }).then(({ code }) => code ?? "works", String);
    for (const connection of connections) connection.close();
    await pause(1_000);
    for (const [name, args] of [["linux_fs_read", { path: "a.txt" }], ["run_cmd", { argv: ["echo", "x"] }]] as const) {
      const { code, text } = await speaker.call(name, args);
      if (code !== null) faults.push(`${name} after the flood: ${text.slice(0, 200)}`);
    }
    const greedy = await speaker.call("run_cmd", { argv: ["python3", "-c", GREEDY] });
    if (!greedy.text.includes("no memory")) faults.push(`a program without memory: ${greedy.text.slice(0, 200)}`);
    let mostBytes = 0;
    const watching = setInterval(async () => {
      mostBytes = Math.max(mostBytes, (await sample(speaker.pid))?.rssBytes ?? 0);
    }, 50);
    for (
      const [name, args] of [
        ["linux_fs_read", { path: "large.bin" }],
        ["linux_fs_stat", { path: "large.bin" }],
        ["linux_search_content", { pattern: "x{3}" }],
        ["linux_fs_patch_block", { path: "large.bin", old_text: "a", new_text: "b" }],
        ["run_cmd", { argv: ["head", "-c", "200000000", "large.bin"] }],
      ] as const
    ) {
      const { code, text } = await speaker.call(name, args);
      if (code === "INTERNAL") faults.push(`${name} of a large file: ${text.slice(0, 200)}`);
    }
    clearInterval(watching);
    if (mostBytes > MAX_MEMORY_BYTES) faults.push(`${(mostBytes / 1e6).toFixed(0)} MB for large files`);
    await speaker.close();
    return {
      figures: {
        "descriptors allowed": DESCRIPTORS,
        "memory allowed, MB": (DATA_BYTES / 1e6).toFixed(0),
        connections: connections.length,
        "a call among them": during,
        "most memory with large files, MB": (mostBytes / 1e6).toFixed(0),
      },
      faults: [...faults, ...badLines(speaker.log())],
    };
  },
};

async function sparse(path: string, sizeBytes: number): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  await file.truncate(sizeBytes);
}
