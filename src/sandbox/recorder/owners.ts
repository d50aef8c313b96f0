/** Tells which started program a process belongs to, however many processes are between them. @module */
import { encodeText } from "../../core/bytes.ts";
import { O_CLOEXEC } from "../../sys/files/open_flags.ts";
import { limitOf } from "../sweep.ts";
import type { RecorderLibc } from "./kernel.ts";

/** Finds the mark of the program that a thread belongs to. */
export interface Owners {
  /** Null for a process that no program started, or whose program cannot be told any more. */
  markOf(tid: number): string | null;
}

interface Known {
  readonly startedAt: string;
  readonly mark: string;
}

const MAX_KNOWN = 10_000, MAX_PARENTS = 64;
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const PARENT = 1, STARTED = 19; // of /proc/PID/stat, behind the name of the program

/**
 * @param marker Of this server.
 * @param isProgram Whether a mark is that of a program which is recorded: a process may write any into its environment.
 * @param programs The marks of all of them, for a process that has neither parents nor its environment any more.
 */
export function makeOwners(
  libc: RecorderLibc,
  marker: string,
  { isProgram, programs }: {
    readonly isProgram: (mark: string) => boolean;
    readonly programs: () => readonly string[];
  },
): Owners {
  const known = new Map<number, Known>(), bytes = new Uint8Array(65_536), decoder = new TextDecoder();
  const variable = new RegExp(`(?:^|\\0)LLMC_PROC=${marker}\\.(${UUID})(?:\\0|$)`);
  const readText = (path: string): string => {
    const fd = libc.open(encodeText(`${path}\0`), O_CLOEXEC, 0);
    if (fd < 0) return "";
    const length = Number(libc.read(fd, bytes, BigInt(bytes.length)));
    libc.close(fd);
    return length <= 0 ? "" : decoder.decode(bytes.subarray(0, length));
  };
  const ownMark = (tid: number): string | null => {
    const mark = variable.exec(readText(`/proc/${tid}/environ`))?.[1];
    return mark !== undefined && isProgram(mark) ? mark : null;
  };
  const byLimit = (tid: number): string | null => {
    const limits = readText(`/proc/${tid}/limits`);
    return programs().find((mark) => limits.includes(` ${limitOf(marker, mark)} `)) ?? null;
  };

  const search = (tid: number, depth: number): string | null => {
    const stat = readText(`/proc/${tid}/stat`), fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const startedAt = fields[STARTED] ?? "", before = known.get(tid);
    if (before !== undefined && before.startedAt === startedAt) return before.mark; // and not another one of that number
    const parent = Number(fields[PARENT]);
    const mark = ownMark(tid) ?? (parent > 1 && depth < MAX_PARENTS ? search(parent, depth + 1) : null);
    if (mark === null) return null;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(tid, { startedAt, mark });
    return mark;
  };
  return { markOf: (tid) => search(tid, 0) ?? byLimit(tid) };
}
