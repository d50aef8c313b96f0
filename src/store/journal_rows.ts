/** Stores the journal of changes as rows: caps, order and references are SQL. @module */
import { type Prepare } from "../sys/database.ts";
import type { EntryState } from "../sys/writer/snapshot.ts";
import type { JournalEntry, JournalOperation, NewOperation, OperationQuery } from "./journal.ts";
import { maybe, numberOf, type Row, textOf } from "./row.ts";

/** What a row costs beside its texts, so that the cap also bounds the number of small entries. */
const ROW_BYTES = 512;
const RADIX = 36;

/** `op_7f` of a number. */
export const idOf = (seq: number): string => `op_${seq.toString(RADIX)}`;

/** The number of an id; 0 for what is none. */
export function seqOf(id: string): number {
  return /^op_[0-9a-z]{1,10}$/.test(id) ? parseInt(id.slice(3), RADIX) : 0;
}

/** Adds an operation; its number. */
export function insertOperation(prepare: Prepare, operation: NewOperation, nowMs: number): number {
  const { owner, agentId, sessionId, tool, summary } = operation;
  const sql = `insert into operations (time_ms, owner, agent_id, session_id, tool, summary, parent, state)
    values (?, ?, ?, ?, ?, ?, '', 'open')`;
  return Number(prepare(sql).run(nowMs, owner, agentId, sessionId, tool, summary).lastInsertRowid);
}

/** A row to add. */
export interface EntryRow {
  readonly op: number;
  readonly path: string;
  readonly source: string | null;
  readonly before: string;
  readonly image: string | null;
  readonly after: string | null;
}

/** Bytes that an entry counts. */
export function chargeOfEntry({ path, source, before, after }: EntryRow): number {
  return ROW_BYTES + path.length + (source ?? "").length + before.length + (after ?? "").length;
}

/** Adds an entry; its id. */
export function insertEntry(prepare: Prepare, row: EntryRow): number {
  const { op, path, source, before, image, after } = row;
  const sql =
    "insert into entries (op, path, source, before, image, after, charged_bytes) values (?, ?, ?, ?, ?, ?, ?)";
  return Number(prepare(sql).run(op, path, source, before, image, after, chargeOfEntry(row)).lastInsertRowid);
}

/** Whether a content is kept already. */
export function hasImage(prepare: Prepare, hash: string): boolean {
  return prepare("select 1 from images where hash = ?").get(hash) !== undefined;
}

/** Adds a content. @param payload Null for one that is a file of its own. */
export function insertImage(prepare: Prepare, hash: string, payload: Uint8Array | null, sizeBytes: number): void {
  prepare("insert into images (hash, blob, charged_bytes, payload) values (?, ?, ?, ?)")
    .run(hash, Number(payload === null), chargeOfImage(sizeBytes), payload);
}

/** Bytes that a content counts. @param sizeBytes Compressed. */
export const chargeOfImage = (sizeBytes: number): number => sizeBytes + ROW_BYTES;

/** Bytes of everything. */
export function totalBytes(prepare: Prepare): number {
  return numberOf(prepare("select bytes from journal_totals").get() ?? { bytes: 0 }, "bytes");
}

/** Which operations may go. */
export interface DropQuery {
  /** Only operations before this one. */
  readonly before: number;
  readonly beforeMs: number;
  /** One that has been open since then still runs; an older one belongs to a server that was killed. */
  readonly openSinceMs: number;
  readonly reason: string;
}

/** Removes the oldest operation; answers the files of its contents, null when there is none. */
export function dropOldest(prepare: Prepare, { before, beforeMs, openSinceMs, reason }: DropQuery): string[] | null {
  const sql = `select seq from operations where seq < ? and time_ms < ? and (state = 'done' or time_ms < ?)
    order by seq limit 1`;
  const row = prepare(sql).get(before, beforeMs, openSinceMs);
  if (row === undefined) return null;
  const seq = numberOf(row, "seq");
  prepare("delete from operations where seq = ?").run(seq);
  prepare("insert or replace into dropped (one, last_seq, reason) values (1, ?, ?)").run(seq, reason);
  const images = prepare("delete from entries where op = ? returning image").all(seq);
  return dropImages(prepare, images.flatMap((image) => maybe(image, "image", textOf) ?? []));
}

