/**
 * Reads the process table from /proc, and sends signals after checking the target again. Runs in the broker.
 * @module
 */
import { sleep } from "../core/time.ts";
import { maskCommandLine } from "../core/mask_secrets.ts";
import { OpsError } from "../core/error.ts";

/** Ticks of /proc per second: fixed in Linux's interface to programs. */
const TICKS_PER_SECOND = 100;
/** Long enough for ten ticks of a busy process, short enough not to be noticed. */
const SAMPLE_MS = 120;
/** Earlier lists serve as the start of a sample: kept this far apart, and not longer than this. */
const SAMPLE_SPACING_MS = 500, SAMPLE_LIFE_MS = 10_000;
const MAX_COMMAND_CHARACTERS = 4_096;
/** In the flags of /proc/PID/stat. */
const PF_KTHREAD = 0x00200000;

/** Signals that a caller may send. */
export type SignalName = "TERM" | "KILL" | "INT" | "HUP" | "STOP" | "CONT" | "USR1" | "USR2" | "QUIT";

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
  /** CPU used over the sample, 100 = one core. */
  readonly cpuPercent: number;
  readonly memoryPercent: number;
  readonly rssBytes: number;
  /** Start, milliseconds since the epoch. */
  readonly startedMs: number;
  /** Start in clock ticks since boot: with the pid it names one process for good. */
  readonly startTicks: number;
}

/** Fields of /proc/PID/stat that are used. */
interface Stat {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly ppid: number;
  readonly kernel: boolean;
  readonly cpuTicks: number;
  readonly threads: number;
  readonly startTicks: number;
  readonly rssPages: number;
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
  const bootMs = Number(readText("/proc/stat").match(/^btime (\d+)/m)?.[1] ?? 0) * 1000;
  const memoryBytes = Number(readText("/proc/meminfo").match(/^MemTotal:\s+(\d+)/m)?.[1] ?? 0) * 1024;
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
      cpuPercent: round(used / TICKS_PER_SECOND / sampleSeconds * 100),
      memoryPercent: memoryBytes > 0 ? round(rssBytes / memoryBytes * 100) : 0,
      rssBytes,
      startedMs,
      startTicks: stat.startTicks,
    });
  }
  return facts;
}

const round = (value: number): number => Math.max(0, Math.round(value * 10) / 10);

/** The name in parentheses may hold anything, parentheses and line breaks too: the last one ends it. */
function readStat(pid: number): Stat | null {
  const text = readText(`/proc/${pid}/stat`);
  const open = text.indexOf("("), close = text.lastIndexOf(")");
  if (open < 0 || close < open) return null;
  const fields = text.slice(close + 2).split(" ");
  const at = (index: number): number => Number(fields[index] ?? 0);
  return {
    pid,
    name: text.slice(open + 1, close).replace(/\p{Cc}/gu, " "),
    state: fields[0] ?? "?",
    ppid: at(1),
    kernel: (at(6) & PF_KTHREAD) !== 0,
    cpuTicks: at(11) + at(12),
    threads: at(17),
    startTicks: at(19),
    rssPages: at(21),
  };
}

function readCommand(stat: Stat): string {
  const argv = readText(`/proc/${stat.pid}/cmdline`).slice(0, MAX_COMMAND_CHARACTERS).replace(/\0+$/, "").split("\0");
  return maskCommandLine(argv) || `(${stat.name})`; // a zombie has no arguments any more
}

/** Root's directory may be that of a process whose memory is closed to its own user, as this server's is. */
function ownerOf({ pid, kernel }: Stat): number | null {
  try {
    const { uid } = Deno.statSync(`/proc/${pid}`);
    if (uid !== 0 || kernel) return uid;
  } catch {
    return null; // it has just ended
  }
  const effective = readText(`/proc/${pid}/status`).match(/^Uid:\s+\d+\s+(\d+)/m)?.[1];
  return effective === undefined ? null : Number(effective);
}

function readUsers(): Map<number, string> {
  const rows = readText("/etc/passwd").split("\n").map((row) => row.split(":"));
  // From the last to the first: of several names for one number, the first is the usual one.
  return new Map(rows.reverse().flatMap(([name, , uid]) => name && uid ? [[Number(uid), name]] : []));
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // ended, or hidden from this user
  }
}

/** The size of this process in bytes over its size in pages; nothing that says it outright may be read any more. */
function readPageBytes(): number {
  const kib = Number(readText("/proc/self/status").match(/^VmSize:\s+(\d+) kB/m)?.[1] ?? 0);
  const pages = Number(readText("/proc/self/statm").split(" ")[0]);
  // It may have grown between the two; only powers of two are possible.
  return kib > 0 && pages > 0 ? 2 ** Math.round(Math.log2(kib * 1024 / pages)) : 4096;
}

/** Everything is looked at again here, immediately before the signal: the caller's list is some milliseconds old. */
function signalProcess(
  server: number,
  pid: number,
  startTicks: number,
  signal: SignalName,
  allowOthers: boolean,
): void {
  if (pid <= 1) throw new OpsError("KILL_FORBIDDEN", `pid ${pid} is never signalled`);
  if (readText(`/proc/${server}/task/${pid}/comm`) !== "") {
    throw new OpsError("KILL_FORBIDDEN", `pid ${pid} is this server`);
  }
  if (ancestorsOf(server).includes(pid)) throw new OpsError("KILL_FORBIDDEN", `pid ${pid} started this server`);
  const stat = readStat(pid), owner = stat && ownerOf(stat);
  if (stat === null || owner === null) throw gone(pid);
  if (stat.startTicks !== startTicks) throw new OpsError("PROCESS_NOT_FOUND", `pid ${pid} is now a different process`);
  if (stat.kernel) throw new OpsError("KILL_FORBIDDEN", `pid ${pid} is a kernel thread`);
  if (owner !== Deno.uid() && !allowOthers) {
    throw new OpsError(
      "PERMISSION_DENIED",
      `pid ${pid} belongs to another user`,
      "mcp.linux_ops.process_limits.allow_kill_other_users decides whether such processes may be signalled.",
    );
  }
  try {
    Deno.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw gone(pid);
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new OpsError("PERMISSION_DENIED", `the operating system does not allow this user to signal pid ${pid}`);
    }
    throw error;
  }
}

const gone = (pid: number): OpsError => new OpsError("PROCESS_NOT_FOUND", `no process ${pid}`);

function ancestorsOf(pid: number): number[] {
  const found: number[] = [];
  for (let stat = readStat(pid); stat !== null && stat.ppid > 0; stat = readStat(stat.ppid)) {
    if (found.includes(stat.ppid)) break;
    found.push(stat.ppid);
  }
  return found;
}
