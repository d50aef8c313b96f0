/** Private runtime directory of one server, removed when it stops or by the next start. @module */
import type { Config } from "../config/resolve.ts";
import { isInsideAny } from "../core/path.ts";

const PREFIX = "llmc-mcp-";
/** Locked while the server lives; the kernel lets go of the lock however it ends. */
const LOCK = "lock";

/** The places where one may be, in the order in which they are tried. */
function places(): string[] {
  const given = [Deno.env.get("XDG_RUNTIME_DIR"), Deno.env.get("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"];
  return given.flatMap((dir) => dir ? [dir] : []);
}

/** A private directory that no root contains, or the canary in it would prove nothing. */
export function makeRuntimeDir({ roots, unconfined }: Pick<Config, "roots" | "unconfined">): string {
  for (const dir of places()) {
    try {
      const real = Deno.realPathSync(dir);
      if (!unconfined && isInsideAny(real, roots)) continue;
      const made = Deno.makeTempDirSync({ dir: real, prefix: PREFIX });
      holdLock(made);
      return made;
    } catch {
      // not there or not writable: the next one
    }
  }
  throw new Error("no temporary directory outside the allowed roots; set TMPDIR to one");
}

/** The lock has its name only once it is held: no other process can take it in between. The file stays open until the process ends. */
function holdLock(dir: string): void {
  try {
    const file = Deno.openSync(`${dir}/${LOCK}.new`, { createNew: true, write: true, mode: 0o600 });
    file.lockSync(true);
    Deno.renameSync(`${dir}/${LOCK}.new`, `${dir}/${LOCK}`);
  } catch {
    // a file system without locks: then it cannot be told later whether its server lives, and it stays
  }
}

/**
 * Removes what servers of this user left behind that were killed. One that lives holds its lock, whichever process
 * namespace it is in; one that is just starting has none yet and is left alone.
 *
 * @param parent Folder of this server's own runtime directory.
 */
export async function sweepRuntimeDirs(parent: string): Promise<void> {
  if (!isTrusted(parent)) return;
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (isDirectory && name.startsWith(PREFIX)) removeStale(`${parent}/${name}`);
  }
}

/** Whether no other user can replace this user's entries. */
function isTrusted(parent: string): boolean {
  const { mode, uid } = Deno.lstatSync(parent), bits = mode ?? 0o777;
  return (uid === 0 || uid === Deno.uid()) && ((bits & 0o022) === 0 || (bits & 0o1000) !== 0);
}

function removeStale(dir: string): void {
  try {
    const { isDirectory, uid, mode } = Deno.lstatSync(dir);
    if (!isDirectory || uid !== Deno.uid() || ((mode ?? 0) & 0o077) !== 0) return;
    if (!Deno.lstatSync(`${dir}/${LOCK}`).isFile) return;
    using lock = Deno.openSync(`${dir}/${LOCK}`, { write: true });
    if (!lock.tryLockSync(true)) return;
    // The lock last: what is left of a sweep that was interrupted can be swept again.
    for (const { name } of Deno.readDirSync(dir)) {
      if (name !== LOCK) Deno.removeSync(`${dir}/${name}`, { recursive: true });
    }
    Deno.removeSync(dir, { recursive: true });
  } catch {
    // ended by itself meanwhile, or not ours to remove
  }
}
