/** Reads single processes from /proc. @module */
import { cutMark } from "../core/bound.ts";
import { maskCommandLine } from "../core/mask_secrets.ts";

const MAX_COMMAND_CHARACTERS = 4_096;
/** In the flags of /proc/PID/stat. */
const PF_KTHREAD = 0x00200000;

/** Fields of /proc/PID/stat that are used. */
export interface Stat {
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

/** The name in parentheses may hold anything, parentheses and line breaks too: the last one ends it. */
export function readStat(pid: number): Stat | null {
  const text = readProcFile(`/proc/${pid}/stat`);
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

export function readCommand(stat: Stat): string {
  const whole = readProcFile(`/proc/${stat.pid}/cmdline`).replace(/\0+$/, "");
  const shown = maskCommandLine(whole.slice(0, MAX_COMMAND_CHARACTERS).split("\0"));
  if (shown === "") return `(${stat.name})`; // a zombie has no arguments any more
  return whole.length > MAX_COMMAND_CHARACTERS ? shown + cutMark(whole.length - MAX_COMMAND_CHARACTERS) : shown;
}

/** Root's directory may be that of a process whose memory is closed to its own user, as this server's is. */
export function ownerOf({ pid, kernel }: Stat): number | null {
  try {
    const { uid } = Deno.statSync(`/proc/${pid}`);
    if (uid !== 0 || kernel) return uid;
  } catch {
    return null; // it has just ended
  }
  const effective = readProcFile(`/proc/${pid}/status`).match(/^Uid:\s+\d+\s+(\d+)/m)?.[1];
  return effective === undefined ? null : Number(effective);
}

export function readUsers(): Map<number, string> {
  const rows = readProcFile("/etc/passwd").split("\n").map((row) => row.split(":"));
  // From the last to the first: of several names for one number, the first is the usual one.
  return new Map(rows.reverse().flatMap(([name, , uid]) => name && uid ? [[Number(uid), name]] : []));
}

export function readProcFile(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // ended, or hidden from this user
  }
}

/** The size of this process in bytes over its size in pages; nothing that says it outright may be read any more. */
export function readPageBytes(): number {
  const kib = Number(readProcFile("/proc/self/status").match(/^VmSize:\s+(\d+) kB/m)?.[1] ?? 0);
  const pages = Number(readProcFile("/proc/self/statm").split(" ")[0]);
  // It may have grown between the two; only powers of two are possible.
  return kib > 0 && pages > 0 ? 2 ** Math.round(Math.log2(kib * 1024 / pages)) : 4096;
}
