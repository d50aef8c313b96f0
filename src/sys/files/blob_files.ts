/** Payload files by name, with random access: read in parts, never loaded whole. @module */
import { openFile } from "./open_file.ts";
import { ensurePrivateDirectory } from "./private_files.ts";

/** Bytes that are read at any offset. */
export interface RandomAccess {
  readonly sizeBytes: number;
  /** Milliseconds since 1970, whole. */
  readonly mtimeMs: number;
  /** Fills `into` from `offset`; returns how many bytes, fewer only at the end. */
  read(offset: number, into: Uint8Array): Promise<number>;
  close(): void;
}

/** A directory of payload files. */
export interface BlobFiles {
  /** Writes a whole file: it has its name only when it is complete. */
  write(name: string, bytes: Uint8Array): void;
  /** Null when there is no such file. */
  open(name: string): Promise<RandomAccess | null>;
  remove(name: string): void;
  /** Every file, those that were left unfinished included. */
  names(): string[];
}

/**
 * Opens a regular file.
 *
 * @throws Deno.errors.NotFound and the other errors of the system; also for devices, pipes and sockets, whose
 * opening could wait for ever.
 */
export async function openRandomAccess(path: string): Promise<RandomAccess> {
  if (!(await Deno.stat(path)).isFile) throw new Deno.errors.NotFound(`not a regular file: ${path}`);
  const file = openFile(path, { read: true });
  const { isFile, size, mtime } = await file.stat();
  if (!isFile) { // swapped between the two looks
    file[Symbol.dispose]();
    throw new Deno.errors.NotFound(`not a regular file: ${path}`);
  }
  return {
    sizeBytes: size,
    mtimeMs: Math.trunc(mtime?.getTime() ?? 0),
    async read(offset, into) {
      await file.seek(offset);
      let filled = 0;
      while (filled < into.length) {
        const count = await file.read(into.subarray(filled));
        if (count === null) break;
        filled += count;
      }
      return filled;
    },
    close: () => file[Symbol.dispose](),
  };
}

/** Payload files in one private directory, which is made at the first write. */
export function makeBlobFiles(directory: string): BlobFiles {
  const pathOf = (name: string): string => {
    if (!/^[A-Za-z0-9_.-]+$/.test(name)) throw new TypeError(`not a payload file's name: ${name}`);
    return `${directory}/${name}`;
  };
  const removeIfThere = (path: string): void => {
    try {
      Deno.removeSync(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  };

  return {
    write(name, bytes) {
      const path = pathOf(name), unfinished = `${path}.part`;
      ensurePrivateDirectory(directory);
      try {
        Deno.writeFileSync(unfinished, bytes, { createNew: true, mode: 0o600 });
        Deno.renameSync(unfinished, path);
      } catch (error) {
        removeIfThere(unfinished);
        throw error;
      }
    },
    async open(name) {
      try {
        return await openRandomAccess(pathOf(name));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return null;
        throw error;
      }
    },
    remove: (name) => removeIfThere(pathOf(name)),
    names() {
      try {
        return Array.from(Deno.readDirSync(directory), (entry) => entry.name);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return [];
        throw error;
      }
    },
  };
}
