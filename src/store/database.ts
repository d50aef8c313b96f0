/** Database of the store: opened lazily, replaced when corrupt, shared by several processes. @module */
import { compactTime } from "../core/time.ts";
import {
  asUnusable,
  type Database,
  type DatabaseFormat,
  openDatabase,
  type Prepare,
  UnusableError,
} from "../sys/database.ts";
import { setAside } from "../sys/files/database_files.ts";
import { ensurePrivateDirectory, withFileLock } from "../sys/files/private_files.ts";
import { STORE_FORMAT } from "./schema.ts";

/** One SQLite file and the statements prepared on it. */
export interface StoreDatabase {
  /** Reads. @throws Error when the database cannot be opened or read. */
  read<T>(work: (prepare: Prepare) => T): T;
  /** Reads and writes as one transaction that holds the write lock from its start. @throws Error, and nothing changed. */
  write<T>(work: (prepare: Prepare) => T): T;
  close(): void;
}

/** What the database needs to know. */
export interface StoreDatabaseOptions {
  /** Private directory; made when missing. */
  readonly dataDir: string;
  /** Name of the file; that of results and records when absent. */
  readonly file?: string;
  readonly format?: DatabaseFormat;
  readonly now: () => number;
  /** Told when a database that cannot be used was set aside, and where. */
  readonly warn: (message: string) => void;
}

const FILE = "llmc.db";
/** After a failed opening the next attempt waits so long: a full disk must not cost every call an attempt. */
const RETRY_MS = 2_000;

/** The database of a data directory. Nothing is opened before the first use. */
export function makeStoreDatabase(
  { dataDir, file = FILE, format = STORE_FORMAT, now, warn }: StoreDatabaseOptions,
): StoreDatabase {
  const path = `${dataDir}/${file}`;
  let current: Database | undefined;
  let closed = false;
  let failure: { readonly error: unknown; readonly untilMs: number } | undefined;

  /** Under a lock and after another look, so that of two processes that meet the damage one replaces the file. */
  const openOrReplace = (): Database =>
    withFileLock(`${path}.lock`, () => {
      try {
        return openDatabase(path, format, true);
      } catch (error) {
        if (!(error instanceof UnusableError)) throw error;
        const kept = setAside(path, `${error.kind}-${compactTime(now())}`);
        warn(`the database could not be used: ${error.message}; kept it as ${kept} and started a new one`);
        return openDatabase(path, format);
      }
    });

  const openDamagedOrNot = (): Database => {
    ensurePrivateDirectory(dataDir);
    try {
      return openDatabase(path, format);
    } catch (error) {
      if (!(error instanceof UnusableError)) throw error;
      return openOrReplace();
    }
  };

  const open = (): Database => {
    if (closed) throw new Error("the database is closed");
    if (current) return current;
    if (failure && now() < failure.untilMs) throw failure.error;
    try {
      current = openDamagedOrNot();
      failure = undefined;
      return current;
    } catch (error) {
      failure = { error, untilMs: now() + RETRY_MS };
      throw error;
    }
  };

  /** Damage that shows only now, or a deleted file, costs what was stored and not the call. */
  const withRecovery = <T>(work: (open: Database) => T): T => {
    try {
      return work(open());
    } catch (error) {
      const damaged = asUnusable(error) instanceof UnusableError;
      if (!current || !damaged && current.isCurrent()) throw error;
      current.close();
      current = undefined;
      if (damaged) current = openOrReplace();
      return work(open());
    }
  };

  return {
    read: (work) => withRecovery(({ prepare }) => work(prepare)),
    write: (work) => withRecovery(({ write }) => write(work)),
    close() {
      closed = true;
      current?.close();
      current = undefined;
    },
  };
}
