/**
 * Finds which programs listen on which ports. Runs in the broker, which alone can see other processes' descriptors.
 * @module
 */
import { readSocketTable } from "./socket_table.ts";
import type { ListenerFact } from "./machine_facts.ts";
import { listFixed, readFixed } from "./read_fixed.ts";

const TABLES = [
  ["tcp", "/proc/net/tcp"],
  ["tcp", "/proc/net/tcp6"],
  ["udp", "/proc/net/udp"],
  ["udp", "/proc/net/udp6"],
] as const;
/** A machine that has more is a special one; the first by port are told. */
const MAX_LISTENERS = 200;
/** Of /proc/PID/stat, counted from the state on: when the process started. */
const START_FIELD = 19;
/** A process with more descriptors is not looked through to its end. */
const MAX_DESCRIPTORS = 4_096;

/** Reads them, by port. The process of another user's socket is unknown unless this runs as root. */
export async function readListeners(): Promise<ListenerFact[]> {
  const tables = await Promise.all(
    TABLES.map(async ([protocol, path]) =>
      readSocketTable(await readFixed(path), protocol).map((socket) => ({ ...socket, protocol }))
    ),
  );
  const sockets = tables.flat().sort((a, b) => a.port - b.port).slice(0, MAX_LISTENERS);
  const owners = await findOwners(new Set(sockets.map(({ inode }) => inode)));
  return sockets.map(({ protocol, address, port, inode }) => ({
    protocol,
    address,
    port,
    pid: owners.get(inode)?.pid ?? 0,
    program: owners.get(inode)?.program ?? "",
  }));
}

/** The TCP ports that these processes listen on, in order. They may be in a network namespace of their own. */
export async function portsOf(pids: readonly number[]): Promise<number[]> {
  const ports = new Set<number>();
  for (const pid of pids) {
    const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFixed(`/proc/${pid}/net/${name}`)));
    const listening = new Map(
      tables.flatMap((table) => readSocketTable(table, "tcp")).map(({ inode, port }) => [inode, port]),
    );
    if (listening.size === 0) continue;
    for (const inode of await socketsOf(pid)) {
      const port = listening.get(inode);
      if (port !== undefined) ports.add(port);
    }
  }
  return [...ports].sort((a, b) => a - b);
}

/** Looks through the descriptors of all processes until every socket has its first owner. */
async function findOwners(wanted: ReadonlySet<number>): Promise<Map<number, { pid: number; program: string }>> {
  const owners = new Map<number, { pid: number; program: string }>();
  for (const pid of await oldestFirst()) {
    if (owners.size === wanted.size) break;
    for (const inode of await socketsOf(pid)) {
      if (!wanted.has(inode) || owners.has(inode)) continue;
      owners.set(inode, { pid, program: await readFixed(`/proc/${pid}/comm`) });
    }
  }
  return owners;
}

/** A child that was only just forked holds the descriptors of its parent, and may have the lower number. */
async function oldestFirst(): Promise<number[]> {
  const names = (await listFixed("/proc")).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(names.map(async (name) => {
    const stat = await readFixed(`/proc/${name}/stat`);
    const startTicks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_FIELD]);
    return { pid: Number(name), startTicks };
  }));
  return processes.sort((a, b) => a.startTicks - b.startTicks || a.pid - b.pid).map(({ pid }) => pid);
}

async function socketsOf(pid: number): Promise<number[]> {
  const dir = `/proc/${pid}/fd`;
  const names = (await listFixed(dir)).slice(0, MAX_DESCRIPTORS);
  const links = await Promise.all(names.map((name) => Deno.readLink(`${dir}/${name}`).catch(() => ""))); // closed meanwhile
  return links.map((link) => Number(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? 0)).filter((inode) => inode > 0);
}
