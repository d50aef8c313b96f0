/** Creates files that only the server's user can read: private from the start, locked. @module */
import { encodeText } from "../../core/bytes.ts";

/** Makes a directory of mode 0700 unless there is one, whose mode is its owner's decision. */
export function ensurePrivateDirectory(path: string): void {
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Makes an empty file of mode 0600 unless there is one: SQLite gives its companions the mode of the database. */
export function ensurePrivateFile(path: string): void {
  try {
    Deno.openSync(path, { createNew: true, write: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** Does something that at most one process does at a time. The lock dies with its holder. */
export function withFileLock<T>(path: string, work: () => T): T {
  const file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
  try {
    file.lockSync(true);
    return work();
  } finally {
    file.close();
  }
}

/** Appends text in one write, so that lines of several processes do not mix; `first` goes before it in an empty file. */
export function appendText(path: string, text: string, first: string): void {
  const file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
  try {
    file.lockSync(true); // two processes that both find the file empty would both write the first line
    const bytes = encodeText(file.statSync().size === 0 ? first + text : text);
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
  } finally {
    file.close();
  }
}

/** Replaces the text of a small private file; a reader sees the old text or the new one. */
export function replacePrivateFile(path: string, text: string): void {
  const next = `${path}.new`;
  Deno.writeTextFileSync(next, text, { mode: 0o600 });
  Deno.renameSync(next, path);
}

/** The text of a small file; empty when there is none. */
export function readIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Removes a file; one that is not there is no error. */
export function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
