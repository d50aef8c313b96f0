/** Handle store on SQLite, with large payloads as files beside it. @module */
import { type Prepare } from "../sys/database.ts";
import { encodeText } from "../core/bytes.ts";
import { OpsError } from "../core/error.ts";
import { type BlobFiles, openRandomAccess, type RandomAccess } from "../sys/files/blob_files.ts";
import type { StoreDatabase } from "./database.ts";
import { makeFileCopies } from "./file_copies.ts";
import { aboveQuota, neverKept, notFound, notKept, reasonOf } from "./handle_errors.ts";
import { isHandleId, makeHandleId } from "./handle_id.ts";
import * as rows from "./handle_rows.ts";
import { sliceBytes, sliceLines } from "./handle_slice.ts";
import { ANY_OWNER, type HandleRange, type HandleSlice, type HandleStore, type ReferenceRequest } from "./handles.ts";
import { countLines } from "./line_index.ts";
import { makeLineIndexes, separatorOf } from "./line_indexes.ts";
import { makeMemoryAccess } from "./memory_access.ts";
import { type CheckSource, differs, isStale } from "./staleness.ts";

/** What the store needs. */
export interface HandleStoreDeps {
  readonly database: StoreDatabase;
  readonly blobs: BlobFiles;
  /** The path guard: every reading of a source asks it again. */
  readonly checkSource: CheckSource;
  readonly ttlHours: number;
  /** Quota of all handles together; the oldest make room. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** Told of trouble that does not fail a call. */
  readonly warn: (message: string) => void;
  /** Told of each result that could not be stored, and why. */
  readonly failed: (reason: string) => void;
}

/** Above this a payload is a file: SQLite takes 33 ms to insert 5 MB, a file 6 ms. */
const INLINE_BYTES = 256 * 1024;
const HOUR_MS = 3_600_000;
/** Promised handles that are remembered as broken. */
const MAX_BROKEN = 256;
/** Pages given back to the file system in one sweep: 8 MiB. */
const VACUUM_PAGES = 2_048;

