/** Store directory in the data directory, under an unguessable name. @module */
import { withFileLock } from "../sys/files/private_files.ts";

const NAME = /^store-[0-9a-f]{32}$/;

/**
 * Finds or makes the folder; the data directory too. A program in the roots can make a link to any path that it knows,
 * and a tool that looks at such a link may lose a race: so what the server may write must not have a path to know.
 *
 * @throws Error when the data directory cannot be used
 */
export function openStoreDir(dataDir: string): string {
  Deno.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Two servers that start at once must agree on one name.
  return withFileLock(`${dataDir}/.lock`, () => {
    const names = [...Deno.readDirSync(dataDir)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    const path = `${dataDir}/${names.sort().find((name) => NAME.test(name)) ?? newName()}`;
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  });
}

/** Where the server writes the token audit. @param csvPath The configured path, inside the data directory. */
export function auditPath(storeDir: string, dataDir: string, csvPath: string): string {
  return storeDir + csvPath.slice(dataDir.length);
}

function newName(): string {
  return `store-${crypto.randomUUID().replaceAll("-", "")}`;
}