/** Removes entries, and contents that only they needed; answers the files of those. */
export function removeEntries(prepare: Prepare, ids: readonly number[]): string[] {
  const images = ids.map((id) => prepare("delete from entries where id = ? returning image").get(id));
  return dropImages(prepare, images.flatMap((row) => row === undefined ? [] : maybe(row, "image", textOf) ?? []));
}

function dropImages(prepare: Prepare, hashes: readonly string[]): string[] {
  return [...new Set(hashes)].flatMap((hash) => {
    if (prepare("select 1 from entries where image = ?").get(hash) !== undefined) return [];
    const row = prepare("delete from images where hash = ? returning blob").get(hash);
    return row !== undefined && numberOf(row, "blob") === 1 ? [hash] : [];
  });
}

const COLUMNS = `seq, time_ms, owner, agent_id, session_id, tool, summary, parent, state, uncovered,
  (select count(*) from entries where op = seq) as entries`;

/** The operation that undid each operation that was undone, by id. */
export function undoneBy(prepare: Prepare): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of prepare("select seq, parent from operations where parent <> '' order by seq").all()) {
    for (const id of textOf(row, "parent").split(" ")) found.set(id, idOf(numberOf(row, "seq")));
  }
  return found;
}

/** Operations, newest first. */
export function listOperations(prepare: Prepare, query: OperationQuery): JournalOperation[] {
  const { id, sinceMs = 0, session = "", owner = null, sessionId = null, path = null, limit } = query;
  // Names below a folder are a range of the index: '0' is the character after '/'.
  const below = path === "/" ? "/" : `${path}/`, end = below.replace(/\/$/, "0");
  const sql = `select ${COLUMNS} from operations where time_ms >= ?1 and substr(session_id, 1, length(?2)) = ?2
    and (?3 is null or owner = ?3) and (?8 is null or session_id = ?8) and (?4 is null or seq = ?4)
    and (?5 is null or seq in (
      select op from entries where path = ?5 or path >= ?6 and path < ?9
      union select op from entries where source is not null and (source = ?5 or source >= ?6 and source < ?9)))
    and (uncovered > 0 or exists (select 1 from entries where op = seq))
    order by seq desc limit ?7`;
  const seq = id === undefined ? null : seqOf(id);
  return prepare(sql).all(sinceMs, session, owner, seq, path, below, limit, sessionId, end).map(toOperation);
}

const ENTRY_COLUMNS = "id, path, source, before, image, after";

/** Entries of an operation, in the order in which they changed. */
export function listEntries(prepare: Prepare, seq: number): JournalEntry[] {
  return prepare(`select ${ENTRY_COLUMNS} from entries where op = ? order by id`).all(seq).map(toEntry);
}

/** The newest entry that a path was changed by, or moved away by. */
export function lastEntry(prepare: Prepare, path: string): JournalEntry | null {
  const newest = `select max(id) as id from (select max(id) as id from entries where path = ?1
    union all select max(id) as id from entries where source is not null and source = ?1)`;
  const row = prepare(`select ${ENTRY_COLUMNS} from entries where id = (${newest})`).get(path);
  return row === undefined ? null : toEntry(row);
}

function toEntry(row: Row): JournalEntry {
  return {
    id: numberOf(row, "id"),
    path: textOf(row, "path"),
    source: maybe(row, "source", textOf),
    before: stateOf(textOf(row, "before")),
    image: maybe(row, "image", textOf),
    after: row.after === null ? null : stateOf(textOf(row, "after")),
  };
}

function stateOf(text: string): EntryState {
  return JSON.parse(text);
}

function toOperation(row: Row): JournalOperation {
  return {
    id: idOf(numberOf(row, "seq")),
    timeMs: numberOf(row, "time_ms"),
    owner: textOf(row, "owner"),
    agentId: textOf(row, "agent_id"),
    sessionId: textOf(row, "session_id"),
    tool: textOf(row, "tool"),
    summary: textOf(row, "summary"),
    parent: textOf(row, "parent"),
    state: textOf(row, "state") === "done" ? "done" : "open",
    uncovered: numberOf(row, "uncovered"),
    entries: numberOf(row, "entries"),
  };
}
