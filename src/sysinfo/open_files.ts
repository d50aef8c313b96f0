/**
 * Finds the files that processes hold open, deleted ones included. Runs in the broker, which alone can see other
 * processes' descriptors.
 * @module
 */
import { listFixed, readFixed } from "./read_fixed.ts";

/** A regular file behind a descriptor. */
export interface HeldFile {
  readonly pid: number;
  readonly program: string;
  readonly descriptor: number;
  /** As the kernel names it, without the mark of a deleted file. */
  readonly path: string;
  /** Bytes on disk; a sparse file holds less than its size. */
  readonly sizeBytes: number;
  readonly deleted: boolean;
}

const DELETED = " (deleted)";
/** What is deleted by design: shared memory and anonymous files. */
const ANONYMOUS = /^\/(?:memfd:|SYSV|dev\/zero|dev\/shm\/|\[aio\]|i915)/;
/** A process with more descriptors is not looked through to its end. */
const MAX_DESCRIPTORS = 4_096;
const BLOCK_BYTES = 512;
/** Smaller ones fill no disk. */
const LEAST_DELETED_BYTES = 1024 * 1024;
const MAX_DELETED = 50;

/** Where a process works, and what it has open. */
export interface ProcessFiles {
  /** "" when this user may not see it. */
  readonly cwd: string;
  /** Regular files only; empty when this user may not see its descriptors. */
  readonly open: readonly HeldFile[];
}

/** Working directory and open files of one process. */
export async function filesOfProcess(pid: number): Promise<ProcessFiles> {
  const [cwd, open] = await Promise.all([
    Deno.readLink(`/proc/${pid}/cwd`).catch(() => ""), // another user's, or it has ended
    filesOf(pid, () => true),
  ]);
  return { cwd, open };
}

/** Files that no name leads to any more and that still take space, the largest first; each file once. */
export async function deletedFiles(): Promise<HeldFile[]> {
  const pids = (await listFixed("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: HeldFile[] = [], seen = new Set<string>();
  for (const pid of pids) {
    for (const file of await filesOf(pid, (link) => link.endsWith(DELETED) && !ANONYMOUS.test(link), seen)) {
      if (file.sizeBytes >= LEAST_DELETED_BYTES) found.push(file);
    }
  }
  return found.sort((a, b) => b.sizeBytes - a.sizeBytes).slice(0, MAX_DELETED);
}

/** @param seen Files by device and inode that were found before: a child shares those of its parent. */
async function filesOf(
  pid: number,
  wanted: (link: string) => boolean,
  seen = new Set<string>(),
): Promise<HeldFile[]> {
  const dir = `/proc/${pid}/fd`, files: HeldFile[] = [];
  const names = (await listFixed(dir)).slice(0, MAX_DESCRIPTORS);
  const links = await Promise.all(
    names.map(async (name) => ({ name, link: await Deno.readLink(`${dir}/${name}`).catch(() => "") })),
  );
  for (const { name, link } of links) {
    if (!link.startsWith("/") || !wanted(link)) continue;
    const info = await Deno.stat(`${dir}/${name}`).catch(() => null); // closed meanwhile
    if (info === null || !info.isFile) continue;
    const key = `${info.dev}:${info.ino}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const deleted = link.endsWith(DELETED) && info.nlink === 0;
    files.push({
      pid,
      program: files[0]?.program ?? await readFixed(`/proc/${pid}/comm`),
      descriptor: Number(name),
      path: deleted ? link.slice(0, -DELETED.length) : link,
      sizeBytes: info.blocks === null ? info.size : info.blocks * BLOCK_BYTES,
      deleted,
    });
  }
  return files;
}
