/**
 * Reads the process table from /proc, and sends signals after checking the target again. Runs in the broker.
 * @module
 */
import { sleep } from "../core/time.ts";
import { ownerOf, readCommand, readPageBytes, readProcFile, readStat, readUsers, type Stat } from "./process_stat.ts";
import { type SignalName, signalProcess } from "./signal_process.ts";

/** Ticks of /proc per second: fixed in Linux's interface to programs. */
const TICKS_PER_SECOND = 100;
/** Long enough for ten ticks of a busy process, short enough not to be noticed. */
const SAMPLE_MS = 120;
/** Earlier lists serve as the start of a sample: kept this far apart, and not longer than this. */
const SAMPLE_SPACING_MS = 500, SAMPLE_LIFE_MS = 10_000;
/** A process as /proc shows it. */
export interface ProcessFact {
  readonly pid: number;
  readonly ppid: number;
  readonly uid: number;
  readonly user: string;
  readonly name: string;
  readonly command: string;
  readonly state: string;
  readonly threads: number;
  readonly kernel: boolean;
  /** This server itself. */
  readonly server: boolean;
  /** Runs as the user of this server. */
  readonly ownUser: boolean;
  /** CPU used over the sample, 100 = one core. */
  readonly cpuPercent: number;
  /** Length of that sample. */
  readonly sampleMs: number;
  /** CPU time used since its start. */
  readonly cpuSeconds: number;
  readonly memoryPercent: number;
  readonly rssBytes: number;
  /** Start, milliseconds since the epoch. */
  readonly startedMs: number;
  /** Start in clock ticks since boot: with the pid it names one process for good. */
  readonly startTicks: number;
}

/** CPU ticks of each process at one moment. The start time in the key tells a reused pid apart. */
interface Sample {
  readonly atMs: number;
  readonly ticks: ReadonlyMap<string, number>;
}

/** What the broker answers about processes. */
export interface ProcessFacts {
  processes(): Promise<ProcessFact[]>;
  /** One process, without its CPU use; null when it does not exist. */
  findProcess(pid: number): Promise<ProcessFact | null>;
  /** Sends a signal after checking again that the process is the one that was meant. */
  killProcess(pid: number, startTicks: number, signal: SignalName, allowOtherUsers: boolean): Promise<void>;
}

/** Reads /proc; keeps earlier samples, so that only the first list in a while has to wait for one. */
export function makeProcessFacts(host: { readonly serverPid: number }): ProcessFacts {
  const pageBytes = readPageBytes();
  let samples: Sample[] = [];

  async function startOfSample(): Promise<Sample> {
    const now = performance.now();
    samples = samples.filter(({ atMs }) => now - atMs < SAMPLE_LIFE_MS);
    const usable = samples.findLast(({ atMs }) => now - atMs >= SAMPLE_MS);
    if (usable) return usable;
    const fresh = takeSample(readAll());
    samples.push(fresh);
    await sleep(SAMPLE_MS);
    return fresh;
  }

  return {
    async processes() {
      const before = await startOfSample();
      const stats = readAll();
      const sample = takeSample(stats);
      if (sample.atMs - (samples.at(-1)?.atMs ?? 0) > SAMPLE_SPACING_MS) samples.push(sample);
      return describe(stats, before, sample.atMs, pageBytes, host.serverPid);
    },
    findProcess(pid) {
      const stat = Number.isInteger(pid) && pid > 0 ? readStat(pid) : null;
      if (stat === null) return Promise.resolve(null);
      const [fact] = describe([stat], takeSample([stat]), performance.now(), pageBytes, host.serverPid);
      return Promise.resolve(fact ?? null);
    },
    killProcess(pid, startTicks, signal, allowOtherUsers) {
      signalProcess(host.serverPid, pid, startTicks, signal, allowOtherUsers);
      return Promise.resolve();
    },
  };
}

function readAll(): Stat[] {
  const stats: Stat[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat) stats.push(stat);
  }
  return stats;
}

function takeSample(stats: readonly Stat[]): Sample {
  return { atMs: performance.now(), ticks: new Map(stats.map((stat) => [keyOf(stat), stat.cpuTicks])) };
}

const keyOf = (stat: Stat): string => `${stat.pid}.${stat.startTicks}`;

function describe(
  stats: readonly Stat[],
  before: Sample,
  nowMs: number,
  pageBytes: number,
  server: number,
): ProcessFact[] {
  const users = readUsers();
  const bootMs = Number(readProcFile("/proc/stat").match(/^btime (\d+)/m)?.[1] ?? 0) * 1000;
  const memoryBytes = Number(readProcFile("/proc/meminfo").match(/^MemTotal:\s+(\d+)/m)?.[1] ?? 0) * 1024;
  const sampleSeconds = Math.max(0.001, (nowMs - before.atMs) / 1000);
  const facts: ProcessFact[] = [];
  for (const stat of stats) {
    const uid = ownerOf(stat);
    if (uid === null) continue; // it ended while the list was made
    const startedMs = bootMs + stat.startTicks * 1000 / TICKS_PER_SECOND;
    // A process that is younger than the sample has used all of its ticks within it.
    const used = stat.cpuTicks - (before.ticks.get(keyOf(stat)) ?? 0);
    const rssBytes = stat.rssPages * pageBytes;
    facts.push({
      pid: stat.pid,
      ppid: stat.ppid,
      uid,
      user: users.get(uid) ?? String(uid),
      name: stat.name,
      command: stat.kernel ? `[${stat.name}]` : readCommand(stat),
      state: stat.state,
      threads: stat.threads,
      kernel: stat.kernel,
      server: stat.pid === server,
      ownUser: uid === Deno.uid(),
      cpuPercent: round(used / TICKS_PER_SECOND / sampleSeconds * 100),
      sampleMs: Math.round(sampleSeconds * 1000),
      cpuSeconds: stat.cpuTicks / TICKS_PER_SECOND,
      memoryPercent: memoryBytes > 0 ? round(rssBytes / memoryBytes * 100) : 0,
      rssBytes,
      startedMs,
      startTicks: stat.startTicks,
    });
  }
  return facts;
}

const round = (value: number): number => Math.max(0, Math.round(value * 10) / 10);
