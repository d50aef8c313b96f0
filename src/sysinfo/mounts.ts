/** Measures the space of each file system without blocking on a dead network mount. @module */
import { statfs } from "node:fs/promises";
import { memoryMounts, type MountRow, storageMounts } from "./mount_table.ts";
import type { MountFact } from "./machine_facts.ts";

/**
 * A local file system answers at once; a network one that does not is left out. In turns, of which a machine that stands
 * still uses up one.
 */
const ANSWER_TURNS = 4, TURN_MS = 50;
const MAX_MOUNTS = 64;
/** A file system in memory is worth a line from here on. */
const NEARLY_FULL = 0.9;

/** Makes the reader. It remembers mounts that never answered, so that each costs one waiting thread at most. */
export function makeMountFacts(roots: readonly string[] = []): (rows: readonly MountRow[]) => Promise<MountFact[]> {
  const waiting = new Set<string>();

  async function ask(row: MountRow): Promise<MountFact | null> {
    if (waiting.has(row.mount)) return null;
    waiting.add(row.mount);
    const answer = spaceOf(row).finally(() => waiting.delete(row.mount));
    const { promise: late, resolve } = Promise.withResolvers<null>();
    let turns = 0;
    const timer = setInterval(() => ++turns === ANSWER_TURNS && resolve(null), TURN_MS);
    return await Promise.race([answer, late]).finally(() => clearInterval(timer));
  }

  return async (rows) => {
    const [storage, memory] = await Promise.all([
      Promise.all(storageMounts(rows, roots).slice(0, MAX_MOUNTS).map(ask)),
      Promise.all(memoryMounts(rows, roots).slice(0, MAX_MOUNTS).map(ask)),
    ]);
    const found = [...storage, ...memory.filter((fact) => fact !== null && isNearlyFull(fact))]
      .filter((fact) => fact !== null);
    const root = found.find(({ mount }) => mount === "/");
    return found.filter((fact) => fact === root || !root || !isBelow(root, fact));
  };
}

async function spaceOf({ source, mount, type }: MountRow): Promise<MountFact | null> {
  try {
    // Containers get single files mounted (/etc/hosts): no place where anyone keeps anything.
    if (!(await Deno.stat(mount)).isDirectory) return null;
    const { blocks, bsize, bfree, bavail } = await statfs(mount);
    if (blocks === 0) return null;
    return {
      device: source,
      mount,
      type,
      sizeBytes: blocks * bsize,
      usedBytes: (blocks - bfree) * bsize,
      availableBytes: bavail * bsize,
    };
  } catch {
    return null; // unmounted meanwhile, or not for this user
  }
}

function isNearlyFull({ usedBytes, availableBytes }: MountFact): boolean {
  return usedBytes >= (usedBytes + availableBytes) * NEARLY_FULL;
}

/**
 * Whether an overlay root only passes on the figures of this file system: the same disk once more. Somebody may have
 * written between the two questions.
 */
function isBelow(root: MountFact, fact: MountFact): boolean {
  if (root.type !== "overlay" || root.sizeBytes !== fact.sizeBytes) return false;
  return Math.abs(root.usedBytes - fact.usedBytes) <= fact.sizeBytes * 0.01;
}
