/** Opens the database file, migrates its schema, and distinguishes corruption from transient errors. @module */
import { ensurePrivateFile } from "../sys/files/private_files.ts";
import { type Database, openDatabase } from "../sys/sqlite.ts";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/** The file cannot be used, now or later, as opposed to a full disk or a lock. */
export class UnusableError extends Error {
  constructor(readonly kind: "corrupt" | "newer", message: string) {
    super(message);
  }
}

/** The error as it is, or as an {@link UnusableError} when SQLite says so: its driver has no codes for this. */
export function classify(error: unknown): unknown {
  const fromSqlite = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
  const damaged = fromSqlite && /not a database|malformed|no such (table|column)|already exists/.test(error.message);
  return damaged ? new UnusableError("corrupt", error.message) : error;
}

/** Brings an empty file to the current schema, inside one transaction so that two processes do not both do it. */
function migrate(database: Database): void {
  const version = () => Number(database.prepare("pragma user_version").get()?.user_version);
  if (version() === SCHEMA_VERSION) return;
  database.exec("begin immediate");
  try {
    const found = version();
    if (found > SCHEMA_VERSION) throw new UnusableError("newer", "it was created by a newer version of this program");
    if (found === 0) database.exec(`${SCHEMA}; pragma user_version = ${SCHEMA_VERSION}`);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

/** Touches each table, because SQLite notices damage only where it reads; `thorough` reads everything. */
function check(database: Database, thorough: boolean): void {
  for (const table of ["handles", "handle_totals", "calls", "call_rollups", "te_events"]) {
    database.prepare(`select * from ${table} limit 1`).get();
  }
  if (thorough && database.prepare("pragma quick_check(1)").get()?.quick_check !== "ok") {
    throw new UnusableError("corrupt", "an integrity check found corruption");
  }
}

/**
 * Opens or creates the database, private to its user.
 *
 * @throws UnusableError when the file is damaged or of a newer version, and what the system says otherwise.
 */
export function openChecked(path: string, thorough: boolean): Database {
  ensurePrivateFile(path);
  let database: Database | undefined;
  try {
    database = openDatabase(path);
    migrate(database);
    check(database, thorough);
    return database;
  } catch (error) {
    database?.close();
    throw classify(error);
  }
}
