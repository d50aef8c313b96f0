/** Handles database files with their companions: identity, size, age, removal, renaming aside. @module */
import { ifThere } from "./exists.ts";

/** Endings of the files that belong to a database in WAL mode. */
const ENDINGS = ["", "-wal", "-shm"];

/** Tells one file from another that took its name; null when there is none. */
export function fileIdentity(path: string): string | null {
  return ifThere(() => {
    const { dev, ino } = Deno.lstatSync(path);
    return `${dev}:${ino}`;
  }) ?? null;
}

/** Bytes of a database with its log. */
export function databaseBytes(path: string): number {
  return ["", "-wal"].reduce((sum, ending) => sum + (ifThere(() => Deno.lstatSync(path + ending).size) ?? 0), 0);
}

/** Removes a database. */
export function removeDatabase(path: string): void {
  for (const ending of ENDINGS) ifThere(() => Deno.removeSync(path + ending));
}

/** When a database last changed, in milliseconds since 1970. */
export function newestChangeMs(path: string): number {
  return Math.max(...ENDINGS.map((ending) => ifThere(() => Deno.lstatSync(path + ending).mtime?.getTime()) ?? 0));
}

/** Renames a database that is not usable any more. @returns The new path. */
export function setAside(path: string, suffix: string): string {
  const target = `${path}.${suffix}`;
  for (const ending of ENDINGS) {
    try {
      Deno.renameSync(path + ending, target + ending);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return target;
}
