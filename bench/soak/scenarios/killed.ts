/** Scenario: servers are killed and restarted repeatedly under load. @module */
import { makeJournal } from "../journal.ts";
import { seedFiles, startLoad } from "../load.ts";
import { badLines, makeFolders, pause, quantile, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { type Speaker, speakHttp, speakStdio } from "../speakers.ts";
import { checkDatabases, orphansOf } from "../watch.ts";

const CALLS_PER_SECOND = 10;
/** Between two kills; both servers are killed in turns, each every 30 s. */
const KILL_EVERY_MS = 15_000, MIN_KILLS = 4;

export const killed: Scenario = {
  name: "kill -9 and restart",
  share: 0.3,
  async run({ program, dir, durationMs, random }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    await seedFiles(root);
    const speakers: Speaker[] = [await speakStdio({ program, root, env }), await speakHttp({ program, root, env })];
    const parts = speakers.map((speaker) => {
      const journal = makeJournal(`journal-${speaker.face}`, 8);
      return { speaker, journal, load: startLoad({ speaker, journal, random, callsPerSecond: CALLS_PER_SECOND }) };
    });
    const faults: string[] = [], restartsMs: number[] = [];
    const kills = Math.max(MIN_KILLS, Math.floor(durationMs / KILL_EVERY_MS));
    let orphans = 0;
    for (let index = 0; index < kills; index++) {
      await pause(durationMs / kills * (0.5 + random.below(100) / 100));
      const part = parts[index % parts.length];
      if (part === undefined) continue;
      const { speaker, journal, load } = part, { pid } = speaker;
      load.pause();
      await speaker.kill();
      const left = await orphansOf(pid);
      orphans += left.length;
      if (left.length > 0) faults.push(`${left.length} programs outlived a killed server`);
      await pause(200); // answers that had left it before it died are read
      faults.push(...await journal.verify(root));
      restartsMs.push(await speaker.restart());
      load.resume();
    }
    for (const { load } of parts) await load.stop();
    for (const { journal, load, speaker } of parts) {
      faults.push(...load.faults, ...await journal.verify(root));
      await speaker.close();
      faults.push(...badLines(speaker.log()));
    }
    faults.push(...await checkDatabases(`${dir}/state`), ...await litter(root));
    const sorted = restartsMs.toSorted((one, other) => one - other);
    return {
      figures: {
        kills,
        "each server every, s": (durationMs / kills * parts.length / 1000).toFixed(0),
        calls: parts.reduce((sum, { load }) => sum + load.calls, 0),
        "acknowledged changes": parts.reduce((sum, { journal }) => sum + journal.acknowledged, 0),
        "orphaned programs": orphans,
        "back after, median ms": quantile(sorted, 0.5).toFixed(0),
        "at most ms": quantile(sorted, 1).toFixed(0),
      },
      faults,
    };
  },
};

/** Half files of a killed server are swept when something is changed beside them; a few of the last kill may be there. */
async function litter(root: string): Promise<string[]> {
  const left: string[] = [];
  for (const face of ["stdio", "http"]) {
    for await (const { name } of Deno.readDir(`${root}/journal-${face}`)) if (!/^\d+\.txt$/.test(name)) left.push(name);
  }
  return left.length > 20 ? [`${left.length} half files are left: ${left.slice(0, 3)}`] : [];
}
