/** Journal of changes on SQLite, with large contents as files beside it. @module */
import type { Prepare } from "../sys/database.ts";
import type { BlobFiles } from "../sys/files/blob_files.ts";
import { compress, expand } from "../sys/files/compress.ts";
import type { StoreDatabase } from "./database.ts";
import type { AddedEntry, Journal, NewEntry } from "./journal.ts";
import * as rows from "./journal_rows.ts";
import { numberOf, textOf } from "./row.ts";

/** What the journal needs. */
export interface JournalDeps {
  readonly database: StoreDatabase;
  readonly blobs: BlobFiles;
  /** The oldest operations make room. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly now: () => number;
}

/** Above this a content is a file: SQLite takes five times as long. */
const INLINE_BYTES = 256 * 1024;
/** No operation takes longer. */
const LONGEST_MS = 2 * 3_600_000;
/** Pages given back to the file system at once: 8 MiB. */
const VACUUM_PAGES = 2_048;

interface Packed {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** The journal of a data directory. */
export function openJournal({ database, blobs, maxBytes, maxAgeMs, now }: JournalDeps): Journal {
  const drop = (prepare: Prepare, before: number, beforeMs: number, reason: string): string[] | null =>
    rows.dropOldest(prepare, { before, beforeMs, openSinceMs: now() - LONGEST_MS, reason });

  /** Oldest first, never the operation that asks; false when there is still no room. */
  const makeRoom = (prepare: Prepare, neededBytes: number, current: number): boolean => {
    while (rows.totalBytes(prepare) + neededBytes > maxBytes) {
      const gone = drop(prepare, current, Number.MAX_SAFE_INTEGER, "mcp.undo.max_bytes");
      if (gone === null) return false;
      removeBlobs(gone);
    }
    return true;
  };

  const removeBlobs = (names: readonly string[]): void => {
    for (const name of names) blobs.remove(name);
  };

  /** In the transaction of its row, so that a server that drops the same content does not take it away again. */
  const keepImage = (prepare: Prepare, { hash, bytes }: Packed, current: number): boolean => {
    if (rows.hasImage(prepare, hash)) return true;
    if (!makeRoom(prepare, rows.chargeOfImage(bytes.length), current)) return false;
    const inline = bytes.length <= INLINE_BYTES;
    if (!inline) {
      blobs.remove(hash); // of a server that was killed
      blobs.write(hash, bytes);
    }
    rows.insertImage(prepare, hash, inline ? bytes : null, bytes.length);
    return true;
  };

  const loseIn = (prepare: Prepare, op: number, count: number): void => {
    prepare("update operations set uncovered = uncovered + ? where seq = ?").run(count, op);
  };

  const addOne = (prepare: Prepare, op: number, entry: NewEntry, packed: Packed | null): AddedEntry => {
    const row = {
      op,
      path: entry.path,
      source: entry.source ?? null,
      before: JSON.stringify(entry.before),
      after: entry.after === null ? null : JSON.stringify(entry.after),
    };
    const isContentKept = entry.before.sha256 !== undefined && entry.before.sha256 === entry.after?.sha256;
    const needsImage = entry.before.kind === "file" && entry.source === undefined && !isContentKept;
    const bytes = rows.chargeOfEntry({ ...row, image: null });
    const isKept = packed !== null && keepImage(prepare, packed, op);
    const isCovered = makeRoom(prepare, bytes, op) && (isKept || !needsImage) && entry.before.kind !== "other";
    if (!isCovered) loseIn(prepare, op, 1);
    const id = rows.insertEntry(prepare, { ...row, image: isKept ? packed.hash : null });
    return { id, isCovered };
  };

  return {
    begin: (operation) => rows.idOf(database.write((prepare) => rows.insertOperation(prepare, operation, now()))),
    async add(operation, entries) {
      const packed: (Packed | null)[] = [];
      for (const { before, data } of entries) {
        packed.push(
          data === null || before.sha256 === undefined ? null : { hash: before.sha256, bytes: await compress(data) },
        );
      }
      const op = rows.seqOf(operation);
      return database.write((prepare) => entries.map((entry, at) => addOne(prepare, op, entry, packed[at] ?? null)));
    },
    settle(entry, after) {
      database.write((prepare) => {
        prepare("update entries set after = ? where id = ?").run(JSON.stringify(after), entry);
      });
    },
    drop: (entries) => removeBlobs(database.write((prepare) => rows.removeEntries(prepare, entries))),
    lose: (operation, count) => database.write((prepare) => loseIn(prepare, rows.seqOf(operation), count)),
    end(operation, parent = "") {
      database.write((prepare) => {
        const seq = rows.seqOf(operation);
        prepare("update operations set state = 'done', parent = ? where seq = ?").run(parent, seq);
        prepare(
          "delete from operations where seq = ? and uncovered = 0 and not exists (select 1 from entries where op = ?)",
        )
          .run(seq, seq);
      });
    },
    list: (query) => database.read((prepare) => rows.listOperations(prepare, query)),
    entries: (operation) => database.read((prepare) => rows.listEntries(prepare, rows.seqOf(operation))),
    lastEntry: (path) => database.read((prepare) => rows.lastEntry(prepare, path)),
    async image(key) {
      const row = database.read((prepare) => prepare("select payload from images where hash = ?").get(key));
      if (row === undefined) return null;
      if (row.payload instanceof Uint8Array) return await expand(row.payload);
      const bytes = await readWhole(blobs, key);
      return bytes === null ? null : await expand(bytes);
    },
    undone: () => database.read(rows.undoneBy),
    whyDropped(id) {
      const row = database.read((prepare) => prepare("select last_seq, reason from dropped").get());
      if (row === undefined || rows.seqOf(id) === 0 || rows.seqOf(id) > numberOf(row, "last_seq")) return null;
      return textOf(row, "reason");
    },
    prune() {
      for (let more = true; more;) {
        const gone = database.write((prepare) =>
          drop(prepare, Number.MAX_SAFE_INTEGER, now() - maxAgeMs, "mcp.undo.max_age")
        );
        more = gone !== null;
        removeBlobs(gone ?? []);
      }
      database.write((prepare) => makeRoom(prepare, 0, Number.MAX_SAFE_INTEGER));
      database.read((prepare) => prepare(`pragma incremental_vacuum(${VACUUM_PAGES})`).all());
    },
    bytes: () => database.read(rows.totalBytes),
    close: () => database.close(),
  };
}

async function readWhole(blobs: BlobFiles, name: string): Promise<Uint8Array | null> {
  const file = await blobs.open(name);
  if (file === null) return null;
  try {
    const bytes = new Uint8Array(file.sizeBytes);
    await file.read(0, bytes);
    return bytes;
  } finally {
    file.close();
  }
}
