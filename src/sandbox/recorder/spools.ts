/** Opens the spool of each program that changes something. @module */
import type { HostConfig } from "../protocol.ts";
import { SPOOL_SHARE, spoolDir, spoolNames } from "../../sys/writer/spool.ts";
import type { EntryReader } from "./entry_reader.ts";
import type { RecorderLibc } from "./kernel.ts";
import { makeOwners } from "./owners.ts";
import { openSpool, type Spool } from "./spool_writer.ts";

/** Spools by process. */
export interface Spools {
  /** Null for a process that no recorded program started. */
  of(tid: number): Spool | null;
}

/** For the programs of this server. */
export function makeSpools(libc: RecorderLibc, reader: EntryReader, host: HostConfig): Spools {
  const { max_bytes, max_file_bytes } = host.config.settings.undo;
  const folder = `${spoolDir(host.storeDir)}/${host.marker}`, used = { bytes: 0 };
  const limits = { maxFileBytes: max_file_bytes, maxBytes: max_bytes * SPOOL_SHARE };
  const open = new Map<string, { readonly spool: Spool; readonly usedBytes: () => number }>();
  const isProgram = (mark: string) => isThere(`${folder}/${spoolNames.description(mark)}`);
  const programs = () => Array.from(Deno.readDirSync(folder), ({ name }) => spoolNames.markOf(name) ?? "");
  const owners = makeOwners(libc, host.marker, { isProgram, programs: () => [...new Set(programs())] });

  /** Those whose content is in the journal by now. */
  const closeEnded = () => {
    for (const [mark, { spool, usedBytes }] of open) {
      if (isProgram(mark)) continue;
      spool.close();
      used.bytes -= usedBytes();
      open.delete(mark);
    }
  };
  return {
    of(tid) {
      const mark = owners.markOf(tid);
      if (mark === null) return null;
      const known = open.get(mark);
      if (known !== undefined) return known.spool;
      closeEnded();
      const own = { bytes: 0 };
      const spool = openSpool(libc, reader, {
        folder,
        mark,
        limits,
        usedBytes: () => used.bytes,
        use(bytes) {
          used.bytes += bytes;
          own.bytes += bytes;
        },
      });
      open.set(mark, { spool, usedBytes: () => own.bytes });
      return spool;
    },
  };
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
