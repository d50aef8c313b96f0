/** Scenario: a thousand programs are started and ended in different ways. @module */
import { badLines, makeFolders, pause, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { speakStdio } from "../speakers.ts";
import { childrenOf, moreDescriptors, orphansOf, sample } from "../watch.ts";

const PROGRAMS = 1_000, AT_A_TIME = 12;
/** What the second half may add to the first, in which the engine compiles and caches fill: once, however many there are. */
const MAX_MORE_DESCRIPTORS = 6, MAX_GROWTH_BYTES = 30e6;
/** Until programs are gone and memory is collected. */
const REST_MS = 2_500;

export const manyProcesses: Scenario = {
  name: "1,000 programs started and ended",
  share: 0.1,
  async run({ program, dir, scale, random }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    const speaker = await speakStdio({ program, root, env });
    const faults: string[] = [];
    const half = Math.max(AT_A_TIME, Math.round(PROGRAMS * scale / 2));
    let todo = 0, started = 0, most = 0;
    const startAndEnd = async (): Promise<void> => {
      const way = random.below(5);
      const argv = way === 0 ? ["true"] : way === 1 ? ["sh", "-c", "sleep 100 & sleep 100"] : ["cat"];
      const { text, code } = await speaker.call("linux_proc_start", {
        argv,
        wait_ms: way === 0 ? 1_000 : 0,
        pty: way === 2,
      });
      const id = text.match(/\bP_\w+/)?.[0];
      if (code !== null || id === undefined) return void faults.push(`start: ${text.slice(0, 200)}`);
      started++;
      if (way === 4) await speaker.call("linux_proc_send", { proc_id: id, eof: true, wait_ms: 50 });
      const stopped = await speaker.call("linux_proc_stop", {
        proc_id: id,
        signal: random.pick(["TERM", "KILL", "INT"]),
      });
      if (stopped.code !== null && stopped.code !== "PROCESS_NOT_FOUND") {
        faults.push(`stop: ${stopped.text.slice(0, 200)}`);
      }
    };
    const worker = async () => {
      while (todo-- > 0) {
        await startAndEnd();
        if (todo % 100 === 0) most = Math.max(most, (await childrenOf(speaker.pid)).length);
      }
    };
    let seconds = 0;
    const runHalf = async () => {
      const startedMs = performance.now();
      todo = half;
      await Promise.all(Array.from({ length: AT_A_TIME }, worker));
      seconds += (performance.now() - startedMs) / 1000;
      await pause(REST_MS);
      return await sample(speaker.pid);
    };
    const before = await runHalf(), after = await runHalf();
    const left = await orphansOf(speaker.pid);
    if (left.length > 0) faults.push(`${left.length} programs are left of ${started}`);
    const more = moreDescriptors(before, after);
    if (more > MAX_MORE_DESCRIPTORS) faults.push(`${more} descriptors more than before`);
    const bytes = (after?.rssBytes ?? Infinity) - (before?.rssBytes ?? 0);
    if (bytes > MAX_GROWTH_BYTES) faults.push(`memory grew by ${(bytes / 1e6).toFixed(0)} MB`);
    const { pid } = speaker;
    await speaker.close();
    if ((await orphansOf(pid)).length > 0) faults.push("programs outlived the server");
    return {
      figures: {
        started,
        "a second": (started / seconds).toFixed(0),
        "at most at a time": most,
        "descriptors more after the second half": more,
        "MB more": (bytes / 1e6).toFixed(0),
      },
      faults: [...faults, ...badLines(speaker.log())],
    };
  },
};
