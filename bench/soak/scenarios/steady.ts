/** Scenario: mixed load over both transports without faults; memory and descriptors must not grow. @module */
import { tools } from "../../../src/tools/catalog.ts";
import { makeJournal } from "../journal.ts";
import { callEachOnce, type Load, seedFiles, startLoad } from "../load.ts";
import { badLines, makeFolders, pause, quantile, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { type Speaker, speakHttp, speakStdio } from "../speakers.ts";
import { checkDatabases, moreDescriptors, orphansOf, type Sample, sample } from "../watch.ts";

const CALLS_PER_SECOND = 10; // on each face
/** The load comes in so many parts, with a rest after each: at rest, what is left can be compared. */
const PARTS = 4;
/** Every call so often before anything is compared: the heap takes its size within the first few. */
const FIRST_ROUNDS = 3;
/** Until calls have ended, children are gone and memory is collected. */
const REST_MS = 3_000;
/** What may be added after the first part, in which caches fill. */
const MAX_GROWTH_BYTES = 40e6, MAX_MORE_DESCRIPTORS = 8;

export const steady: Scenario = {
  name: "mixed load of all tools over stdio and HTTP",
  share: 0.35,
  async run({ program, dir, durationMs, scale, random }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    await seedFiles(root);
    const speakers = [await speakStdio({ program, root, env }), await speakHttp({ program, root, env })];
    // What a first use starts and what memory grows to at first is no growth; a short first part may be over before that.
    for (let round = 0; round < FIRST_ROUNDS; round++) await Promise.all(speakers.map(callEachOnce));
    const journals = speakers.map(({ face }) => makeJournal(`journal-${face}`, 8));
    const loads: Load[] = [], atRest: Sample[][] = speakers.map(() => []);
    for (let part = 0; part < PARTS; part++) {
      const now = speakers.map((speaker, index) => {
        const journal = journals[index] ?? makeJournal("none", 1);
        return startLoad({ speaker, journal, random, callsPerSecond: CALLS_PER_SECOND });
      });
      await pause(durationMs / PARTS - REST_MS / 2);
      for (const load of now) await load.stop();
      loads.push(...now);
      await pause(REST_MS);
      for (const [index, { pid }] of speakers.entries()) {
        const seen = await sample(pid);
        if (seen !== null) atRest[index]?.push(seen);
      }
    }
    const called = new Set(loads.flatMap((load) => [...load.byTool.keys()]));
    const faults = [
      // A short run is over before all had their turn.
      ...tools.flatMap(({ name }) => scale < 1 || called.has(name) ? [] : [`${name} was never called`]),
      ...loads.flatMap((load) => load.faults),
      ...(await Promise.all(journals.map((journal) => journal.verify(root)))).flat(),
      ...speakers.flatMap(({ face }, index) => growth(face, atRest[index] ?? [])),
      ...await end(speakers),
      ...await checkDatabases(`${dir}/state`),
    ];
    const latencies = loads.flatMap((load) => load.latencies).toSorted((one, other) => one - other);
    const total = loads.reduce((sum, load) => sum + load.calls, 0);
    return {
      figures: {
        calls: total,
        "calls a second": (total * 1000 / durationMs).toFixed(1),
        tools: `${called.size}, of which ${new Set(loads.flatMap((load) => [...load.worked])).size} worked`,
        "acknowledged changes": journals.reduce((sum, journal) => sum + journal.acknowledged, 0),
        "median ms": quantile(latencies, 0.5).toFixed(1),
        "p99 ms": quantile(latencies, 0.99).toFixed(0),
        ...Object.fromEntries(
          speakers.map(({ face }, index) => [`${face}: MB and descriptors`, shown(atRest[index] ?? [])]),
        ),
      },
      faults,
    };
  },
};

/** Closes them as their clients would. Answers what they leave. */
async function end(speakers: readonly Speaker[]): Promise<string[]> {
  const faults: string[] = [];
  for (const speaker of speakers) {
    const { pid } = speaker;
    await speaker.close();
    const left = await orphansOf(pid);
    if (left.length > 0) faults.push(`${left.length} programs outlived their server`);
    faults.push(...badLines(speaker.log()));
  }
  return faults;
}

function shown(samples: readonly Sample[]): string {
  return samples.map(({ rssBytes, descriptors }) => `${(rssBytes / 1e6).toFixed(0)} and ${descriptors ?? "–"}`).join(
    " → ",
  );
}

function growth(face: string, samples: readonly Sample[]): string[] {
  const first = samples[0], last = samples.at(-1);
  if (first === undefined || last === undefined) return [`${face}: the server was gone`];
  const bytes = last.rssBytes - first.rssBytes, descriptors = moreDescriptors(first, last);
  return [
    ...bytes > MAX_GROWTH_BYTES ? [`${face}: memory grew by ${(bytes / 1e6).toFixed(0)} MB`] : [],
    ...descriptors > MAX_MORE_DESCRIPTORS ? [`${face}: ${descriptors} descriptors more`] : [],
  ];
}
