/** Opens SQLite databases with the settings that every store uses. @module */
import { DatabaseSync } from "node:sqlite";

export type { DatabaseSync as Database, StatementSync as Statement } from "node:sqlite";

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens or creates a database: WAL, waits for other writers, survives `kill -9`.
 *
 * @param path File, or ":memory:".
 * @throws Error when the file is not a database or its directory is not writable.
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`); // first: each of the next may meet another process
    // Before the first table: VACUUM needs ATTACH, which the narrowed worker is denied.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL"); // in WAL mode this survives a killed process, not a power cut
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
