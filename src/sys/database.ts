/** Opens SQLite databases: settings, migration, transactions, and the difference between damage and other errors. @module */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { fileIdentity } from "./files/database_files.ts";
import { ensurePrivateFile } from "./files/private_files.ts";

/** A prepared statement. */
export type Statement = StatementSync;

/** Gives the prepared statement of an SQL text, made once. */
export type Prepare = (sql: string) => Statement;

/** What a database holds. */
export interface DatabaseFormat {
  readonly version: number;
  /** Makes the tables in an empty database. */
  readonly schema: string;
  readonly tables: readonly string[];
}

/** An open database. */
export interface Database {
  readonly prepare: Prepare;
  /** Reads and writes as one transaction that holds the write lock from its start. @throws Error, and nothing changed. */
  write<T>(work: (prepare: Prepare) => T): T;
  /** Whether the file that was opened is still the one of this name. */
  isCurrent(): boolean;
  close(): void;
}

/** The file cannot be used, now or later, as opposed to a full disk or a lock. */
export class UnusableError extends Error {
  constructor(readonly kind: "corrupt" | "newer" | "older", message: string) {
    super(message);
  }
}

const BUSY_TIMEOUT_MS = 5_000;
const DAMAGE =
  /not a database|malformed|disk image|no such (?:table|column)|already exists|fts5: corrupt|vtable constructor failed/;

/** The error as it is, or as an {@link UnusableError} when SQLite says so: its driver has no codes for this. */
export function asUnusable(error: unknown): unknown {
  const fromSqlite = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
  return fromSqlite && DAMAGE.test(error.message) ? new UnusableError("corrupt", error.message) : error;
}

/**
 * Opens or creates a database: WAL, waits for other writers, survives `kill -9`.
 *
 * @param path File, or ":memory:".
 * @throws Error when the file is not a database or its directory is not writable.
 */
export function openSqlite(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`); // first: each of the next may meet another process
    // Before the first table: VACUUM needs ATTACH, which the narrowed worker is denied.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    database.exec("PRAGMA journal_mode = WAL");
    // Temporary files would be made outside the data directory, where the sandbox refuses them: a statement's journal
    // past 64 KiB, a large sort.
    database.exec("PRAGMA temp_store = MEMORY");
    database.exec("PRAGMA synchronous = NORMAL"); // in WAL mode this survives a killed process, not a power cut
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens or creates a database of a format, private to its user.
 *
 * @param thorough Reads everything, because SQLite notices damage only where it reads.
 * @throws UnusableError when the file is damaged or of another version, and what the system says otherwise.
 */
export function openDatabase(path: string, format: DatabaseFormat, thorough = false): Database {
  ensurePrivateFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = openSqlite(path);
    migrate(database, format);
    for (const table of format.tables) database.prepare(`select * from ${table} limit 1`).get();
    if (thorough && database.prepare("pragma quick_check(1)").get()?.quick_check !== "ok") {
      throw new UnusableError("corrupt", "an integrity check found corruption");
    }
    return wrap(database, path);
  } catch (error) {
    database?.close();
    throw asUnusable(error);
  }
}

/** Brings an empty file to the current schema, inside one transaction so that two processes do not both do it. */
function migrate(database: DatabaseSync, { version, schema }: DatabaseFormat): void {
  const found = () => Number(database.prepare("pragma user_version").get()?.user_version);
  if (found() === version) return;
  transact(database, () => {
    const now = found();
    if (now > version) throw new UnusableError("newer", "it was created by a newer version of this program");
    if (now !== 0 && now < version) {
      throw new UnusableError("older", "it was created by an older version of this program");
    }
    if (now === 0) database.exec(`${schema}; pragma user_version = ${version}`);
  });
}

function transact<T>(database: DatabaseSync, work: () => T): T {
  database.exec("begin immediate");
  try {
    const result = work();
    database.exec("commit");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function wrap(database: DatabaseSync, path: string): Database {
  const identity = fileIdentity(path), statements = new Map<string, Statement>();
  const prepare: Prepare = (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    prepare,
    write: (work) => transact(database, () => work(prepare)),
    isCurrent: () => identity === fileIdentity(path),
    close: () => database.close(),
  };
}
