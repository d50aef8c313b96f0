/** Spools of this server's programs, and those that killed servers left behind. @module */
import { ensurePrivateDirectory, readIfThere, removeFile, replacePrivateFile } from "../files/private_files.ts";
import { readRegularSync } from "../files/open_file.ts";
import { parseSpool, spoolDir, type SpoolLine, spoolNames } from "./spool.ts";

/** What is written down of a program before it starts. */
export interface SpoolDescription<Operation> {
  readonly operation: Operation;
  /** Its operation in the journal, once it has one. */
  readonly id: string | null;
}

/** The spools of one server. */
export interface SpoolFolder<Operation> {
  describe(mark: string, description: SpoolDescription<Operation>): void;
  descriptionOf(mark: string): SpoolDescription<Operation> | null;
  /** Lines from a position on, and the next position. */
  linesFrom(mark: string, offset: number): { readonly lines: readonly SpoolLine[]; readonly next: number };
  /** A content from before; null when it is not there. */
  image(name: string): Uint8Array | null;
  /** Forgets a program whose changes are in the journal. */
  remove(mark: string): void;
  /** Programs with a description. */
  marks(): readonly string[];
  /** Lets go of the folder, which is removed when it is empty. */
  close(): void;
}

/** Locked while the server lives. */
const LOCK = "lock";

/** Makes the folder of this server when its first program starts. @param marker Names the server. */
export function makeSpoolFolder<Operation>(storeDir: string, marker: string): SpoolFolder<Operation> {
  const folder = `${spoolDir(storeDir)}/${marker}`;
  let lock: Deno.FsFile | null = null;
  const open = () => {
    ensurePrivateDirectory(folder);
    // It has its name only once it is locked: no other server can take it in between.
    lock = Deno.openSync(`${folder}/${LOCK}.new`, { create: true, write: true, mode: 0o600 });
    lock.lockSync(true);
    Deno.renameSync(`${folder}/${LOCK}.new`, `${folder}/${LOCK}`);
  };
  const spools = spoolsIn<Operation>(folder);
  return {
    ...spools,
    describe(mark, description) {
      if (lock === null) open();
      spools.describe(mark, description);
    },
    close() {
      if (lock === null) return;
      try {
        if (spools.marks().length === 0) Deno.removeSync(folder, { recursive: true });
      } catch {
        // gone with the data directory, or left for the next server
      }
      lock.close();
    },
  };
}

/** The folders of servers that were killed, locked for the caller. */
export function* abandonedSpools<Operation>(storeDir: string): Iterable<SpoolFolder<Operation>> {
  for (const name of namesIn(spoolDir(storeDir))) {
    const folder = `${spoolDir(storeDir)}/${name}`, lock = tryLock(`${folder}/${LOCK}`);
    if (lock === null) continue;
    yield {
      ...spoolsIn<Operation>(folder),
      close() {
        Deno.removeSync(folder, { recursive: true });
        lock.close();
      },
    };
  }
}

function tryLock(path: string): Deno.FsFile | null {
  try {
    const file = Deno.openSync(path, { write: true });
    if (file.tryLockSync(true)) return file;
    file.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // it is just starting, or has just been removed
  }
  return null;
}

function spoolsIn<Operation>(folder: string): Omit<SpoolFolder<Operation>, "close"> {
  const pathOf = (name: string) => `${folder}/${name}`;
  const marks = () => namesIn(folder).flatMap((name) => name.endsWith(".json") ? spoolNames.markOf(name) ?? [] : []);
  return {
    marks,
    describe: (mark, description) =>
      replacePrivateFile(pathOf(spoolNames.description(mark)), JSON.stringify(description)),
    descriptionOf(mark) {
      const text = readIfThere(pathOf(spoolNames.description(mark)));
      return text === "" ? null : JSON.parse(text);
    },
    linesFrom(mark, offset) {
      const bytes = readBytes(pathOf(spoolNames.log(mark)))?.subarray(offset) ?? new Uint8Array();
      const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
      return { lines: parseSpool(new TextDecoder().decode(whole)), next: offset + whole.length };
    },
    image: (name) => readBytes(pathOf(name)),
    remove(mark) {
      // First what makes it a program: the rest is then known to be of no use.
      removeFile(pathOf(spoolNames.description(mark)));
      if (readBytes(pathOf(spoolNames.log(mark))) === null) return; // it has changed nothing
      for (const name of namesIn(folder)) if (spoolNames.markOf(name) === mark) removeFile(pathOf(name));
    },
  };
}

function readBytes(path: string): Uint8Array | null {
  try {
    return readRegularSync(path, Number.MAX_SAFE_INTEGER)?.bytes ?? null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
