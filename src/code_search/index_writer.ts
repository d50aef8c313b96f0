/** Adds files to an index and removes them. @module */
import { type Database } from "../sys/database.ts";
import type { IndexedStamp } from "../sys/files/index_files.ts";
import { FIELDS } from "./fields.ts";
import type { FileEntry } from "./file_entry.ts";
import { lengthColumn } from "./index_schema.ts";

/** A file on disk and in the index. */
export interface IndexedFile extends IndexedStamp {
  readonly id: number;
  /** When it was read; a change right after it may have the same stamp. */
  readonly readMs: number;
  readonly hash: string;
}

/** What is known of a file that is put into the index. */
export interface ReadFile extends IndexedStamp {
  readonly path: string;
  readonly hash: string;
  readonly readMs: number;
}

/** Chunks of prose have the numbers from here on, so that full text search finds either kind by a range of numbers. */
export const FIRST_DOCS_CHUNK = 1_000_000_000_000;

const COLUMNS = [
  "path",
  "size_bytes",
  "changed_ms",
  "read_ms",
  "hash",
  "language",
  "kind",
  "test",
  "about",
  "first_chunk",
  "chunks",
];
const LENGTHS = FIELDS.map(lengthColumn);
const marks = (count: number): string => Array(count).fill("?").join(", ");
const INSERT_FILE = `insert into files (${[...COLUMNS, ...LENGTHS].join(", ")})
  values (${marks(COLUMNS.length + LENGTHS.length)})`;
const INSERT_CHUNK = `insert into chunks (id, file_id, ordinal, kind, symbol, start_line, end_line, name_line)
  values (${marks(8)})`;
const LAST_CHUNK = "select max(id) as id from chunks where id between ? and ?";
const INSERT_WORDS = `insert into chunk_words (rowid, ${FIELDS.join(", ")}) values (${marks(FIELDS.length + 1)})`;
/** Every file that the index holds, by path. */
export function indexedFiles({ prepare }: Database): Map<string, IndexedFile> {
  const files = new Map<string, IndexedFile>();
  for (const row of prepare("select id, path, size_bytes, changed_ms, read_ms, hash from files").iterate()) {
    files.set(String(row.path), {
      id: Number(row.id),
      sizeBytes: Number(row.size_bytes),
      changedMs: Number(row.changed_ms),
      readMs: Number(row.read_ms),
      hash: String(row.hash),
    });
  }
  return files;
}

/** Takes a file out. Must be inside a transaction. */
export function removeIndexed({ prepare }: Database, path: string): void {
  const id = prepare("select id from files where path = ?").get(path)?.id;
  if (id === undefined) return;
  prepare("delete from chunk_words where rowid in (select id from chunks where file_id = ?)").run(id);
  for (const table of ["chunks", "names", "imports"]) prepare(`delete from ${table} where file_id = ?`).run(id);
  prepare("delete from files where id = ?").run(id);
}

/** The file is the same, only its stamp is new. Must be inside a transaction. */
export function restampFile({ prepare }: Database, file: ReadFile): void {
  prepare("update files set size_bytes = ?, changed_ms = ?, read_ms = ? where path = ?")
    .run(file.sizeBytes, file.changedMs, file.readMs, file.path);
}

/** The number of the first chunk of a file that is added. */
function nextChunk({ prepare }: Database, { kind }: FileEntry): number {
  const isProse = kind === "docs";
  const range = isProse ? [FIRST_DOCS_CHUNK, Number.MAX_SAFE_INTEGER] : [1, FIRST_DOCS_CHUNK - 1];
  const last = prepare(LAST_CHUNK).get(...range)?.id;
  return last === null || last === undefined ? (range[0] ?? 1) : Number(last) + 1;
}

function putChunks({ prepare }: Database, fileId: number, firstChunk: number, entry: FileEntry): void {
  let id = firstChunk;
  const names = prepare("insert or ignore into names (name, chunk_id, file_id) values (?, ?, ?)");
  for (const [ordinal, { chunk, words }] of entry.chunks.entries()) {
    const { kind, startLine, endLine, nameLine } = chunk;
    const symbol = [...chunk.container, ...chunk.names.slice(0, 1)].filter((part) => part !== "").join(".");
    prepare(INSERT_CHUNK).run(id, fileId, ordinal, kind, symbol, startLine, endLine, nameLine);
    prepare(INSERT_WORDS).run(id, ...words.map((list) => list.join(" ")));
    for (const name of [...chunk.names, ...chunk.reexports ?? []]) names.run(name, id, fileId);
    id++;
  }
}

/** Puts a file in, in place of what was there of it. Must be inside a transaction. */
export function putFile(index: Database, file: ReadFile, entry: FileEntry): void {
  const { prepare } = index;
  removeIndexed(index, file.path);
  const firstChunk = nextChunk(index, entry);
  const lengths = FIELDS.map((_, at) => entry.chunks.reduce((sum, { words }) => sum + (words[at]?.length ?? 0), 0));
  const { lastInsertRowid } = prepare(INSERT_FILE).run(
    file.path,
    file.sizeBytes,
    file.changedMs,
    file.readMs,
    file.hash,
    entry.language,
    entry.kind,
    entry.isTest ? 1 : 0,
    entry.about,
    firstChunk,
    entry.chunks.length,
    ...lengths,
  );
  const fileId = Number(lastInsertRowid);
  putChunks(index, fileId, firstChunk, entry);
  const imports = prepare("insert or ignore into imports (file_id, target) values (?, ?)");
  for (const target of entry.imports) imports.run(fileId, target);
}

/** Notes when the index changed last. Must be inside a transaction. */
export function setMeta({ prepare }: Database, key: string, value: string): void {
  prepare("insert into meta values (?, ?) on conflict (key) do update set value = excluded.value").run(key, value);
}

/** What was noted; undefined when nothing was. */
export function getMeta({ prepare }: Database, key: string): string | undefined {
  const value = prepare("select value from meta where key = ?").get(key)?.value;
  return value === undefined ? undefined : String(value);
}
