/** Watches the resources of a server: memory, descriptors, children, its database. @module */
import { DatabaseSync } from "node:sqlite";

/** One look at a process. */
export interface Sample {
  readonly rssBytes: number;
  /** Null where the kernel keeps those of a process that hides its memory from an ordinary user. */
  readonly descriptors: number | null;
}

/** Looks at a process; null when it is gone. */
export async function sample(pid: number): Promise<Sample | null> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const rssBytes = Number(status.match(/VmRSS:\s+(\d+) kB/)?.[1] ?? 0) * 1024;
    return { rssBytes, descriptors: await countDescriptors(pid) };
  } catch {
    return null;
  }
}

/** How many more descriptors a process has than before; 0 where they cannot be counted. */
export function moreDescriptors(before: Sample | null | undefined, after: Sample | null | undefined): number {
  if (before?.descriptors === null && after?.descriptors === null) return 0;
  return (after?.descriptors ?? Infinity) - (before?.descriptors ?? 0);
}

async function countDescriptors(pid: number): Promise<number | null> {
  let count = 0;
  try {
    for await (const _ of Deno.readDir(`/proc/${pid}/fd`)) count++;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return null;
    throw error;
  }
  return count;
}

/** Programs that a server started and that live on, by the mark in their environment. */
export async function childrenOf(serverPid: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => ""); // gone, or another user's
    if (environment.includes(`LLMC_PROC=${serverPid}-`)) found.push(Number(name));
  }
  return found;
}

/** Waits until no program of a server is left: it is dead, or all who asked have gone. Answers those that stay. */
export async function orphansOf(serverPid: number, graceMs = 20_000): Promise<number[]> {
  const untilMs = performance.now() + graceMs;
  for (;;) {
    const left = await childrenOf(serverPid);
    if (left.length === 0 || performance.now() > untilMs) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Opens every database below a folder and lets SQLite look through it. Answers what it complains of. */
export async function checkDatabases(dir: string): Promise<string[]> {
  const faults: string[] = [];
  for (const path of await databasesBelow(dir)) {
    try {
      const database = new DatabaseSync(path, { readOnly: true });
      const found = database.prepare("pragma quick_check").get()?.quick_check;
      database.close();
      if (found !== "ok") faults.push(`${path}: ${found}`);
    } catch (error) {
      faults.push(`${path}: ${error instanceof Error ? error.message : error}`);
    }
    if (/\.corrupt-/.test(path)) faults.push(`${path} was set aside as damaged`);
  }
  return faults;
}

async function databasesBelow(dir: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(dir)) {
      if (isDirectory) paths.push(...await databasesBelow(`${dir}/${name}`));
      else if (/\.db(\.corrupt-\w+)?$/.test(name)) paths.push(`${dir}/${name}`);
    }
  } catch {
    // removed in between
  }
  return paths;
}
