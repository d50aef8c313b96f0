/** Opens the index database of one folder, and distinguishes corruption from transient errors. @module */
import { sha256Hex } from "../core/bytes.ts";
import { parentOf } from "../core/path.ts";
import { ensurePrivateDirectory, ensurePrivateFile, setAside, withFileLock } from "../sys/files/private_files.ts";
import { fileIdentity, removeDatabase } from "../sys/files/index_files.ts";
import { type Database, openDatabase, type Statement } from "../sys/sqlite.ts";
import { INDEX_SCHEMA, INDEX_VERSION } from "./index_schema.ts";

/** An open index. */
export interface IndexDatabase {
  /** Whether the file that was opened is still the one of this name. */
  isCurrent(): boolean;
  /** Gives the prepared statement of an SQL text, made once. */
  prepare(sql: string): Statement;
  /** Does something as one transaction that holds the write lock from its start. */
  write<T>(work: () => T): T;
  close(): void;
}

const COMPANIONS = ["-wal", "-shm"];

/** The file is no database or a damaged one. */
export class DamagedError extends Error {}

/** The error as it is, or as a {@link DamagedError} when SQLite says so: its driver has no codes for this. */
export function classify(error: unknown): unknown {
  const isDamage = error instanceof Error &&
    /not a database|malformed|disk image|no such (?:table|column)|already exists|fts5: corrupt|vtable constructor failed/
      .test(error.message);
  return isDamage ? new DamagedError(error.message) : error;
}

/** Where the index of a folder lies. @param root Real path. */
export async function indexPath(dataDir: string, root: string): Promise<string> {
  return `${dataDir}/index/${(await sha256Hex(root)).slice(0, 20)}.db`;
}

function versionOf(database: Database): number {
  return Number(database.prepare("pragma user_version").get()?.user_version);
}

/** Makes the tables unless they are there; another version of them counts as damage without a warning. */
function fill(database: Database): boolean {
  if (versionOf(database) === INDEX_VERSION) return true;
  database.exec("begin immediate");
  try {
    const found = versionOf(database);
    if (found === 0) {
      database.exec(INDEX_SCHEMA);
      database.exec(`pragma user_version = ${INDEX_VERSION}`);
    }
    database.exec("commit");
    return found === 0 || found === INDEX_VERSION;
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function wrap(database: Database, path: string): IndexDatabase {
  const identity = fileIdentity(path);
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = database.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  return {
    isCurrent: () => identity === fileIdentity(path),
    prepare,
    write(work) {
      database.exec("begin immediate");
      try {
        const result = work();
        database.exec("commit");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("rollback");
        throw error;
      }
    },
    close: () => database.close(),
  };
}

/** Opens an index that must be usable. @throws DamagedError when it is not; undefined for tables of another version. */
function openUsable(path: string): IndexDatabase | undefined {
  ensurePrivateFile(path);
  let database: Database | undefined;
  try {
    database = openDatabase(path);
    if (!fill(database)) {
      database.close();
      return undefined;
    }
    for (const table of ["files", "chunks", "names", "chunk_words", "file_words"]) {
      database.prepare(`select rowid from ${table === "names" ? "files" : table} limit 1`).get();
    }
    return wrap(database, path);
  } catch (error) {
    database?.close();
    throw classify(error);
  }
}

/** Opens an index for reading what is there. @throws DamagedError, or what the system says. */
export function openIndex(path: string): IndexDatabase {
  const opened = openUsable(path);
  if (opened === undefined) throw new DamagedError("it was created by another version");
  return opened;
}

/** What {@link openOrReplaceIndex} found. */
export interface OpenedIndex {
  readonly index: IndexDatabase;
  /** Where a damaged index was put; undefined when there was none. */
  readonly setAside?: string;
}

/**
 * Opens an index, or sets a damaged one aside and begins a new one: under a lock, so that of two servers one does it.
 *
 * @param options damaged: somebody met damage that opening does not show; discard: begins anew though nothing is wrong.
 */
export function openOrReplaceIndex(
  path: string,
  options: { damaged?: boolean; discard?: boolean; nowMs: number },
): OpenedIndex {
  ensurePrivateDirectory(parentOf(path));
  return withFileLock(`${path}.lock`, () => {
    let kept: string | undefined;
    try {
      if (options.damaged) throw new DamagedError("it was found to be corrupt while in use");
      const opened = options.discard ? undefined : openUsable(path);
      if (opened !== undefined) return { index: opened };
      removeDatabase(path);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      kept = setAside(path, `corrupt-${options.nowMs}`, COMPANIONS);
    }
    const index = openUsable(path);
    if (index === undefined) throw new DamagedError("a new index has the wrong version");
    return kept === undefined ? { index } : { index, setAside: kept };
  });
}