/** The handle store of a data directory. */
export function makeHandleStore(deps: HandleStoreDeps): HandleStore {
  const { database, blobs, checkSource, ttlHours, maxBytes, now, warn, failed } = deps;
  const indexes = makeLineIndexes(), copies = makeFileCopies();
  /** Copies that are still being made. */
  const coming = new Map<string, Promise<void>>();
  /** Promised handles that could not be kept, and why: their readers are told. */
  const broken = new Map<string, { readonly owner: string; readonly error: OpsError }>();
  const scope = (owner: string): string | null => owner === ANY_OWNER ? null : owner;

  const removeBlobs = (names: readonly string[]): void => {
    for (const name of names) attempt(`remove the payload ${name}`, () => blobs.remove(name));
  };

  /** For what may fail without failing the call: the next sweep tries again. */
  const attempt = (what: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      warn(`could not ${what}: ${reasonOf(error)}`);
    }
  };

  const query = <T>(work: (prepare: Prepare) => T): T => {
    try {
      return database.read(work);
    } catch (error) {
      warn(`the handle store cannot be read: ${reasonOf(error)}`);
      throw new OpsError(
        "HANDLE_NOT_FOUND",
        "The handle store cannot be read.",
        "Repeat the call that made the handle.",
      );
    }
  };

  const change = <T>(work: (prepare: Prepare) => T): T => {
    try {
      return database.write(work);
    } catch (error) {
      throw notKept(error);
    }
  };

  const find = (id: string, owner: string): rows.StoredHandle => {
    const found = isHandleId(id) && query((prepare) => rows.findHandle(prepare, id, scope(owner), now()));
    if (!found) throw notFound(id);
    return found;
  };

  const chargeWithinQuota = (handle: Parameters<typeof rows.chargeOf>[0]): number => {
    const charge = rows.chargeOf(handle);
    if (charge > maxBytes) throw aboveQuota(charge, maxBytes);
    return charge;
  };

  /** Payload file, room and row in one transaction, so that no sweep sees a file whose row is yet to come. */
  const insert = (handle: rows.StoredHandle, blobBytes: Uint8Array | null): string => {
    const charge = chargeWithinQuota(handle);
    try {
      removeBlobs(change((prepare) => {
        const expired = rows.removeExpired(prepare, now()).blobs;
        const gone = [...expired, ...rows.makeRoom(prepare, charge, maxBytes)];
        if (handle.blob !== null && blobBytes) blobs.write(handle.blob, blobBytes);
        rows.insertHandle(prepare, handle);
        return gone;
      }));
      return handle.id;
    } catch (error) {
      if (handle.blob !== null) removeBlobs([handle.blob]);
      failed(reasonOf(error));
      throw error;
    }
  };

  const describe = ({ kind, owner, source, meta }: Omit<ReferenceRequest, "source"> & Partial<ReferenceRequest>) => {
    const createdMs = now(), expiresMs = createdMs + ttlHours * HOUR_MS;
    const id = makeHandleId(kind, createdMs);
    return { id, kind, owner, createdMs, expiresMs, source: source ?? null, meta: meta ?? {} };
  };

  const openCopy = async (handle: rows.StoredHandle): Promise<RandomAccess> => {
    if (handle.payload) return makeMemoryAccess(handle.payload);
    const access = handle.blob === null ? null : await blobs.open(handle.blob);
    if (access?.sizeBytes === handle.sizeBytes) return access;
    access?.close(); // cut short by a power failure
    throw notFound(handle.id);
  };

  const openReference = async ({ id, source }: rows.StoredHandle): Promise<[RandomAccess, boolean]> => {
    if (!source) throw notFound(id);
    const path = await checkSource(source.path);
    const access = await openRandomAccess(path).catch(() => {
      throw new OpsError(
        "NOT_FOUND",
        "The file of this handle cannot be read any more.",
        "Read the file again by its path.",
      );
    });
    return [access, path !== source.path || await differs(access, source)];
  };

  const open = async (handle: rows.StoredHandle): Promise<[RandomAccess, boolean]> => {
    if (handle.totalLines === null) return await openReference(handle);
    return [await openCopy(handle), handle.source !== null && await isStale(handle.source, checkSource)];
  };

  const keep = (common: ReturnType<typeof describe>, payload: string | Uint8Array): string => {
    const bytes = typeof payload === "string" ? encodeText(payload) : payload;
    const inline = bytes.length <= INLINE_BYTES;
    const totalLines = countLines(bytes, separatorOf(bytes, true));
    const place = inline ? { payload: bytes, blob: null } : { payload: null, blob: common.id };
    return insert({ ...common, ...place, sizeBytes: bytes.length, totalLines }, inline ? null : bytes);
  };

  const remember = ({ source, ...common }: ReturnType<typeof describe>): void => {
    if (source !== null) copies.add({ ...common, source }, common.id, common.expiresMs);
  };

  return {
    put(request) {
      const common = describe(request), id = keep(common, request.payload);
      remember(common);
      return id;
    },
    copyOf(request) {
      const id = copies.find(request, now() + ttlHours * HOUR_MS / 2);
      if (id === undefined) return null;
      try {
        return coming.has(id) || database.read((prepare) => rows.isKept(prepare, id)) ? id : null;
      } catch {
        return null; // the next attempt to make a copy reports why it fails
      }
    },
    promise(request, payload, sizeBytes = 0) {
      const common = describe(request);
      chargeWithinQuota({ ...common, sizeBytes, totalLines: 0 });
      const kept = payload.then((made) => void keep(common, made)).catch((error) => {
        warn(`could not keep ${common.id}: ${reasonOf(error)}`);
        broken.set(common.id, { owner: common.owner, error: neverKept(common.id, error) });
        const [oldest] = broken.keys();
        if (broken.size > MAX_BROKEN && oldest !== undefined) broken.delete(oldest);
      });
      coming.set(common.id, kept.finally(() => coming.delete(common.id)));
      remember(common);
      return common.id;
    },
    kept: (id) => coming.get(id) ?? Promise.resolve(),
    reference(request) {
      const { sizeBytes } = request.source;
      return insert({ ...describe(request), sizeBytes, totalLines: null, payload: null, blob: null }, null);
    },
    async read(id, owner, range, signal): Promise<HandleSlice> {
      await coming.get(id);
      const unkept = broken.get(id);
      if (unkept !== undefined && (owner === ANY_OWNER || owner === unkept.owner)) throw unkept.error;
      const handle = find(id, owner);
      const [access, stale] = await open(handle);
      try {
        const slice = await cut(access, range, signal);
        return { ...slice, unit: range.unit, stale, kind: handle.kind, meta: handle.meta };
      } finally {
        access.close();
      }

      async function cut(from: RandomAccess, wanted: HandleRange, abort?: AbortSignal) {
        if (wanted.unit === "bytes") return await sliceBytes(from, wanted);
        return await sliceLines(from, await indexes.of(id, from), wanted, abort);
      }
    },
    info: (id, owner) => rows.toInfo(find(id, owner)),
    list: (owner = ANY_OWNER) => query((prepare) => rows.listHandles(prepare, scope(owner), now())),
    remove(id, owner) {
      if (!isHandleId(id)) return false;
      indexes.forget(id);
      const removed = change((prepare) => rows.removeHandle(prepare, id, scope(owner)));
      removeBlobs(removed?.blob ? [removed.blob] : []);
      return removed !== undefined;
    },
    usage: () => query(rows.totals),
    sweep() {
      attempt("sweep the handles", () => {
        for (let more = true; more;) {
          const expired = database.write((prepare) => rows.removeExpired(prepare, now()));
          removeBlobs(expired.blobs);
          more = expired.more;
        }
        const orphans = database.read((prepare) => rows.orphansAmong(prepare, blobs.names()));
        // Again under the write lock: a payload whose row was about to be written has it now.
        if (orphans.length > 0) database.write((prepare) => removeBlobs(rows.orphansAmong(prepare, orphans)));
        database.read((prepare) => prepare(`pragma incremental_vacuum(${VACUUM_PAGES})`).all());
      });
    },
  };
}
