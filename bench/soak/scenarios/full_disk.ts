/** Scenario: the disk fills up while the server runs, and has space again later. @module */
import { makeJournal } from "../journal.ts";
import { startLoad } from "../load.ts";
import { badLines, environmentOf, pause, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { speakStdio } from "../speakers.ts";
import { checkDatabases } from "../watch.ts";

const DISK = "24m";
/** Mounts a small disk that only the server and what it starts can see, and becomes the server. */
const IN_A_SMALL_DISK =
  `mount -t tmpfs -o size=${DISK} none "$1" && cd "$1" && mkdir -p root/journal-stdio root/src home state run &&
cd / && shift && exec "$@"`;
/** Codes that a change may be refused with while there is no room. */
const NO_ROOM = ["WRITE_FAILED", "SANDBOX_UNAVAILABLE"];

const UNSHARE = Deno.uid() === 0 ? ["unshare", "-m"] : ["unshare", "-Urm"];

export const fullDisk: Scenario = {
  name: "full disk",
  share: 0.08,
  lack: async () => await canMount() ? null : "nothing can be mounted here",
  async run({ program, dir, durationMs, random }: Setting): Promise<Outcome> {
    const wrap = [...UNSHARE, "sh", "-c", IN_A_SMALL_DISK, "sh", dir];
    const speaker = await speakStdio({ program, root: `${dir}/root`, env: environmentOf(dir), wrap });
    const inside = `/proc/${speaker.pid}/root${dir}`;
    const journal = makeJournal("journal-stdio", 6);
    const load = startLoad({ speaker, journal, random, callsPerSecond: 15, expected: NO_ROOM });
    const faults: string[] = [];
    let refusals = 0;
    const cycles = 3;
    for (let cycle = 0; cycle < cycles; cycle++) {
      await pause(durationMs / cycles / 2);
      await fill(`${inside}/root/filler`);
      const before = load.errors.get("WRITE_FAILED") ?? 0;
      await pause(durationMs / cycles / 2);
      refusals += (load.errors.get("WRITE_FAILED") ?? 0) - before;
      await Deno.remove(`${inside}/root/filler`);
    }
    const { code, text } = await speaker.call("linux_fs_write", { path: "after.txt", content: "room again\n" });
    if (code !== null) faults.push(`no write with room again: ${text}`);
    await load.stop();
    faults.push(...load.faults, ...await journal.verify(`${inside}/root`));
    // SQLite would look for its other files where the path leads outside of the server's mounts.
    await new Deno.Command("cp", { args: ["-r", `${inside}/state/llmc-mcp`, `${dir}/copy`] }).output();
    faults.push(...await checkDatabases(`${dir}/copy`));
    faults.push(...badLines(speaker.log()));
    await speaker.close();
    const figures = {
      calls: load.calls,
      "acknowledged changes": journal.acknowledged,
      "changes refused for want of room": refusals,
    };
    return { figures, faults };
  },
};

async function canMount(): Promise<boolean> {
  const [first = "", ...rest] = UNSHARE;
  const args = [...rest, "sh", "-c", "mount -t tmpfs none /mnt"];
  return await new Deno.Command(first, { args, stderr: "null" }).output().then(({ success }) => success, () => false);
}

/** Writes until nothing more goes in. */
async function fill(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) if (await file.write(new Uint8Array(size)) === 0) break;
    } catch {
      // less, then
    }
  }
}
