/** Finds roots that only root's special rights can reach; confined threads and children lose them. @module */
import type { Config } from "../config/resolve.ts";

/** Whether a process of the group, but not of the owner, may pass through a folder. */
interface Passage {
  readonly path: string;
  readonly uid: number;
  readonly mode: number;
}

/** Why programs cannot reach a root, and what helps; null when that is not the reason. */
export function unreachableRoot({ roots }: Pick<Config, "roots">): string | null {
  if (Deno.uid() !== 0) return null; // anybody else would not have found the root in the first place
  for (const root of roots) {
    const closed = foldersOn(root).find(isClosed);
    if (closed === undefined) continue;
    const mode = (closed.mode & 0o7777).toString(8).padStart(4, "0");
    return `programs cannot reach the root ${root}: ${closed.path} is closed to all but user ${closed.uid} (mode ${mode}), ` +
      `and confined programs of the superuser have no right to pass. Run llmc-mcp as that user, or: chmod o+x ${closed.path}`;
  }
  return null;
}

/** Every folder on the way to a root, and the root itself. */
function foldersOn(root: string): Passage[] {
  const names = root.split("/").filter((name) => name !== "");
  return names.flatMap((_, at) => {
    const path = `/${names.slice(0, at + 1).join("/")}`;
    try {
      const { uid, mode } = Deno.statSync(path);
      return [{ path, uid: uid ?? 0, mode: mode ?? 0 }];
    } catch {
      return [];
    }
  });
}

/** The superuser's own folders are judged by their owner's bits, all others by those of strangers. */
function isClosed({ uid, mode }: Passage): boolean {
  return (mode & (uid === 0 ? 0o100 : 0o001)) === 0;
}
