/** Interface of the handle store: large results that their owner can page through by an id. @module */

/** JSON that describes a handle: small, shown with it. */
export type HandleMeta = Readonly<Record<string, string | number | boolean | null>>;

/** What a file looked like when a handle was made from it. */
export interface SourceStamp {
  /** Real path. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Hex; lets an unchanged file that was merely touched count as fresh. */
  readonly sha256?: string;
  /** Differs for every content that the file has had; absent while that cannot be told. Not stored. */
  readonly version?: string;
}

/** A payload to keep a copy of. */
export interface PutRequest {
  /** Short word that becomes part of the id: `file`, `cmd`, `srch`. Lower case letters and digits, at most 16. */
  readonly kind: string;
  readonly owner: string;
  readonly payload: string | Uint8Array;
  readonly meta?: HandleMeta;
  /** The file that the payload was taken from: a later change of it marks the handle stale. */
  readonly source?: SourceStamp;
}

/** A file too large to copy: read live, from where it lies. */
export interface ReferenceRequest {
  readonly kind: string;
  readonly owner: string;
  readonly source: SourceStamp;
  readonly meta?: HandleMeta;
}

/** The part of a payload that a caller asks for. */
export interface HandleRange {
  readonly unit: "lines" | "bytes";
  /** Zero based; negative counts from the end. */
  readonly offset: number;
  /** Most lines or bytes to return. */
  readonly limit: number;
  /** With lines: estimated tokens after which no further line is added; the first line always is. */
  readonly maxTokens?: number;
}

/** One part of a payload. The next one starts at `offset + returned`. */
export interface HandleSlice {
  /** Lines joined by `\n` without a final one, long ones cut with a mark; or the text of the bytes. At most 1 MiB. */
  readonly content: string;
  readonly unit: "lines" | "bytes";
  /** Where the slice starts; still negative when it was, and the file is so large that its lines were not counted. */
  readonly offset: number;
  /** Lines or bytes in this slice. */
  readonly returned: number;
  /** Lines or bytes in the whole; null while the lines of a very large file are not counted. */
  readonly total: number | null;
  readonly more: boolean;
  /** The file that this came from has changed or is gone. */
  readonly stale: boolean;
  readonly kind: string;
  readonly meta: HandleMeta;
  /** Where the slice starts in bytes, for a caller that goes on with `unit: "bytes"`. */
  readonly startByte: number;
  /** Where the next slice starts in bytes. */
  readonly endByte: number;
  /** Lines of the slice that were cut: by bytes they can be read whole. */
  readonly cutLines: number;
}

/** A handle without its payload. */
export interface HandleInfo {
  readonly id: string;
  readonly kind: string;
  readonly owner: string;
  /** Bytes of the payload; of a reference, the file's size when it was made. */
  readonly sizeBytes: number;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** Nothing was copied: the file is read where it lies. */
  readonly reference: boolean;
  readonly sourcePath: string | null;
  readonly meta: HandleMeta;
}

/** Owner that may read, list and remove everything: the operator at the command line. */
export const ANY_OWNER = "*";

/** Keeps large results. An id of another owner answers exactly like one that does not exist. */
export interface HandleStore {
  /**
   * Keeps a copy; the returned id survives the death of the process at any moment.
   *
   * @throws OpsError WRITE_FAILED when the payload cannot be kept: disk full, read-only, larger than the quota.
   */
  put(request: PutRequest): string;
  /** The handle that has a copy of this very version of a file, made before and to last a good while; else null. */
  copyOf(request: ReferenceRequest): string | null;
  /**
   * Gives the id of a copy that is still being made, so that only its reader waits for it. When the making
   * fails there is no such handle.
   *
   * @param sizeBytes Of the payload, where that is known before.
   * @throws OpsError WRITE_FAILED when that is larger than the quota
   */
  promise(request: Omit<PutRequest, "payload">, payload: Promise<string | Uint8Array>, sizeBytes?: number): string;
  /** Resolves when a promised handle has been stored, or could not be, which its readers are told. */
  kept(id: string): Promise<void>;
  /** Remembers a file without copying it. @throws OpsError WRITE_FAILED */
  reference(request: ReferenceRequest): string;
  /** Reads a part. @throws OpsError HANDLE_NOT_FOUND, and for a reference what the path guard throws. */
  read(id: string, owner: string, range: HandleRange, signal?: AbortSignal): Promise<HandleSlice>;
  /** The handle without its payload. @throws OpsError HANDLE_NOT_FOUND */
  info(id: string, owner: string): HandleInfo;
  /** Handles of an owner, newest first; of all owners when none is given. */
  list(owner?: string): HandleInfo[];
  /** Whether there was such a handle of this owner. @throws OpsError WRITE_FAILED */
  remove(id: string, owner: string): boolean;
  /** Bytes and number of what is kept. */
  usage(): { readonly handles: number; readonly bytes: number };
  /** Removes what expired, payload files that no handle owns, and gives free pages back. */
  sweep(): void;
}
