/** Database of the store: opened lazily, replaced when corrupt, shared by several processes. @module */
import { compactTime } from "../core/time.ts";
import { ensurePrivateDirectory, exists, setAside, withFileLock } from "../sys/files/private_files.ts";
import type { Database, Statement } from "../sys/sqlite.ts";
import { classify, openChecked, UnusableError } from "./open_checked.ts";

/** Gives the prepared statement of an SQL text, made once. */
export type Prepare = (sql: string) => Statement;

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
  readonly now: () => number;
  /** Told when a database that cannot be used was set aside, and where. */
  readonly warn: (message: string) => void;
}

const FILE = "llmc.db";
const COMPANIONS = ["-wal", "-shm"];
/** After a failed opening the next attempt waits so long: a full disk must not cost every call an attempt. */
const RETRY_MS = 2_000;

interface Open {
  readonly database: Database;
  readonly prepare: Prepare;
}

function cacheStatements(database: Database): Open {
  const statements = new Map<string, Statement>();
  const prepare: Prepare = (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return { database, prepare };
}

/** The database of a data directory. Nothing is opened before the first use. */
export function makeStoreDatabase({ dataDir, now, warn }: StoreDatabaseOptions): StoreDatabase {
  const path = `${dataDir}/${FILE}`;
  let current: Open | undefined;
  let closed = false;
  let failure: { readonly error: unknown; readonly untilMs: number } | undefined;

  /** Under a lock and after another look, so that of two processes that meet the damage one replaces the file. */
  const openOrReplace = (): Database =>
    withFileLock(`${path}.lock`, () => {
      try {
        return openChecked(path, true);
      } catch (error) {
        if (!(error instanceof UnusableError)) throw error;
        const kept = setAside(path, `${error.kind}-${compactTime(now())}`, COMPANIONS);
        warn(`the database could not be used: ${error.message}; kept it as ${kept} and started a new one`);
        return openChecked(path, false);
      }
    });

  const openDamagedOrNot = (): Database => {
    ensurePrivateDirectory(dataDir);
    try {
      return openChecked(path, false);
    } catch (error) {
      if (!(error instanceof UnusableError)) throw error;
      return openOrReplace();
    }
  };

  const open = (): Open => {
    if (closed) throw new Error("the database is closed");
    if (current) return current;
    if (failure && now() < failure.untilMs) throw failure.error;
    try {
      current = cacheStatements(openDamagedOrNot());
      failure = undefined;
      return current;
    } catch (error) {
      failure = { error, untilMs: now() + RETRY_MS };
      throw error;
    }
  };

  /** Damage that shows only now, or a deleted file, costs what was stored and not the call. */
  const withRecovery = <T>(work: (open: Open) => T): T => {
    try {
      return work(open());
    } catch (error) {
      const damaged = classify(error) instanceof UnusableError;
      if (!current || !damaged && exists(path)) throw error;
      current.database.close();
      current = undefined;
      if (damaged) current = cacheStatements(openOrReplace());
      return work(open());
    }
  };

  return {
    read: (work) => withRecovery(({ prepare }) => work(prepare)),
    write: (work) =>
      withRecovery(({ database, prepare }) => {
        database.exec("begin immediate");
        try {
          const result = work(prepare);
          database.exec("commit");
          return result;
        } catch (error) {
          if (database.isTransaction) database.exec("rollback");
          throw error;
        }
      }),
    close() {
      closed = true;
      current?.database.close();
      current = undefined;
    },
  };
}
