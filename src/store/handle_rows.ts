/** Stores handles as rows: quota, expiry and order are SQL. @module */
import { type Prepare } from "../sys/database.ts";
import type { HandleInfo, HandleMeta, SourceStamp } from "./handles.ts";
import { maybe, numberOf, type Row, textOf } from "./row.ts";

/** A handle as it is stored. */
export interface StoredHandle {
  readonly id: string;
  readonly kind: string;
  readonly owner: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly sizeBytes: number;
  /** Null for a reference, whose lines may change. */
  readonly totalLines: number | null;
  /** A small copy. */
  readonly payload: Uint8Array | null;
  /** Name of the file that holds a large copy. */
  readonly blob: string | null;
  readonly source: SourceStamp | null;
  readonly meta: HandleMeta;
}

/** What a row costs beside its payload, so that a quota also bounds the number of small handles. */
const ROW_BYTES = 512;

const COLUMNS = "id, kind, owner, created_ms, expires_ms, size_bytes, total_lines, blob, source_path, source_size, " +
  "source_mtime, source_sha256, meta";

/** Bytes that a handle counts against the quota: a reference copies nothing. */
export function chargeOf(handle: Pick<StoredHandle, "sizeBytes" | "totalLines" | "meta">): number {
  const kept = handle.totalLines === null ? 0 : handle.sizeBytes;
  return kept + ROW_BYTES + JSON.stringify(handle.meta).length;
}

/** Adds a handle. */
export function insertHandle(prepare: Prepare, handle: StoredHandle): void {
  prepare(`insert into handles (${COLUMNS}, charged_bytes, payload) values (${Array(15).fill("?")})`).run(
    handle.id,
    handle.kind,
    handle.owner,
    handle.createdMs,
    handle.expiresMs,
    handle.sizeBytes,
    handle.totalLines,
    handle.blob,
    handle.source?.path ?? null,
    handle.source?.sizeBytes ?? null,
    handle.source?.mtimeMs ?? null,
    handle.source?.sha256 ?? null,
    JSON.stringify(handle.meta),
    chargeOf(handle),
    handle.payload,
  );
}

/** Handles removed by one call: some milliseconds. */
export const MAX_REMOVED = 200;

/** What {@link removeExpired} removed. */
export interface Removed {
  /** Names of the payload files. */
  readonly blobs: readonly string[];
  /** Whether more handles have expired than one call removes. */
  readonly more: boolean;
}

/** Removes at most {@link MAX_REMOVED} of the handles that expired. */
export function removeExpired(prepare: Prepare, nowMs: number): Removed {
  const sql = "delete from handles where seq in (select seq from handles where expires_ms <= ? limit ?) returning blob";
  const rows = prepare(sql).all(nowMs, MAX_REMOVED);
  return { blobs: blobsOf(rows), more: rows.length === MAX_REMOVED };
}

/** Removes the oldest handles until so many bytes are free; returns the names of their payload files. */
export function makeRoom(prepare: Prepare, neededBytes: number, maxBytes: number): string[] {
  const blobs: string[] = [];
  while (totals(prepare).bytes + neededBytes > maxBytes) {
    const gone = prepare("delete from handles where seq = (select min(seq) from handles) returning blob").all();
    if (gone.length === 0) break;
    blobs.push(...blobsOf(gone));
  }
  return blobs;
}

/** Removes one; undefined when there was none, else the name of its payload file. */
export function removeHandle(prepare: Prepare, id: string, owner: string | null): { blob: string | null } | undefined {
  const row = prepare("delete from handles where id = ? and (?2 is null or owner = ?2) returning blob").get(id, owner);
  return row && { blob: maybe(row, "blob", textOf) };
}

/** One handle of an owner (of anybody when null) that has not expired. */
export function findHandle(
  prepare: Prepare,
  id: string,
  owner: string | null,
  nowMs: number,
): StoredHandle | undefined {
  const row = prepare(
    `select ${COLUMNS}, payload from handles where id = ?1 and (?2 is null or owner = ?2) and expires_ms > ?3`,
  ).get(id, owner, nowMs);
  return row && toStored(row);
}

/** Whether it has not been removed. */
export function isKept(prepare: Prepare, id: string): boolean {
  return prepare("select 1 from handles where id = ?").get(id) !== undefined;
}

/** Handles of an owner, newest first. */
export function listHandles(prepare: Prepare, owner: string | null, nowMs: number): HandleInfo[] {
  const rows = owner === null
    ? prepare(`select ${COLUMNS} from handles where expires_ms > ? order by seq desc`).all(nowMs)
    : prepare(`select ${COLUMNS} from handles where owner = ? and expires_ms > ? order by seq desc`).all(owner, nowMs);
  return rows.map((row) => toInfo(toStored(row)));
}

/** Which of these payload files no handle owns. */
export function orphansAmong(prepare: Prepare, names: readonly string[]): string[] {
  return names.filter((name) => prepare("select 1 from handles where blob = ?").get(name) === undefined);
}

/** What is kept in all. */
export function totals(prepare: Prepare): { readonly handles: number; readonly bytes: number } {
  const row = prepare("select handles, bytes from handle_totals").get();
  return row ? { handles: numberOf(row, "handles"), bytes: numberOf(row, "bytes") } : { handles: 0, bytes: 0 };
}

/** The public part of a stored handle. */
export function toInfo(handle: StoredHandle): HandleInfo {
  const { id, kind, owner, sizeBytes, createdMs, expiresMs, meta, source } = handle;
  const reference = handle.totalLines === null;
  return { id, kind, owner, sizeBytes, createdMs, expiresMs, reference, sourcePath: source?.path ?? null, meta };
}

function blobsOf(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => maybe(row, "blob", textOf) ?? []);
}

function toStored(row: Row): StoredHandle {
  const path = maybe(row, "source_path", textOf), sha256 = maybe(row, "source_sha256", textOf);
  return {
    id: textOf(row, "id"),
    kind: textOf(row, "kind"),
    owner: textOf(row, "owner"),
    createdMs: numberOf(row, "created_ms"),
    expiresMs: numberOf(row, "expires_ms"),
    sizeBytes: numberOf(row, "size_bytes"),
    totalLines: maybe(row, "total_lines", numberOf),
    payload: row.payload instanceof Uint8Array ? row.payload : null,
    blob: maybe(row, "blob", textOf),
    source: path === null ? null : {
      path,
      sizeBytes: numberOf(row, "source_size"),
      mtimeMs: numberOf(row, "source_mtime"),
      ...(sha256 === null ? {} : { sha256 }),
    },
    meta: JSON.parse(textOf(row, "meta")),
  };
}
