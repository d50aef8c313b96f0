/** Scenario: the system time jumps forwards and back while the server runs. @module */
import { compileC, hasCompiler } from "../../security/flipper.ts";
import { makeJournal } from "../journal.ts";
import { seedFiles, startLoad } from "../load.ts";
import { badLines, makeFolders, pause, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { speakStdio } from "../speakers.ts";
import { checkDatabases } from "../watch.ts";

const HOUR_S = 3_600, YEAR_S = 365 * 24 * HOUR_S;
const JUMPS_S = [60, -60, 2 * HOUR_S, 0, -30 * 24 * HOUR_S, YEAR_S, -YEAR_S, 20 * YEAR_S, 0];
/** Results that were kept run out when the clock says so. */
const EXPECTED = ["HANDLE_EXPIRED", "NOT_FOUND", "PROCESS_NOT_FOUND"];

export const clockJumps: Scenario = {
  name: "clock jumps",
  share: 0.06,
  lack: async () => await hasCompiler() ? null : "there is no C compiler",
  async run({ program, dir, durationMs, random }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    await seedFiles(root);
    const library = `${dir}/clock.so`, offset = `${dir}/offset`;
    const source = new URL("../clock.c", import.meta.url).pathname;
    await compileC(source, library, ["-shared", "-fPIC"]);
    await Deno.writeTextFile(offset, "0");
    const speaker = await speakStdio({ program, root, env: { ...env, LD_PRELOAD: library, CLOCK_OFFSET: offset } });
    const journal = makeJournal("journal-stdio", 6);
    const load = startLoad({ speaker, journal, random, callsPerSecond: 15, expected: EXPECTED });
    const faults: string[] = [];
    for (const jump of JUMPS_S) {
      await Deno.writeTextFile(offset, `${jump}`);
      const { code, text } = await speaker.call("linux_mcp_usage_stats", { window_seconds: 60 });
      if (code !== null) faults.push(`after a jump by ${jump} s: ${text}`);
      await pause(durationMs / JUMPS_S.length);
    }
    await load.stop();
    faults.push(...load.faults, ...await journal.verify(root), ...badLines(speaker.log()));
    await speaker.close();
    faults.push(...await checkDatabases(`${dir}/state`));
    return {
      figures: { jumps: JUMPS_S.length, calls: load.calls, "acknowledged changes": journal.acknowledged },
      faults,
    };
  },
};
